"""PATH on the command line: which memos somebody wants to hear about."""

import os
from collections.abc import Sequence

from recall_core.errors import UsageError
from recall_lint.cli.output import remark
from recall_lint.session import Session
from recall_lint.workspace import Workspace


def select_paths(workspace: Workspace, session: Session, paths: Sequence[str], folder: str) -> frozenset[str]:
    """The memos that files and folders name, relative to the root.

    What exists and is no memo is said and left out: hooks pass such names. Raises UsageError for what is not there.
    """
    memos = [entry.path for entry in session.memos]
    known = frozenset(memos)
    selection = workspace.configuration.selection()
    chosen: set[str] = set()
    for path in paths:
        relative = workspace.relative(path, folder)
        below = "" if relative == "" else f"{relative}/"
        found = [relative] if relative in known else [memo for memo in memos if memo.startswith(below)]
        if relative is not None and found:
            chosen.update(found)
        elif relative is None and os.path.lexists(os.path.join(folder, path)):
            remark(f"`{path}` lies outside the root {workspace.root}: skipped")
        elif os.path.lexists(os.path.join(folder, path)) or relative in session.paths:
            reason = selection.why_not(relative or "") if os.path.isfile(os.path.join(folder, path)) else "no memo in it"
            remark(f"`{path}` is no memo of the corpus: {reason or 'Git would not commit it'}; skipped")
        else:
            raise UsageError(f"`{path}` does not exist", help="name memos or folders that are there")
    return frozenset(chosen)
