"""By what the memos of a corpus can be meant: tables of keys, titles and numbers."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import NamedTuple, Protocol

from recall_core.model.memo import Memo

GENERIC_KINDS = frozenset(("adr", "decision", "memo", "record", "proposal"))
"""What people call a memo whose file has a number and no kind: `ADR 12` is `0012-limits.md`."""

USUAL_KINDS = frozenset(("adr", "rfc", "pep", "kep", "eip", "erc", "rfd", "dr", "ddr", "nep", "xep", "memo"))
"""Kinds that are believed from one file name; another word must stand before the number of three."""

MIN_MEMOS_OF_KIND = 3
MAX_KINDS = 400
"""More than that are no kinds but words, and the pattern of them would cost too much."""


class Number(NamedTuple):
    """A number that a memo carries: its kind in lower case ("" for none), and whether a label or a title says so."""

    kind: str
    value: int
    is_sure: bool


class Tables(Protocol):
    """Which memos a key, a title or a number belongs to; paths are in order everywhere."""

    @property
    def kinds(self) -> frozenset[str]:
        """The words that stand before a number in this corpus, lower case."""
        ...

    def with_key(self, key: str) -> Sequence[str]:
        """The paths of the memos with this key."""
        ...

    def with_title(self, title: str) -> Sequence[str]:
        """The paths of the memos with this title or label, folded."""
        ...

    def with_number(self, number: int) -> Mapping[str, set[str]]:
        """The paths that carry the number, each with its kinds; "" where the file has a number alone."""
        ...

    def numbers_of(self, kind: str) -> frozenset[int]:
        """The numbers that memos carry with this kind."""
        ...

    def memo(self, path: str) -> Memo:
        """The memo at a path that one of the others gave."""
        ...


class MemoTables:
    """The tables of memos in memory. Each is built when something first asks for it."""

    def __init__(self, memos: Iterable[Memo]) -> None:
        self._memos = tuple(memos)

    def with_key(self, key: str) -> Sequence[str]:
        """The paths of the memos with this key."""
        return self._keys.get(key, ())

    def with_title(self, title: str) -> Sequence[str]:
        """The paths of the memos with this title or label, folded."""
        return self._titles.get(title, ())

    def with_number(self, number: int) -> Mapping[str, set[str]]:
        """The paths that carry the number, each with its kinds; "" where the file has a number alone."""
        return self._numbers.get(number, {})

    def numbers_of(self, kind: str) -> frozenset[int]:
        """The numbers that memos carry with this kind."""
        return frozenset(self._numbers_of_kind.get(kind, ()))

    def memo(self, path: str) -> Memo:
        """The memo at a path that one of the others gave."""
        return self._by_memo_path[path]

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The words that stand before a number in this corpus, lower case."""
        counts: dict[str, int] = {}
        sure: set[str] = set()
        for _, found in self._found:
            for number in found:
                counts[number.kind] = counts.get(number.kind, 0) + 1
                if number.is_sure:
                    sure.add(number.kind)
        return choose_kinds(counts, sure)

    @cached_property
    def _by_memo_path(self) -> dict[str, Memo]:
        return {memo.path: memo for memo in self._memos}

    @cached_property
    def _keys(self) -> dict[str, list[str]]:
        keys: dict[str, list[str]] = {}
        for memo in self._memos:
            keys.setdefault(memo.key, []).append(memo.path)
        return keys

    @cached_property
    def _found(self) -> list[tuple[Memo, list[Number]]]:
        """The memos that have numbers, with them."""
        return [(memo, found) for memo in self._memos if (found := find_numbers(memo))]

    @cached_property
    def _titles(self) -> dict[str, list[str]]:
        titles: dict[str, list[str]] = {}
        for memo in self._memos:
            for title in fold_titles(memo):
                titles.setdefault(title, []).append(memo.path)
        return titles

    @cached_property
    def _numbers(self) -> dict[int, dict[str, set[str]]]:
        numbers: dict[int, dict[str, set[str]]] = {}
        for memo, found in self._found:
            for number in found:
                if not number.kind or number.kind in self.kinds:
                    numbers.setdefault(number.value, {}).setdefault(memo.path, set()).add(number.kind)
        for by_path in numbers.values():
            for own in by_path.values():
                prefer_kinds(own)
        return numbers

    @cached_property
    def _numbers_of_kind(self) -> dict[str, set[int]]:
        of_kind: dict[str, set[int]] = {}
        for number, found in self._numbers.items():
            for own in found.values():
                for kind in own:
                    of_kind.setdefault(kind, set()).add(number)
        return of_kind


def choose_kinds(counts: Mapping[str, int], sure: Iterable[str]) -> frozenset[str]:
    """The kinds of a corpus, from how many numbers stand behind each word, and the words that a label or title says."""
    sure = frozenset(sure)
    kinds = {kind for kind, n in counts.items() if kind in sure or kind in USUAL_KINDS or n >= MIN_MEMOS_OF_KIND}
    if "" in counts:
        kinds |= GENERIC_KINDS
    kinds.discard("")
    return frozenset(kinds) if len(kinds) <= MAX_KINDS else frozenset(kinds & USUAL_KINDS)


def prefer_kinds(kinds: set[str]) -> None:
    """Forget that one memo carries a number without a kind, where it carries it with one too."""
    if len(kinds) > 1:
        kinds.discard("")


def fold_titles(memo: Memo) -> Iterator[str]:
    """The title and the label of a memo, folded, each once; too short ones name nothing."""
    title, label = fold(memo.title) if memo.title else "", fold(memo.label) if memo.label else ""
    if len(title) > 2:
        yield title
    if len(label) > 2 and label != title:
        yield label


def fold(title: str) -> str:
    """A title as titles are compared: case folded, blanks collapsed, no quotes or emphasis around it."""
    return " ".join(title.casefold().split()).strip("\"'\u2018\u2019\u201c\u201d\u00ab\u00bb*_ ")


def find_numbers(memo: Memo) -> list[Number]:
    """The numbers that one memo carries in its key, its label and its title."""
    found: list[Number] = []
    key = memo.key
    if key[:1] in ("1", "2") and (dated := _date().match(key)) is not None:
        key = key[dated.end() :]  # `2025-02-12_032-storage` is number 32
    if not key.isalpha() and (match := _key_number().match(key)):
        found.append(Number((match["kind"] or "").lower(), int(match["number"]), is_sure=False))
    if memo.label and (match := _label_number().match(memo.label)):
        found.append(Number(match["kind"].lower(), int(match["number"]), is_sure=True))
    if memo.title and memo.title != memo.label and (match := _label_number().match(memo.title)):
        kind = match["kind"].lower()
        if kind in USUAL_KINDS or any(kind == other.kind for other in found):
            found.append(Number(kind, int(match["number"]), is_sure=True))
    return found


@cache
def _date() -> re.Pattern[str]:
    return re.compile(r"(?:19|20)[0-9]{2}[-_.]?[01][0-9](?:[-_.]?[0-3][0-9])?[-_ .]?")


@cache
def _key_number() -> re.Pattern[str]:
    return re.compile(r"(?:[A-Za-z]+[-_])??(?:(?P<kind>[A-Za-z]{2,12})[-_ ]?)?(?P<number>[0-9]{1,5})(?![0-9A-Za-z.])")


@cache
def _label_number() -> re.Pattern[str]:
    return re.compile(r"(?P<kind>[A-Za-z]{2,12})[ \t]?-?[ \t]?\#?(?P<number>[0-9]{1,5})(?![0-9A-Za-z]|\.[0-9])")
