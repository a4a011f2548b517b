"""What changed between HEAD, or another revision, and the index, the work tree or a revision."""

import os
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from recall_core.adapters.git.repository import Git
from recall_core.errors import GitError

# Git's own limits, said so that nobody's configuration changes the answer. An empty file says nothing about where it
# came from.
DIFF_OPTIONS = (
    "--raw",
    "--no-abbrev",
    "-z",
    "-l1000",
    "--no-rename-empty",
    "--no-color",
    "--no-ext-diff",
    "--ignore-submodules=all",
)
LIKE_ENOUGH = "-M50%"
# Where a partial clone lacks the contents to compare, what was moved unchanged is known by its blob id.
MOVED_UNCHANGED = "-M100%"


class Changes(NamedTuple):
    """Paths relative to the root. A renamed file, old to new, is in none of the sets, changed on the way or not."""

    added: frozenset[str]
    modified: frozenset[str]
    deleted: frozenset[str]
    renamed: Mapping[str, str]


class RawChange(NamedTuple):
    """One record of Git's raw format. `old` and `new` are one path unless it was renamed."""

    status: str
    was_regular: bool
    is_regular: bool
    old: str
    new: str


def staged_changes(git: Git, root: str, *, base: str | None = None) -> Changes:
    """From HEAD, or `base`, to the index; everything is added while there is no commit.

    What `git add -N` announced is not in it. A conflicted file counts as modified.
    """
    return _changes(git, root, "diff", "--cached", _base(git, base))


def work_tree_changes(git: Git, root: str, *, base: str | None = None) -> Changes:
    """From HEAD, or `base`, to the tracked files on disk; what `git add -N` announced counts as added here."""
    return _changes(git, root, "diff", _base(git, base))


def revision_changes(git: Git, root: str, rev: str, *, base: str | None = None) -> Changes:
    """From the first parent of a commit, or `base`, to the commit; everything is added in one without parents."""
    commit = git.resolve(rev)
    if base is None:
        parents = git.run("rev-list", "--parents", "-n", "1", commit).decode("ascii").split()[1:]
        base = parents[0] if parents else git.empty_tree
    return _changes(git, root, "diff", _base(git, base), commit)


def parse_raw(meta: str, paths: Iterator[str]) -> RawChange:
    """One change from its first field and the fields that follow: `:MODE MODE ID ID STATUS`, one path or two."""
    old_mode, new_mode, _, _, status = meta.lstrip(":").split(" ")
    old = next(paths)
    new = next(paths) if status[0] in "RC" else old
    return RawChange(status[0], old_mode.startswith("100"), new_mode.startswith("100"), old, new)


def _base(git: Git, base: str | None) -> str:
    if base is None:
        return git.head or git.empty_tree
    if base.startswith("-"):
        raise GitError(f"`{base}` is no revision")
    return base


def _changes(git: Git, root: str, *arguments: str) -> Changes:
    prefix = git.prefix_of(root)
    relative = (f"--relative={prefix}",) if prefix else ()
    command, *rest = arguments
    try:
        output = git.run(command, *DIFF_OPTIONS, LIKE_ENOUGH, *relative, *rest, "--")
    except GitError:
        output = git.run(command, *DIFF_OPTIONS, MOVED_UNCHANGED, *relative, *rest, "--")
    fields = iter(os.fsdecode(output).split("\0")[:-1])
    return _sorted_out(parse_raw(meta, fields) for meta in fields)


def _sorted_out(changes: Iterator[RawChange]) -> Changes:
    added: set[str] = set()
    modified: set[str] = set()
    deleted: set[str] = set()
    renamed: dict[str, str] = {}
    for change in changes:
        if change.status == "U":
            modified.add(change.new)
        elif change.was_regular and change.is_regular:
            if change.status == "R":
                renamed[change.old] = change.new
            else:
                modified.add(change.new)
        # A file that became a symlink is gone as a memo, and the other way round.
        elif change.was_regular:
            deleted.add(change.old)
        elif change.is_regular:
            added.add(change.new)
    return Changes(frozenset(added), frozenset(modified), frozenset(deleted), renamed)
