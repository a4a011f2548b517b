"""Take memos out of one generation: rows, postings, lengths, terminals, counts and fingerprint."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import psycopg

from recall_core.adapters.postgres.rows import SEGMENT, Record
from recall_core.adapters.postgres.terminals import write_terminals
from recall_core.generation.digest import digest
from recall_core.generation.manifest import Source, combine_fingerprint
from recall_core.retrieval.postings import pack, unpack


@dataclass(frozen=True, slots=True)
class Barred:
    """A memo of a generation that a tombstone bars. Its chunks are numbered from `first`."""

    path: str
    content_hash: str
    first: int
    chunks: int


def find_barred(connection: psycopg.Connection, tenant: str, generation: str) -> list[Barred]:
    """The memos of a generation whose path or content a tombstone bars, by path."""
    rows = connection.execute(
        "SELECT m.path, m.content_hash, m.first_chunk, m.chunks FROM recall.memo m"
        " WHERE m.tenant_id = %(tenant)s AND m.generation_id = %(generation)s AND ("
        "  m.path IN (SELECT t.path FROM recall.tombstone t WHERE t.tenant_id = %(tenant)s)"
        "  OR m.content_hash IN (SELECT t.content_hash FROM recall.tombstone t WHERE t.tenant_id = %(tenant)s))"
        " ORDER BY m.path",
        {"tenant": tenant, "generation": generation},
    ).fetchall()
    return [Barred(*row) for row in rows]


def erase(connection: psycopg.Connection, record: Record, barred: Sequence[Barred]) -> None:
    """Take memos out of a generation, as if it had been built without them, in the transaction of a connection."""
    generation = record.generation
    identity = [generation.tenant, generation.id]
    numbers = [number for each in barred for number in range(each.first, each.first + each.chunks)]
    terms = _erase_postings(connection, identity, numbers)
    for table in ("chunk", "embedding"):
        connection.execute(
            f"DELETE FROM recall.{table} WHERE tenant_id = %s AND generation_id = %s AND number = ANY(%s)",
            [*identity, numbers],
        )
    connection.execute(
        "DELETE FROM recall.memo WHERE tenant_id = %s AND generation_id = %s AND path = ANY(%s)",
        [*identity, [each.path for each in barred]],
    )
    write_terminals(connection, generation.tenant, generation.id)
    forgotten = [*record.forgotten, *(digest([each.path, each.content_hash]) for each in barred)]
    gone = {each.path for each in barred}
    connection.execute(
        "UPDATE recall.generation SET memos = memos - %s, chunks = chunks - %s, terms = terms - %s, forgotten = %s,"
        " refused = %s, corpus_fingerprint = %s WHERE tenant_id = %s AND id = %s",
        [
            len(barred),
            len(numbers),
            terms,
            forgotten,
            [path for path in generation.refused if path not in gone],
            read_fingerprint(connection, identity, forgotten),
            *identity,
        ],
    )


def read_fingerprint(connection: psycopg.Connection, identity: Sequence[str], forgotten: Sequence[str]) -> str:
    """The effective corpus fingerprint of a generation as it stands in the tables."""
    rows = connection.execute(
        "SELECT m.path, m.content_hash FROM recall.memo m WHERE m.tenant_id = %s AND m.generation_id = %s",
        list(identity),
    ).fetchall()
    return combine_fingerprint((Source(*row) for row in rows), forgotten)


def _erase_postings(connection: psycopg.Connection, identity: Sequence[str], numbers: Sequence[int]) -> int:
    """Take chunks out of the postings and lengths; how many lexemes they had together."""
    held: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    for number, lexemes in connection.execute(
        "SELECT c.number, tsvector_to_array(c.lexemes) FROM recall.chunk c"
        " WHERE c.tenant_id = %s AND c.generation_id = %s AND c.number = ANY(%s)",
        [*identity, list(numbers)],
    ):
        for lexeme in lexemes:
            held[lexeme, number // SEGMENT].append(number)
    with connection.cursor(binary=True) as cursor:
        for (lexeme, segment), gone in held.items():
            key = [*identity, lexeme, segment]
            where = "WHERE tenant_id = %s AND generation_id = %s AND lexeme = %s AND segment = %s"
            row = cursor.execute(f"SELECT numbers, counts FROM recall.posting {where}", key).fetchone()
            if row is None:
                continue
            packed = pack(unpack(*row).without(np.array(gone, dtype=np.int32)))
            if packed.counts:
                cursor.execute(
                    f"UPDATE recall.posting SET numbers = %s, counts = %s {where}",
                    [packed.numbers, packed.counts, *key],
                )
            else:
                cursor.execute(f"DELETE FROM recall.posting {where}", key)
        return _erase_lengths(cursor, identity, numbers)


def _erase_lengths(cursor: psycopg.Cursor, identity: Sequence[str], numbers: Sequence[int]) -> int:
    terms = 0
    for segment in sorted({number // SEGMENT for number in numbers}):
        where = "WHERE tenant_id = %s AND generation_id = %s AND segment = %s"
        key = [*identity, segment]
        row = cursor.execute(f"SELECT lengths FROM recall.document_length {where}", key).fetchone()
        if row is None:
            continue
        lengths = np.frombuffer(row[0], dtype=">i4").copy()
        places = [number - segment * SEGMENT for number in numbers if number // SEGMENT == segment]
        terms += int(lengths[places].sum())
        lengths[places] = 0
        cursor.execute(f"UPDATE recall.document_length SET lengths = %s {where}", [lengths.tobytes(), *key])
    return terms
