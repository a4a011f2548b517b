"""Which memo a name may have meant: by number, by title, by resemblance. Built when the first name needs it."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Final, NamedTuple

from recall_core.graph.corpus import Corpus
from recall_core.model.memo import Memo

_FORM: Final = re.compile(r"(?:([^\W\d_]{1,20})[-_ .#/]{0,2}|#)?([0-9]{1,9})")
_NUMBER: Final = re.compile(r"([^\W\d_]*)[-_ .#]{0,2}([0-9]+)")

_LEAST_LIKENESS: Final = 70.0
_MOST_LOOKUPS: Final = 200
"""Names compared with all others in one run: a wrong `include` makes thousands dangle, and each costs a millisecond."""
_LONGEST_NAME: Final = 200


class Numbered(NamedTuple):
    """A number in a memo's name: the word before it (lower case, or ""), and whether it is the first of its text."""

    memo: Memo
    word: str
    first: bool


class Suggestions:
    """Guesses over one corpus. They are for messages and fixes that a person looks at; nothing here resolves."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._lookups = 0
        self._numbered: dict[tuple[str, str], tuple[Memo, ...]] = {}

    def by_number(self, text: str) -> tuple[Memo, ...]:
        """The memos that `ADR-12`, `ADR 0012`, `0012`, `12` or `#12` may mean, by path; () for any other text."""
        match = _FORM.fullmatch(text)
        if match is None:
            return ()
        form = (match[1] or "").lower(), match[2].lstrip("0")
        if form not in self._numbered:
            self._numbered[form] = self._fitting(self._names, *form) or self._fitting(self._titles, *form)
        return self._numbered[form]

    @staticmethod
    def _fitting(index: dict[str, list[Numbered]], word: str, number: str) -> tuple[Memo, ...]:
        found = {}
        for numbered in index.get(number, ()):
            same = numbered.word == word or (not numbered.word and numbered.first)
            if same if word else numbered.first:
                found[numbered.memo.path] = numbered.memo
        return tuple(found.values())

    @cached_property
    def _names(self) -> dict[str, list[Numbered]]:
        """File names and labels by the numbers in them, without leading zeros."""
        return _index(
            (number, Numbered(memo, word, place == 0))
            for memo in self._corpus.memos
            for text in (memo.key, memo.label)
            for place, (word, number) in enumerate(_numbers(text))
        )

    @cached_property
    def _titles(self) -> dict[str, list[Numbered]]:
        """Titles by the number they begin with."""
        return _index(
            (match[2].lstrip("0"), Numbered(memo, match[1].lower(), first=True))
            for memo in self._corpus.memos
            if (match := _NUMBER.match(memo.title))
        )

    def by_title(self, text: str) -> tuple[Memo, ...]:
        """The memos whose title or label is `text` but for letter case, by path."""
        return tuple(self._called.get(_fold(text), ()))

    @cached_property
    def _called(self) -> dict[str, list[Memo]]:
        called: dict[str, list[Memo]] = {}
        for memo in self._corpus.memos:
            for text in {_fold(memo.title), _fold(memo.label)} - {""}:
                called.setdefault(text, []).append(memo)
        return called

    def resembling(self, name: str) -> list[str]:
        """Up to three keys that `name` may be a misspelling of, the likeliest first."""
        if not name or len(name) > _LONGEST_NAME or self._lookups == _MOST_LOOKUPS:
            return []
        from rapidfuzz import fuzz, process  # noqa: PLC0415 - 20 ms, and only a dangling reference needs it

        self._lookups += 1
        keys, folded = self._keys
        found = process.extract(_fold(name), folded, scorer=fuzz.ratio, limit=3, score_cutoff=_LEAST_LIKENESS)
        likely = sorted((-score, keys[place]) for _, score, place in found)
        return [key for score, key in likely if score <= likely[0][0] + 10]

    @cached_property
    def _keys(self) -> tuple[list[str], list[str]]:
        find = self._corpus.memos_with_key
        keys = [memo.key for memo in self._corpus.memos if len(find(memo.key)) == 1]
        return keys, [_fold(key) for key in keys]


def _numbers(text: str) -> Iterator[tuple[str, str]]:
    return ((match[1].lower(), match[2].lstrip("0")) for match in _NUMBER.finditer(text))


def _index(rows: Iterable[tuple[str, Numbered]]) -> dict[str, list[Numbered]]:
    index: dict[str, list[Numbered]] = {}
    for number, numbered in rows:
        index.setdefault(number, []).append(numbered)
    return index


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())
