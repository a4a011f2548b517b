"""The register of a corpus: what it listed, its columns, and each reading as a row that can be decoded alone."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

from recall_core.graph.corpus import Corpus, Naming
from recall_core.model.memo import Memo, Reference
from recall_core.prose.tables import find_numbers
from recall_lint.reading import Reading
from recall_lint.register.postings import Postings, build_postings
from recall_lint.register.terms import Column, list_terms

_SEPARATOR = "\0"
_OFFSET = 4
"""Bytes of a row's place."""

KindCounts = dict[str, tuple[int, int]]
"""For each word before a number how often it stands there, and how often a label or a title says so."""


def build_register(
    readings: Sequence[Reading], identities: Sequence[str], encode: Callable[[Reading], Any], scope: str = ""
) -> bytes:
    """A register of these readings, whose contents have these identities ("" for one that nothing tells again).

    `encode` gives JSON; `scope` says what these are all of. The register is empty bytes where a name holds a sign that
    its columns are written with.
    """
    rows: dict[Column, list[tuple[str, int]]] = {column: [] for column in Column}
    for record, reading in enumerate(readings):
        for column, term in dict.fromkeys(list_terms(reading)):
            rows[column].append((term, record))
    columns: list[bytes] = []
    for column in Column:
        text = build_postings(rows[column])
        if text is None:
            return b""
        columns.append(text)
    words = [word for reading, one in zip(readings, identities, strict=True) for word in (reading.memo.path, one)]
    listing = _SEPARATOR.join(words).encode("utf-8", "surrogateescape")
    encoded = [json.dumps(encode(reading), separators=(",", ":")).encode() for reading in readings]
    offsets, at = bytearray(), 0
    for row in encoded:
        offsets += at.to_bytes(_OFFSET, "little")
        at += len(row)
    offsets += at.to_bytes(_OFFSET, "little")
    parts = [listing, bytes(offsets), b"".join(encoded), *columns]
    head = {
        "scope": scope,
        "lengths": [len(part) for part in parts],
        "kinds": count_kinds(readings),
        "dangling": _dangling(readings),
    }
    return json.dumps(head).encode() + b"\n" + b"".join(parts)


def count_kinds(readings: Sequence[Reading]) -> KindCounts:
    """How often each word stands before a number of these memos."""
    counts: KindCounts = {}
    for reading in readings:
        for number in find_numbers(reading.memo):
            count, sure = counts.get(number.kind, (0, 0))
            counts[number.kind] = count + 1, sure + number.is_sure
    return counts


def _dangling(readings: Sequence[Reading]) -> list[int]:
    corpus = Corpus(reading.memo for reading in readings)
    return [record for record, reading in enumerate(readings) if any(list_dangling(corpus, reading.memo))]


def list_dangling(corpus: Corpus, memo: Memo) -> Iterator[Reference]:
    """The references of a memo that name none."""
    return (each for each in memo.supersedes if corpus.resolve(memo, each).naming in (Naming.MISSING, Naming.NOTHING))


class Register:
    """A register that was built before. `paths` and `identities` are what it listed, by record.

    `scope` is as it was built with; `dangling` holds the records with a reference that named no memo.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        at = data.index(b"\n")
        said = json.loads(data[:at])
        self.scope: str = said["scope"]
        self.kinds: Mapping[str, Sequence[int]] = said["kinds"]
        self.dangling: Sequence[int] = said["dangling"]
        places = list(pairwise(accumulate(said["lengths"], initial=at + 1)))
        listing, offsets, rows, *columns = places
        words = data[slice(*listing)].decode("utf-8", "surrogateescape").split(_SEPARATOR)
        self.paths, self.identities = words[:-1:2], words[1::2]
        self._offsets: int = offsets[0]
        self._rows: int = rows[0]
        self._columns = {column: Postings(data, *place) for column, place in zip(Column, columns, strict=True)}

    def column(self, column: Column) -> Postings:
        """A column, to be searched."""
        return self._columns[column]

    def row(self, record: int) -> Any:
        """What `encode` gave for the reading of a record."""
        start, end = self._place(record), self._place(record + 1)
        return json.loads(self._data[start:end])

    def _place(self, record: int) -> int:
        at = self._offsets + record * _OFFSET
        return self._rows + int.from_bytes(self._data[at : at + _OFFSET], "little")
