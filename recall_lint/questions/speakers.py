"""Which memos' sentences may speak of a given one, answered from kept traces without reading a text."""

from collections.abc import Iterable, Sequence
from functools import cached_property

from recall_core.model.memo import Memo
from recall_core.prose.names import Names
from recall_lint.reading import Reading

_FEW = 8
"""Questions that are cheaper asked one by one than by building an index over all that is named."""


class Speakers:
    """The memos with traces, to be asked who speaks of whom. Every answer is a superset, in order of paths."""

    def __init__(self, readings: Iterable[Reading], names: Names) -> None:
        self._readings = sorted((each for each in readings if each.trace), key=lambda each: each.memo.path)
        self._names = names

    def of_all(self, memos: Sequence[Memo]) -> dict[str, tuple[str, ...]]:
        """The paths of those that may speak of each memo, by its path; the memo itself is none of them."""
        if len(memos) <= _FEW:
            return {memo.path: self._ask(memo) for memo in memos}
        return {memo.path: self._look_up(memo) for memo in memos}

    def _ask(self, memo: Memo) -> tuple[str, ...]:
        return tuple(
            each.memo.path
            for each in self._readings
            if each.memo.path != memo.path and self._names.may_mean(each.trace, memo)
        )

    def _look_up(self, memo: Memo) -> tuple[str, ...]:
        return tuple(path for path in self._index.get(memo.path, ()) if path != memo.path)

    @cached_property
    def _index(self) -> dict[str, list[str]]:
        index: dict[str, list[str]] = {}
        for each in self._readings:
            for path in self._names.meant_by(each.trace):
                index.setdefault(path, []).append(each.memo.path)
        return index
