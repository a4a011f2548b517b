"""Rows into the tables: by binary COPY into temporary ones, since COPY goes past row-level security, and from there."""

from collections.abc import Sequence

import psycopg

from recall_core.adapters.postgres.rows import encode_memo
from recall_core.generation.pipeline import Pipeline
from recall_core.ports.store import MemoRow
from recall_core.retrieval.words import fold

_NEW_TABLES = """
CREATE TEMPORARY TABLE new_memo (path text, content_hash text, recorded timestamptz, refused text, first_chunk int,
  chunks int, memo text) ON COMMIT DELETE ROWS;
CREATE TEMPORARY TABLE new_chunk (number int, path text, ordinal int, body text, heading text, line int, end_line int,
  words text) ON COMMIT DELETE ROWS;
CREATE TEMPORARY TABLE new_embedding (number int, embedding vector) ON COMMIT DELETE ROWS;
"""


class Loader:
    """Loads memos into one generation, in the transaction of a connection."""

    def __init__(self, connection: psycopg.Connection, tenant: str, generation: str, pipeline: Pipeline) -> None:
        self._connection = connection
        self._tenant = tenant
        self._id = generation
        self._pipeline = pipeline
        connection.execute(_NEW_TABLES)

    def load(self, numbered: Sequence[tuple[int, MemoRow]]) -> None:
        """Store memos with their chunks and vectors. Each comes with the number of its first chunk."""
        self._copy_memos(numbered)
        self._copy_chunks(numbered)
        if self._pipeline.dimension:
            self._copy_vectors(numbered)

    def _copy_memos(self, numbered: Sequence[tuple[int, MemoRow]]) -> None:
        with (
            self._connection.cursor() as cursor,
            cursor.copy("COPY pg_temp.new_memo FROM STDIN (FORMAT binary)") as copy,
        ):
            copy.set_types(["text", "text", "timestamptz", "text", "int4", "int4", "text"])
            for first, row in numbered:
                copy.write_row(
                    (
                        row.memo.path,
                        row.content_hash,
                        row.recorded,
                        row.refused,
                        first,
                        len(row.chunks),
                        encode_memo(row.memo),
                    )
                )
        # A memo keeps the first time that it was ever recorded at, in whatever generation is still there.
        self._connection.execute(
            "INSERT INTO recall.memo (tenant_id, generation_id, path, content_hash, recorded, refused, first_chunk,"
            " chunks, memo)"
            " SELECT %(tenant)s, %(id)s, n.path, n.content_hash, least(n.recorded, o.recorded), n.refused,"
            " n.first_chunk, n.chunks, n.memo FROM pg_temp.new_memo n LEFT JOIN ("
            "  SELECT m.path, min(m.recorded) AS recorded FROM recall.memo m"
            "  WHERE m.tenant_id = %(tenant)s AND m.generation_id = ANY(%(complete)s)"
            "   AND m.path IN (SELECT p.path FROM pg_temp.new_memo p) GROUP BY m.path) o ON o.path = n.path",
            {"tenant": self._tenant, "id": self._id, "complete": self._list_complete()},
        )

    def _list_complete(self) -> list[str]:
        rows = self._connection.execute(
            "SELECT g.id FROM recall.generation g WHERE g.tenant_id = %s AND g.has_rows"
            " AND g.state IN ('ready', 'active', 'retired')",
            [self._tenant],
        ).fetchall()
        return [row[0] for row in rows]

    def _copy_chunks(self, numbered: Sequence[tuple[int, MemoRow]]) -> None:
        with (
            self._connection.cursor() as cursor,
            cursor.copy("COPY pg_temp.new_chunk FROM STDIN (FORMAT binary)") as copy,
        ):
            copy.set_types(["int4", "text", "int4", "text", "text", "int4", "int4", "text"])
            for first, row in numbered:
                for number, chunk in enumerate(row.chunks, start=first):
                    copy.write_row(
                        (
                            number,
                            row.memo.path,
                            chunk.ordinal,
                            chunk.text,
                            chunk.heading,
                            chunk.line,
                            chunk.end_line,
                            fold(chunk.passage),
                        )
                    )
        self._connection.execute(
            "INSERT INTO recall.chunk (tenant_id, generation_id, number, path, ordinal, body, heading, line, end_line,"
            " lexemes)"
            " SELECT %s, %s, n.number, n.path, n.ordinal, n.body, n.heading, n.line, n.end_line,"
            " to_tsvector(%s::regconfig, n.words) FROM pg_temp.new_chunk n",
            [self._tenant, self._id, self._pipeline.text_search],
        )

    def _copy_vectors(self, numbered: Sequence[tuple[int, MemoRow]]) -> None:
        with (
            self._connection.cursor() as cursor,
            cursor.copy("COPY pg_temp.new_embedding FROM STDIN (FORMAT binary)") as copy,
        ):
            copy.set_types(["int4", "vector"])
            for first, row in numbered:
                for number, vector in enumerate(row.vectors, start=first):
                    copy.write_row((number, vector))
        self._connection.execute(
            "INSERT INTO recall.embedding (tenant_id, generation_id, number, embedding)"
            " SELECT %s, %s, n.number, n.embedding FROM pg_temp.new_embedding n",
            [self._tenant, self._id],
        )
