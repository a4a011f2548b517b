"""Where a root's cache lies, for which code it holds, and which states of the index passed before.

What a hook asks first, and mostly last: this module imports next to nothing.
"""

import os
from collections.abc import Iterable, Sequence

from recall_core import __version__
from recall_core.adapters.cache import DataCache, digest

_STATES_KEPT = 16


def open_cache(folder: str) -> DataCache:
    """The cache in `folder`, for this very code: pinned revisions share a version number."""
    return DataCache(folder, f"{__version__}-{_code_stamp()}")


def _code_stamp() -> str:
    """A digest of the names, sizes and times of our own files: about 0.3 ms, and no stale answer after an upgrade."""
    rows = []
    pending = [os.path.dirname(os.path.abspath(__file__))]
    pending.append(os.path.join(os.path.dirname(pending[0]), "recall_core"))
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


class CleanStates:
    """States of the index that were linted and let pass: a hook that meets one again may leave at once."""

    _NAME = "clean"

    def __init__(self, cache: DataCache | None) -> None:
        self._cache = cache

    def holds(self, state: str) -> bool:
        """Whether this state was found clean."""
        return state in self._load()

    def add(self, state: str) -> None:
        """Remember a clean state."""
        if self._cache is None:
            return
        known = self._load()
        if known[:1] != [state]:
            self._cache.save(self._NAME, [state, *(other for other in known if other != state)][:_STATES_KEPT])

    def _load(self) -> Sequence[str]:
        loaded = self._cache.load(self._NAME) if self._cache is not None else None
        return [state for state in loaded if isinstance(state, str)] if isinstance(loaded, list) else []


def describe_state(parts: Iterable[str]) -> str:
    """A digest over strings; names that are not UTF-8 count as they are."""
    return digest(*(part.encode("utf-8", "surrogateescape") for part in parts))
