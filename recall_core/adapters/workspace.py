"""Where a run works: the root, its configuration, and where the content comes from (disk, index or a revision)."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from recall_core.adapters.corpus_config import NAMES, Configuration, load_configuration
from recall_core.adapters.files import FolderSource, lies_below
from recall_core.adapters.git.blobs import read_blobs
from recall_core.adapters.git.index import IndexSource
from recall_core.adapters.git.repository import Git
from recall_core.adapters.git.revision import RevisionSource, contents_at
from recall_core.adapters.git.work_tree import WorkTreeSource
from recall_core.adapters.toml_file import Read, read_regular_file
from recall_core.errors import GitError, UsageError
from recall_core.ports.corpus import CorpusSource


@dataclass(frozen=True, slots=True)
class Workspace:
    """One root, looked at in one way. `rev` is the revision that is read, None for the disk or the index."""

    configuration: Configuration
    source: CorpusSource
    git: Git | None
    rev: str | None = None

    @property
    def root(self) -> str:
        """The absolute path of the root."""
        return self.configuration.root

    @property
    def prefix(self) -> str:
        """Where the root lies below the top of the repository, ending in a slash; empty at the top or without Git."""
        return self.git.prefix_of(self.root) if self.git is not None else ""

    def relative(self, path: str, folder: str) -> str | None:
        """A path of the command line, given in `folder`, relative to the root; None where it lies outside."""
        full = os.path.join(os.path.realpath(folder), path)
        real = os.path.join(os.path.realpath(os.path.dirname(full)), os.path.basename(full))
        real = os.path.normpath(real)
        root = os.path.realpath(self.root)
        if not lies_below(real, root):
            return None
        relative = os.path.relpath(real, root).replace(os.sep, "/")
        return "" if relative == "." else relative


def open_workspace(
    folder: str, *, staged: bool = False, rev: str | None = None, configuration: str | None = None
) -> Workspace:
    """The workspace around `folder`: its files on disk, what is staged, or what `rev` holds.

    `configuration` names a configuration file. Raises UsageError where Git is needed and there is none.
    """
    git = Git.find(folder)
    if git is None and (staged or rev is not None):
        option = "--staged" if staged else "--rev"
        raise UsageError(f"{option} needs a Git work tree, and this folder is in none", help="leave the option out")
    top = git.top if git is not None else None
    read: Read = read_regular_file
    if git is not None and rev is not None:
        rev = _resolve(git, rev)
        read = _read_from(git, _candidates(git, folder, configuration), partial(contents_at, git, git.top, rev))
    elif git is not None and staged:
        read = _read_from(git, _candidates(git, folder, configuration), partial(_staged_contents, git))
    found = load_configuration(folder, top_level=top, read=read, explicit=configuration)
    if git is not None and not _is_in(git, found.root):
        if staged or rev is not None:
            raise UsageError(f"the root {found.root} lies outside the Git work tree", help="run inside the root")
        git = Git.find(found.root)
    return Workspace(found, _open_source(git, found.root, staged=staged, rev=rev), git, rev)


def open_source_again(workspace: Workspace) -> Workspace:
    """The same workspace, looked at anew: sources are asked once, and files have been written since."""
    kind = workspace.source.kind
    return replace(
        workspace, source=_open_source(workspace.git, workspace.root, staged=kind == "index", rev=workspace.rev)
    )


def _resolve(git: Git, rev: str) -> str:
    try:
        return git.resolve(rev)
    except GitError as error:
        raise UsageError(f"`{rev}` names no commit of this repository", help="`git log` shows what there is") from error


def _open_source(git: Git | None, root: str, *, staged: bool, rev: str | None) -> CorpusSource:
    if git is None:
        return FolderSource(root)
    if rev is not None:
        return RevisionSource(git, root, rev)
    return IndexSource(git, root) if staged else WorkTreeSource(git, root)


def _is_in(git: Git, root: str) -> bool:
    return lies_below(os.path.realpath(root), os.path.realpath(git.top))


def _below_top(git: Git, path: str) -> str | None:
    top, real = os.path.realpath(git.top), os.path.realpath(path)
    return os.path.relpath(real, top).replace(os.sep, "/") if lies_below(real, top) else None


def _candidates(git: Git, folder: str, explicit: str | None) -> list[str]:
    """Where a configuration may lie, relative to the top: asked for together, since each question costs a process."""
    working = os.path.realpath(folder)
    places = [_below_top(git, os.path.join(working, explicit))] if explicit is not None else []
    below = _below_top(git, working)
    while below is not None:
        places += [os.path.normpath(os.path.join(below, name)).replace(os.sep, "/") for name in NAMES]
        below = os.path.dirname(below) if below not in ("", ".") else None
    return [place for place in places if place is not None]


def _staged_contents(git: Git, names: Sequence[str]) -> dict[str, bytes | None]:
    if not names:  # Git would take that for all of them
        return {}
    listed = os.fsdecode(git.run("ls-files", "-s", "-z", "--", *names)).split("\0")[:-1]
    records = [record.split("\t", 1) for record in listed if record.startswith("100")]
    contents = read_blobs(git, (meta.split(" ")[1] for meta, _ in records))
    return {
        name: content if isinstance(content, bytes) else None
        for (_, name), content in zip(records, contents, strict=True)
    }


def _read_from(git: Git, candidates: Sequence[str], fetch: Callable[[Sequence[str]], dict[str, bytes | None]]) -> Read:
    """Configuration as the next commit, or a revision, holds it: what lies on disk alone is there for nobody else.

    The candidates are fetched together; a file that one of them extends when it is asked for.
    """
    contents = dict.fromkeys(candidates) | fetch(candidates)

    def read(path: str) -> bytes | None:
        name = _below_top(git, path)
        if name is None:
            return read_regular_file(path)
        if name not in contents:
            contents[name] = fetch((name,)).get(name)
        return contents[name]

    return read
