"""Where the cache of a root lies, and for which code it holds. Both tools share it: what one read, the other need not.

What a hook asks first, and mostly last: this module imports next to nothing.
"""

import contextlib
import os
from typing import TYPE_CHECKING

from recall_core import __version__
from recall_core.adapters.cache import DataCache, digest

if TYPE_CHECKING:
    from recall_core.adapters.workspace import Workspace

_PACKAGES = ("recall_core", "recall_lint")


def open_run_cache(workspace: "Workspace", user_folder: str) -> DataCache:
    """The cache of a root: in the Git directory, else below `user_folder`, which is the user's own for caches."""
    if workspace.git is not None:
        below = digest(workspace.prefix.encode("utf-8", "surrogateescape"))[:8] if workspace.prefix else "root"
        return open_cache(f"{workspace.git.git_dir}/recall/{below}")
    return open_cache(f"{user_folder}/{digest(workspace.root.encode('utf-8', 'surrogateescape'))}")


def clear_run_cache(folder: str) -> None:
    """Remove what is kept of a root in `folder`: titles and lines of its memos may be among it."""
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        if name.endswith((".json", ".tmp")):
            with contextlib.suppress(OSError):
                os.unlink(os.path.join(folder, name))


def open_cache(folder: str) -> DataCache:
    """The cache in `folder`, for this very code: pinned revisions share a version number."""
    return DataCache(folder, f"{__version__}-{_code_stamp()}")


def _code_stamp() -> str:
    """A digest of the names, sizes and times of our own files: about 0.3 ms, and no stale answer after an upgrade."""
    rows = []
    around = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    pending = [folder for name in _PACKAGES if os.path.isdir(folder := os.path.join(around, name))]
    while pending:
        with os.scandir(pending.pop()) as items:
            for item in items:
                if item.name.endswith(".py"):
                    status = item.stat()
                    rows.append(f"{item.name}\0{status.st_size}\0{status.st_mtime_ns}")
                elif item.is_dir() and not item.name.startswith("__"):
                    pending.append(item.path)
    rows.sort()
    return digest("\n".join(rows).encode())[:16]
