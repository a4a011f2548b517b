"""When each memo of a workspace was recorded, by Git, with the history kept between runs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from recall_core.adapters.cache import DataCache
from recall_core.adapters.git.changes import Changes, revision_changes, staged_changes, work_tree_changes
from recall_core.adapters.git.history import History, read_history
from recall_core.adapters.git.repository import Git
from recall_core.adapters.workspace import Workspace

SHALLOW = "this clone is shallow: when a memo was recorded is unknown (`git fetch --unshallow` brings it)"


@dataclass(frozen=True, slots=True)
class Recorded:
    """Recorded times by path, aware, UTC, and sentences about what could not be known.

    `is_complete` says whether a memo without a time is one that was not recorded yet, not one whose time is unknown.
    """

    times: Mapping[str, datetime] = field(default_factory=dict)
    said: tuple[str, ...] = ()
    is_complete: bool = False


def read_recorded(
    workspace: Workspace,
    cache: DataCache | None,
    *,
    memos: Sequence[str],
    files: Sequence[str],
    changes: Callable[[], Changes | None],
) -> Recorded:
    """When each of `memos` entered the corpus. Outside Git, and in a shallow clone, that is unknown.

    `files` are all files below the root; `changes` gives what the index, the work tree or the revision changes, and is
    asked only where a memo may have been renamed.
    """
    git = workspace.git
    if git is None:
        return Recorded()
    if git.is_shallow:
        return Recorded(said=(SHALLOW,))
    recorded = _read_kept(git, workspace.root, workspace.rev or "HEAD", cache).recorded
    if workspace.rev is not None:
        return Recorded(recorded, is_complete=True)
    if all(path in recorded for path in memos) and recorded.keys() <= frozenset(files):
        return Recorded(recorded, is_complete=True)  # no memo is new and none is gone, so none was renamed
    # A memo that the next commit renames keeps its time, where a deleted one once had its new path too.
    found = changes()
    renamed = found.renamed if found is not None else {}
    times = {**recorded, **{new: recorded[old] for old, new in renamed.items() if old in recorded}}
    return Recorded(times, is_complete=True)


def read_changes(workspace: Workspace) -> Changes | None:
    """What the index, the work tree or the revision changes; None outside Git."""
    if workspace.git is None or workspace.source.kind == "folder":
        return None
    if workspace.rev is not None:
        return revision_changes(workspace.git, workspace.root, workspace.rev)
    if workspace.source.kind == "index":
        return staged_changes(workspace.git, workspace.root)
    return work_tree_changes(workspace.git, workspace.root)


def _read_kept(git: Git, root: str, rev: str, cache: DataCache | None) -> History:
    known = None
    if cache is not None and (loaded := cache.load("history")) is not None:
        try:
            known = History.from_json(loaded)
        except ValueError:
            known = None
    history = read_history(git, root, rev, known)
    if cache is not None and history is not known:
        cache.save("history", history.to_json())
    return history
