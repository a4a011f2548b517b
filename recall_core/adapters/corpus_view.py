"""The corpus of a workspace, as lint sees it, for whoever reads all of it once."""

import os

from recall_core.adapters.cache import DataCache
from recall_core.adapters.recorded import read_changes, read_recorded
from recall_core.adapters.workspace import Workspace
from recall_core.errors import RefusedError
from recall_core.ports.corpus import Listing
from recall_core.ports.view import CorpusView


def view_corpus(workspace: Workspace, cache: DataCache | None) -> CorpusView:
    """The memos that the configuration selects, with the times that Git recorded.

    Raises ConfigurationError where an `include` of somebody's selects nothing, RefusedError where the root itself
    cannot be listed: an empty corpus is something else.
    """
    listing = workspace.source.listing()
    if any(path == "." for path, _ in listing.failures):
        reason = next(failure.reason for path, failure in listing.failures if path == ".")
        raise RefusedError(f"{workspace.root} cannot be listed: {reason}", help="make it readable, and index again")
    selection = workspace.configuration.selection()
    by_path = {entry.path: entry for entry in listing.entries}
    memos, _ = selection.select(by_path)
    said = [] if memos else [workspace.configuration.demand_memos(selection, list(by_path))]
    recorded = read_recorded(
        workspace, cache, memos=memos, files=list(by_path), changes=lambda: read_changes(workspace)
    )
    return CorpusView(
        root=workspace.root,
        revision=workspace.rev or workspace.source.kind,
        source=workspace.source,
        memos=tuple(by_path[path] for path in memos),
        unlisted=_unlisted(workspace, listing),
        recorded=recorded.times,
        knows_history=recorded.is_complete,
        is_outside_git=workspace.git is None,
        said=(*said, *recorded.said),
    )


def _unlisted(workspace: Workspace, listing: Listing) -> tuple[tuple[str, str], ...]:
    """What could not be listed: a folder, ending in a slash, or a file that would be a memo."""
    is_memo = workspace.configuration.selection().is_memo
    return tuple(
        (f"{path}/" if is_folder else path, failure.reason)
        for path, failure in listing.failures
        if (is_folder := os.path.isdir(os.path.join(workspace.root, path))) or is_memo(path)
    )
