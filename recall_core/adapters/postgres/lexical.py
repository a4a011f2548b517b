"""The lexical leg: the postings of a query's lexemes, scored by BM25, and the lengths that it needs."""

from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from threading import Lock
from typing import Any, Final

import numpy as np
import psycopg
from numpy.typing import NDArray

from recall_core.adapters.postgres.rows import Record
from recall_core.errors import StoreError
from recall_core.retrieval.bm25 import Collection, Ranking, score
from recall_core.retrieval.postings import Postings, unpack
from recall_core.retrieval.words import fold

_MOST_KEPT: Final = 4


class Lengths:
    """The lengths of the chunks of some generations, kept for the next search. Safe to share between threads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str, str], NDArray[np.int32]] = OrderedDict()
        self._lock = Lock()

    def get(self, record: Record) -> NDArray[np.int32] | None:
        """The lengths by chunk number, if they are here."""
        key = _key(record)
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def put(self, record: Record, lengths: NDArray[np.int32]) -> None:
        """Keep the lengths of a generation, and let go of those that were not asked for the longest."""
        with self._lock:
            self._kept[_key(record)] = lengths
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)


def _key(record: Record) -> tuple[str, str, str]:
    # Forgetting a memo changes the fingerprint, and with it the lengths.
    return record.generation.tenant, record.generation.id, record.generation.corpus_fingerprint


def ask_lengths(connection: psycopg.Connection, record: Record) -> "psycopg.Cursor[Any]":
    """The rows for `read_lengths`."""
    cursor = connection.cursor(binary=True)
    return cursor.execute(
        "SELECT d.segment, d.lengths FROM recall.document_length d"
        " WHERE d.tenant_id = %s AND d.generation_id = %s ORDER BY d.segment",
        [record.generation.tenant, record.generation.id],
    )


def read_lengths(record: Record, rows: Sequence[Sequence[Any]]) -> NDArray[np.int32]:
    """The lengths by chunk number. Raises StoreError where the generation was dropped while it was being read."""
    if not rows and record.generation.chunks:
        raise StoreError(
            f"the rows of the generation {record.generation.id} are gone", help="it was retired just now: search again"
        )
    return np.frombuffer(b"".join(row[1] for row in rows), dtype=">i4").astype(np.int32)


def ask_postings(connection: psycopg.Connection, record: Record, text: str) -> "psycopg.Cursor[Any]":
    """The rows for `rank`: the postings of every lexeme that the server sees in a text."""
    cursor = connection.cursor(binary=True)
    return cursor.execute(
        "SELECT p.lexeme, p.numbers, p.counts FROM recall.posting p"
        " WHERE p.tenant_id = %s AND p.generation_id = %s"
        " AND p.lexeme = ANY(tsvector_to_array(to_tsvector(%s::regconfig, %s)))",
        [record.generation.tenant, record.generation.id, record.generation.pipeline.text_search, fold(text)],
    )


def ask_lexemes(connection: psycopg.Connection, record: Record, text: str) -> "psycopg.Cursor[Any]":
    """One row with every lexeme that the server sees in a text, whether a chunk holds it or not."""
    return connection.execute(
        "SELECT tsvector_to_array(to_tsvector(%s::regconfig, %s))", [record.generation.pipeline.text_search, text]
    )


def read_postings(rows: Iterable[Sequence[Any]]) -> dict[str, list[Postings]]:
    """By lexeme what each segment holds of it, from the rows of `ask_postings`."""
    postings: defaultdict[str, list[Postings]] = defaultdict(list)
    for lexeme, numbers, counts in rows:
        postings[lexeme].append(unpack(numbers, counts))
    return dict(postings)


def rank(
    record: Record,
    postings: Mapping[str, Sequence[Postings]],
    lengths: NDArray[np.int32],
    *,
    depth: int,
    allowed: NDArray[np.bool_] | None,
) -> Ranking:
    """The best chunks by BM25."""
    frequencies = {lexeme: sum(len(part.numbers) for part in parts) for lexeme, parts in postings.items()}
    chunks = record.generation.chunks
    collection = Collection(lengths, chunks, record.terms / chunks if chunks else 0.0)
    return score(postings, frequencies, collection, depth=depth, allowed=allowed)
