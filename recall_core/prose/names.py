"""Which memos a text can mean by what it writes: names, links, numbers and titles, looked up in the corpus."""

import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from typing import NamedTuple

from recall_core.frontmatter.reference import normalise_key
from recall_core.model.memo import Memo
from recall_core.prose.link import Link, LinkKind
from recall_core.prose.tables import GENERIC_KINDS, MemoTables, Tables, find_numbers, fold, fold_titles
from recall_core.prose.trace import Trace

MAX_RANGE = 30
"""Memos that one range (`ADRs 12-18`) may name."""

_GENERIC_FILES = frozenset(("readme", "index", "_index"))


class Named(NamedTuple):
    """A numbered mention: half-open offsets, the text as written, and the paths of each memo that it lists."""

    start: int
    end: int
    written: str
    paths: tuple[tuple[str, ...], ...]


class Names:
    """What the memos of a corpus are called, looked up in `tables` where these are there already."""

    def __init__(self, memos: Iterable[Memo] = (), *, tables: Tables | None = None) -> None:
        self._tables: Tables = MemoTables(memos) if tables is None else tables
        self._meanings: dict[str, tuple[frozenset[str], frozenset[int]]] = {}

    def by_key(self, name: str) -> tuple[str, ...]:
        """The paths of the memos that a file name, a stem or a wikilink's name means: none, one or several."""
        key = normalise_key(name)
        return tuple(self._tables.with_key(key)) if key else ()

    def by_title(self, title: str) -> tuple[str, ...]:
        """The paths of the memos with this title or label, letter case and blanks aside."""
        return tuple(self._tables.with_title(fold(title)))

    def by_number(self, kind: str, number: int) -> tuple[str, ...]:
        """The paths of the memos that `ADR 12` means.

        Kinds that never share a number are one number space: there `EIP-820` may be `erc-820`.
        """
        kind = kind.lower()
        found = self._tables.with_number(number)
        if not found:
            return ()
        exact = tuple(path for path, own in found.items() if kind in own)
        if exact or kind not in self.kinds:
            return exact
        return tuple(path for path, own in found.items() if all(self._is_one_space(kind, other) for other in own))

    def by_link(self, link: Link, label: str) -> tuple[str, ...]:
        """The paths of the memos that a link can mean: by its path, else by what its label says.

        A path and a number that disagree mean both, so that the link is ambiguous. A web address is never followed.
        """
        numbered = self._by_label(label)
        if link.kind is LinkKind.WIKILINK or link.is_local:
            found = self.by_key(link.path)
            if link.kind is not LinkKind.WIKILINK and (found and _is_generic(link.path)):
                found = ()
            found = found or self._by_path(link.path)
            if len(found) == 1 and len(numbered) == 1 and found != numbered:
                return (*found, *numbered)
            if found:
                # Two memos may share a number, and the title in the label tells which.
                return numbered if len(numbered) == 1 and numbered[0] in found else found
        return numbered

    def find_numbered(self, text: str, start: int, end: int) -> list[Named]:
        """Every numbered mention in `text[start:end]`, lists and ranges taken together."""
        pattern = self._numbered
        if pattern is None:
            return []
        return [self._read_numbered(text, match) for match in pattern.finditer(text, start, end)]

    def meanings(self, memo: Memo) -> tuple[frozenset[str], frozenset[int]]:
        """The titles, folded, and the numbers by which a text may mean a memo, beside its key."""
        found = self._meanings.get(memo.path)
        if found is None:
            titles = frozenset(fold_titles(memo))
            found = titles, frozenset(number.value for number in find_numbers(memo))
            self._meanings[memo.path] = found
        return found

    def may_mean(self, trace: Trace, memo: Memo) -> bool:
        """Whether a body with this trace may speak of a memo: never False where `find_candidates` asks about it."""
        if memo.key in trace.keys:
            return True
        titles, numbers = self.meanings(memo)
        if not titles.isdisjoint(trace.titles):
            return True
        return bool(numbers) and not numbers.isdisjoint(self._numbers_in(trace))

    def meant_by(self, trace: Trace) -> set[str]:
        """The paths of the memos for which `may_mean` holds."""
        found = {path for key in trace.keys for path in self._tables.with_key(key)}
        found.update(path for title in trace.titles for path in self._tables.with_title(title))
        found.update(path for number in self._numbers_in(trace) for path in self._tables.with_number(number))
        return found

    def _numbers_in(self, trace: Trace) -> Iterator[int]:
        """The numbers of a trace: in what names no file, and behind a kind of this corpus, singular or plural."""
        for key in trace.keys:
            if not self._tables.with_key(key) and (of_key := number_of_key(key)) is not None:
                yield of_key
        for written in trace.numbers:
            word, _, number = written.partition(" ")
            if word in self.kinds or (word[-1] == "s" and word[:-1] in self.kinds):
                yield int(number)

    def memo(self, path: str) -> Memo:
        """The memo at a path that one of the other functions gave."""
        return self._tables.memo(path)

    @property
    def kinds(self) -> frozenset[str]:
        """The words that stand before a number in this corpus, lower case."""
        return self._tables.kinds

    def _by_label(self, label: str) -> tuple[str, ...]:
        """What the words of a link say alone: a whole title, a file name, or a number they begin with."""
        label = trim_label(label)
        found = self.by_title(label) or (self.by_key(label) if label and " " not in label else ())
        if found or self._numbered is None:
            return found
        match = self._numbered.match(label)
        if match is None:
            return ()
        named = self._read_numbered(label, match)
        return named.paths[0] if len(named.paths) == 1 else ()

    def _by_path(self, path: str) -> tuple[str, ...]:
        """A path whose last segment is no key: `./ADR%20154%20-%20Limits.md`, `../13-validators/README.md`."""
        stem = name_of_path(path)
        if found := self.by_key(stem):
            return found
        match = _path_number().match(stem)
        if match is None:
            return ()
        if match["kind"]:
            return self.by_number(match["kind"], int(match["number"]))
        found_by_number = self._tables.with_number(int(match["number"]))
        return tuple(found_by_number) if len(match["number"]) > 1 else ()

    def _read_numbered(self, text: str, match: re.Match[str]) -> Named:
        kind = match["kind"]
        numbers, end = list_numbers(text, match["number"], match.end(), plural=bool(match["plural"]))
        paths = tuple(self.by_number(kind, number) for number in dict.fromkeys(numbers))
        return Named(match.start(), end, text[match.start() : end], paths)

    def _is_one_space(self, kind: str, other: str) -> bool:
        if not other:
            return kind in GENERIC_KINDS
        return self._tables.numbers_of(kind).isdisjoint(self._tables.numbers_of(other))

    @cached_property
    def _numbered(self) -> re.Pattern[str] | None:
        if not self.kinds:
            return None
        kinds = "|".join(re.escape(kind) for kind in sorted(self.kinds, key=len, reverse=True))
        return re.compile(
            rf"(?<![\w/.@#-])(?P<kind>{kinds})(?P<plural>s?)(?:[ \t\r\n\u00a0]{{1,4}}|-|\u2011|\u2013)?"
            rf"(?:\#|[nN]o\. ?)?(?P<number>[0-9]{{1,5}})(?![\w]|\.[0-9]|-\w|/[^\W\d])",
            re.IGNORECASE,
        )


