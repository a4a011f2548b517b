"""The postings of one lexeme in one segment: which chunks hold it, and how often each does, packed into bytes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

MOST_COUNTED: Final = 255
"""A chunk that holds a lexeme more often is stored as this: beyond it BM25 hardly moves."""

# Network order: PostgreSQL's int4send gives it, so that a server may pack postings itself.
_NUMBER: Final = np.dtype(">i4")
_COUNT: Final = np.dtype("u1")


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """Document numbers, ascending, each once, and for each how often the lexeme stands in that document (1 to 255).

    A document is a chunk; its number is unique in the generation and counts from 0. Both arrays have one length.
    """

    numbers: NDArray[np.int32]
    counts: NDArray[np.uint8]

    def without(self, numbers: NDArray[np.int32]) -> "Postings":
        """The same without some documents, given by number in any order; unknown ones are no error."""
        keeps = np.isin(self.numbers, numbers, invert=True)
        return Postings(self.numbers[keeps], self.counts[keeps])


@dataclass(frozen=True, slots=True)
class PackedPostings:
    """Postings as they are stored: `numbers` are int32 in network order, `counts` are bytes.

    A server makes the same: `string_agg(int4send(number), '' ORDER BY number)`.
    """

    numbers: bytes
    counts: bytes


def build_postings(
    numbers: Sequence[int] | NDArray[np.integer], counts: Sequence[int] | NDArray[np.integer]
) -> Postings:
    """Postings of documents and their counts, which are cut off at `MOST_COUNTED`.

    Raises ValueError where the two differ in length, the numbers do not ascend, one is no int32 from 0 on, or a count
    is below 1.
    """
    wide = np.asarray(numbers, dtype=np.int64)
    amounts = np.asarray(counts, dtype=np.int64)
    if wide.ndim != 1 or wide.shape != amounts.shape:
        raise ValueError("postings need one count for each document number")
    if wide.size:
        if wide[0] < 0 or wide[-1] > np.iinfo(np.int32).max or bool((np.diff(wide) <= 0).any()):
            raise ValueError("document numbers ascend, and each is an int32 from 0 on")
        if int(amounts.min()) < 1:
            raise ValueError("a document in the postings of a lexeme holds it at least once")
    return Postings(wide.astype(np.int32), np.minimum(amounts, MOST_COUNTED).astype(np.uint8))


def pack(postings: Postings) -> PackedPostings:
    """The bytes of some postings; the same postings give the same bytes on every machine."""
    return PackedPostings(
        postings.numbers.astype(_NUMBER, copy=False).tobytes(), postings.counts.astype(_COUNT, copy=False).tobytes()
    )


def unpack(numbers: bytes | memoryview, counts: bytes | memoryview) -> Postings:
    """The postings in two packed columns: the numbers in the machine's own order, the counts a read-only view.

    Raises ValueError where the columns do not belong together. What `pack` made is trusted beyond that: this runs for
    every lexeme of a query.
    """
    if len(numbers) != _NUMBER.itemsize * len(counts):
        raise ValueError(f"{len(numbers)} bytes of document numbers do not belong to {len(counts)} counts")
    return Postings(
        np.frombuffer(numbers, dtype=_NUMBER).astype(np.int32, copy=False), np.frombuffer(counts, dtype=_COUNT)
    )
