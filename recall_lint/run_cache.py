"""Which states of the index passed before.

What a hook asks first, and mostly last: this module imports next to nothing.
"""

from collections.abc import Iterable, Sequence

from recall_core.adapters.cache import DataCache, digest

_STATES_KEPT = 16


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
