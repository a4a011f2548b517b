"""Which memos' sentences may speak of a given one, answered from kept closures without reading a text."""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise

from recall_core.frontmatter.reference import normalise_key
from recall_core.model.memo import Memo
from recall_core.prose.candidates import may_speak_of
from recall_core.prose.mentions import Mention, MentionKind
from recall_core.prose.names import MAX_RANGE, Names, fold
from recall_lint.reading import Reading

_FEW = 8
"""Questions that are cheaper asked one by one than by building an index over all that is mentioned."""

_DIGITS = re.compile(r"[0-9]{1,5}")
_WORD = re.compile(r"\w+")


class Speakers:
    """The memos with closures, to be asked who speaks of whom. Every answer is a superset, in order of paths."""

    def __init__(self, readings: Iterable[Reading], names: Names) -> None:
        self._readings = [each for each in readings if each.closures]
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
            if each.memo.path != memo.path and may_speak_of(each.closures, memo, self._names)
        )

    def _look_up(self, memo: Memo) -> tuple[str, ...]:
        titles, numbers = self._names.meanings(memo)
        found = set(self._index.keys.get(memo.key, ()))
        for title in titles:
            found |= self._index.titles.get(title, set())
            words = _WORD.findall(title)
            found |= self._index.words.get(max(words, key=len), set()) if words else set()
        for number in numbers:
            found |= self._index.numbers.get(number, set())
        found.discard(memo.path)
        return tuple(sorted(found))

    @cached_property
    def _index(self) -> "_Index":
        index = _Index()
        for each in self._readings:
            for closure in each.closures:
                for mention in closure.mentions:
                    index.add(each.memo.path, mention)
        return index


class _Index:
    """What is mentioned, and the paths of those that mention it."""

    def __init__(self) -> None:
        self.keys: dict[str, set[str]] = {}
        self.titles: dict[str, set[str]] = {}
        self.words: dict[str, set[str]] = {}
        """Of the text of links, which may hold a title."""
        self.numbers: dict[int, set[str]] = {}

    def add(self, path: str, mention: Mention) -> None:
        """Note that the memo at `path` makes this mention."""
        if mention.kind is MentionKind.TITLE:
            self.titles.setdefault(fold(mention.name), set()).add(path)
            return
        self.keys.setdefault(normalise_key(mention.name), set()).add(path)
        if mention.kind is MentionKind.LINK:
            for word in _WORD.findall(fold(mention.written)):
                self.words.setdefault(word, set()).add(path)
        found = [int(digits) for digits in _DIGITS.findall(mention.name)]
        if mention.kind is MentionKind.NUMBERED:
            for one, other in pairwise(found):
                if one < other <= one + MAX_RANGE:
                    found.extend(range(one + 1, other))
        for number in found:
            self.numbers.setdefault(number, set()).add(path)
