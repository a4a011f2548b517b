"""A revision as a source: what a commit or tree holds."""

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from recall_core.adapters.git.blobs import read_blobs
from recall_core.adapters.git.repository import Git
from recall_core.errors import GitError
from recall_core.ports.corpus import Entry, Listing, ReadFailure

_NAMES_ON_A_COMMAND_LINE = 100


class RevisionSource:
    """The regular files below `root` in the tree of `rev`, which is anything that Git takes for a commit or tree."""

    kind = "revision"

    def __init__(self, git: Git, root: str, rev: str) -> None:
        self.git = git
        self.prefix = git.prefix_of(root)
        self.rev = rev

    def raw_state(self) -> bytes:
        """Bytes that are the same exactly when the listing is."""
        return self._raw

    def listing(self) -> Listing:
        """Every regular file of the tree; identity is the blob id. Raises GitError when there is no such revision."""
        entries = [Entry(path, blob) for path, blob in _parse(self.git, self.prefix, self._raw)]
        entries.sort(key=lambda entry: entry.path)
        return Listing(entries)

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | ReadFailure]]:
        """The content of each entry, in the order given."""
        entries = list(entries)
        return zip(entries, read_blobs(self.git, (entry.identity for entry in entries)), strict=True)

    @cached_property
    def _raw(self) -> bytes:
        return _list_tree(self.git, self.rev, (self.prefix,) if self.prefix else ())


def contents_at(git: Git, root: str, rev: str, paths: Iterable[str]) -> dict[str, bytes | None]:
    """What files said at a revision, for paths relative to the root.

    None where no regular file was there, where this clone does not hold its content, and everywhere while `HEAD` has
    no commit. Raises GitError when there is no such revision.
    """
    prefix = git.prefix_of(root)
    contents: dict[str, bytes | None] = dict.fromkeys(paths)
    if not contents or (rev == "HEAD" and git.head is None):
        return contents
    limit = tuple(prefix + path for path in contents) if len(contents) <= _NAMES_ON_A_COMMAND_LINE else (prefix,)
    listed = _parse(git, prefix, _list_tree(git, rev, tuple(filter(None, limit))))
    found = [(path, blob) for path, blob in listed if path in contents]
    for (path, _), content in zip(found, read_blobs(git, (blob for _, blob in found)), strict=True):
        if isinstance(content, bytes):
            contents[path] = content
    return contents


def _list_tree(git: Git, rev: str, limit: Sequence[str]) -> bytes:
    if rev.startswith("-"):
        raise GitError(f"`{rev}` is no revision")
    return git.run("ls-tree", "-r", "-z", "--full-tree", rev, "--", *limit)


def _parse(git: Git, prefix: str, raw: bytes) -> list[tuple[str, str]]:
    # Each record: MODE TYPE ID, a tab, the path; a regular file's mode begins with 100, and its type is `blob`.
    start, end = 12, 12 + git.id_length
    cut = end + 1 + len(prefix)
    return [
        (record[cut:], record[start:end]) for record in os.fsdecode(raw).split("\0")[:-1] if record.startswith("100")
    ]
