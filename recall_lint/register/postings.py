"""One column of a register: terms and the numbers of their records, in one text that is searched as it is."""

from collections.abc import Iterable, Iterator

_BEGIN, _MIDDLE, _END = b"\2", b"\3", b"\n"
_SIGNS = frozenset("\2\3\n")


def build_postings(rows: Iterable[tuple[str, int]]) -> bytes | None:
    """The text of a column, from terms and record numbers; None where a term holds one of its signs."""
    pieces = []
    for term, record in rows:
        if not _SIGNS.isdisjoint(term):
            return None
        pieces.append(f"\2{term}\3{record}\n")
    return "".join(pieces).encode("utf-8", "surrogatepass")


class Postings:
    """A column, which is part of a text, searched without being taken apart: a look-up is one search through it."""

    def __init__(self, text: bytes, start: int, end: int) -> None:
        self._text, self._start, self._end = text, start, end

    def find(self, term: str) -> list[int]:
        """The records with this term."""
        if not _SIGNS.isdisjoint(term):
            return []
        return [record for _, record in self._find(_BEGIN + _encode(term) + _MIDDLE)]

    def find_beginning(self, beginning: str) -> list[tuple[str, int]]:
        """The terms that begin so, each with its record."""
        return list(self._find(_BEGIN + _encode(beginning)))

    def find_holding(self, part: str, most: int) -> list[int] | None:
        """The records with a term that holds `part`, which has a letter in it; None where they are more than `most`."""
        found: list[int] = []
        for _, record in self._find(_encode(part)):
            if len(found) == most:
                return None
            found.append(record)
        return found

    def _find(self, wanted: bytes) -> Iterator[tuple[str, int]]:
        text, last = self._text, self._end
        at = text.find(wanted, self._start, last)
        while at >= 0:
            begin = text.rfind(_BEGIN, 0, at + 1)
            middle = text.index(_MIDDLE, at)
            end = text.index(_END, middle)
            yield text[begin + 1 : middle].decode("utf-8", "surrogatepass"), int(text[middle + 1 : end])
            at = text.find(wanted, end, last)


def _encode(term: str) -> bytes:
    return term.encode("utf-8", "surrogatepass")