def trim_label(label: str) -> str:
    """The words of a link without the emphasis around them, blanks collapsed."""
    return " ".join(label.strip("*_~` \t\r\n").split())


def number_of_key(key: str) -> int | None:
    """The number that the name of a file begins with, a kind before it aside; None where there is none."""
    match = _path_number().match(key)
    return int(match["number"]) if match is not None else None


def name_of_path(path: str) -> str:
    """The key of a path's last segment that is a name: that of the folder where the file is an index; "" for none."""
    segments = [part for part in path.split("/") if part not in ("", ".", "..")]
    if segments and _is_generic(segments[-1]):
        segments.pop()
    return normalise_key(segments[-1]) if segments else ""


def list_numbers(text: str, first: str, end: int, *, plural: bool) -> tuple[list[int], int]:
    """The numbers of a list or range whose first one ends at an offset, and where the last one ends.

    `ADR 12, 3 days later` is no list: only a plural, or padded numbers, go on.
    """
    numbers = [int(first)]
    while (plural or first.startswith("0")) and (more := _more().match(text, end)):
        number = int(more["number"])
        if not plural and not more["number"].startswith("0"):
            break
        if more["dash"] and numbers[-1] < number <= numbers[-1] + MAX_RANGE:
            numbers.extend(range(numbers[-1] + 1, number))
        numbers.append(number)
        end = more.end()
    return numbers, end


def _is_generic(path: str) -> bool:
    return normalise_key(path).casefold() in _GENERIC_FILES


@cache
def _path_number() -> re.Pattern[str]:
    return re.compile(r"(?:(?P<kind>[A-Za-z]{2,12})[-_ ]?)?(?P<number>[0-9]{1,5})(?![0-9A-Za-z.])")


@cache
def _more() -> re.Pattern[str]:
    """What continues a list of numbers: `, 78`, ` and 82`, `/0013`, or a dash for a range."""
    return re.compile(
        r"(?:,?[ \t\r\n]+(?:and|or|&)[ \t\r\n]+|,[ \t\r\n]+|/|(?P<dash>[ ]?[-\u2013][ ]?|[ ]to[ ]))"
        r"(?P<number>[0-9]{1,5})(?![\w]|\.[0-9]|-\w)"
    )
