"""PATH on the command line: which memos somebody wants to hear about."""

import os
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from recall_core.adapters.output import remark
from recall_core.adapters.workspace import Workspace
from recall_core.errors import UsageError
from recall_lint.session import Session

_NOT_LISTED = {
    "folder": "it lies in a folder that is not searched",
    "work-tree": "Git leaves it out (ignored, or in another repository)",
    "index": "it is not in the index (`git add` it)",
    "revision": "it is not in that revision",
}
"""Why a file that would be a memo by its name is not there, by the kind of source."""


def select_paths(workspace: Workspace, session: Session, paths: Sequence[str], folder: str) -> frozenset[str]:
    """The memos that files and folders name, relative to the root.

    What exists and is no memo is said and left out: hooks pass such names. Raises UsageError for what is not there.
    """
    memos = [entry.path for entry in session.memos]
    known, listed = frozenset(memos), frozenset(session.paths)
    chosen: set[str] = set()
    for path in paths:
        if not path:
            raise UsageError("an empty PATH names nothing", help="an unset variable? `.` is the working folder")
        relative = workspace.relative(path, folder)
        full = os.path.join(folder, path)
        if relative is None and os.path.lexists(full):
            remark(f"`{path}` lies outside the root {workspace.root}; skipped")
            continue
        found = [] if relative is None else [relative] if relative in known else [*_below(memos, relative)]
        found += [failed for failed in session.unlisted if relative is not None and _touches(failed, relative)]
        if found:
            chosen.update(found)
        elif relative is not None and (relative in listed or os.path.lexists(full)):
            remark(f"`{path}` {_why_no_memo(workspace, relative, full, is_listed=relative in listed)}; skipped")
        else:
            raise UsageError(f"`{path}` does not exist", help="name memos or folders that are there")
    return frozenset(chosen)


def _below(memos: Sequence[str], folder: str) -> Iterator[str]:
    """Those of the sorted paths that lie in `folder`, at any depth."""
    start = f"{folder}/" if folder else ""
    for position in range(bisect_left(memos, start), len(memos)):
        if not memos[position].startswith(start):
            return
        yield memos[position]


def _touches(failed: str, relative: str) -> bool:
    """Whether what could not be listed lies in, or around, the path that was named."""
    outer, inner = f"{failed.rstrip('/')}/", f"{relative}/"
    return not relative or outer.startswith(inner) or inner.startswith(outer)


def _why_no_memo(workspace: Workspace, relative: str, full: str, *, is_listed: bool) -> str:
    if not is_listed and os.path.islink(full):
        return "is a symbolic link, and no memo"
    if not is_listed and os.path.isdir(full):
        return "holds no memo"
    if not is_listed and not os.path.isfile(full):
        return "is no regular file"
    reason = workspace.configuration.selection().why_not(relative) or _NOT_LISTED[workspace.source.kind]
    return f"is no memo: {reason}"
