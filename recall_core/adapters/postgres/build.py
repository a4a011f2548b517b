"""A generation in the making: rows by binary COPY, then postings, terminals and indexes, then one short last step."""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType

import numpy as np
import psycopg
from pgvector.psycopg import register_vector

from recall_core.adapters.postgres.erase import erase, find_barred, read_fingerprint
from recall_core.adapters.postgres.events import write_event
from recall_core.adapters.postgres.load import Loader
from recall_core.adapters.postgres.postings import write_postings
from recall_core.adapters.postgres.reading import find_generation
from recall_core.adapters.postgres.rows import EXACT_ROWS, SEGMENT, Record, read_vector
from recall_core.adapters.postgres.session import Session, bind
from recall_core.adapters.postgres.terminals import write_terminals
from recall_core.errors import ConflictError, StoreError
from recall_core.generation.digest import digest
from recall_core.generation.manifest import Source, combine_fingerprint
from recall_core.ports.embedder import Vectors
from recall_core.ports.store import BuildPlan, Generation, MemoRow

_INDEX_MEMORY = "2GB"


_KNOWN_VECTORS = """
SELECT m.content_hash, m.path, v.sent FROM recall.memo m CROSS JOIN LATERAL (
  SELECT e.number, vector_send(e.embedding) AS sent FROM recall.embedding e
  WHERE e.tenant_id = %(tenant)s AND e.generation_id = %(donor)s
    AND e.number >= m.first_chunk AND e.number < m.first_chunk + m.chunks
  ORDER BY e.number OFFSET 0) v
WHERE m.tenant_id = %(tenant)s AND m.generation_id = %(donor)s AND m.content_hash = ANY(%(wanted)s)
ORDER BY m.content_hash, m.path, v.number
"""


class PostgresBuild:
    """See `Build`. `donors` are the generations whose vectors may be taken over, the newest first."""

    def __init__(
        self,
        session: Session,
        connection: psycopg.Connection,
        tenant: str,
        record: Record,
        *,
        donors: Sequence[str],
        plan: BuildPlan,
    ) -> None:
        self._session = session
        self._connection = connection
        self._tenant = tenant
        self._record = record
        self._donors = list(donors)
        self._plan = plan
        self._next = 0
        self._sources: list[Source] = []
        self._refused: list[str] = []
        self._forgotten: list[str] = []
        self._memos = 0
        self._segments = 0
        self._writer = ThreadPoolExecutor(1, "recall-writer")
        self._pending: Future[None] | None = None
        with self._transaction():
            self._loader = Loader(connection, tenant, self.id, plan.pipeline)
        register_vector(connection)
        connection.commit()

    @property
    def id(self) -> str:
        """The id that the generation will have."""
        return self._record.generation.id

    def known_vectors(self, content_hashes: Iterable[str]) -> Mapping[str, Vectors]:
        """By content hash, the vectors of memos that a complete generation with this pipeline already holds."""
        wanted = list(dict.fromkeys(content_hashes))
        found: dict[str, Vectors] = {}
        for donor in self._donors:
            if not wanted:
                break
            with self._session.transaction(self._tenant) as connection, connection.cursor(binary=True) as cursor:
                rows = cursor.execute(_KNOWN_VECTORS, {"tenant": self._tenant, "donor": donor, "wanted": wanted})
                by_memo: dict[tuple[str, str], list[bytes]] = {}
                for content_hash, path, sent in rows:
                    by_memo.setdefault((content_hash, path), []).append(sent)
            for (content_hash, _), vectors in by_memo.items():
                found.setdefault(content_hash, np.stack([read_vector(each) for each in vectors]))
            wanted = [each for each in wanted if each not in found]
        return found

    def add(self, rows: Sequence[MemoRow]) -> None:
        """Store some memos. What a tombstone bars is left out.

        The server works on them while the caller makes the next ones: what goes wrong is raised by the next call.
        """
        self._wait()
        self._pending = self._writer.submit(self._add, rows)

    def _wait(self) -> None:
        pending, self._pending = self._pending, None
        if pending is not None:
            pending.result()

    def _add(self, rows: Sequence[MemoRow]) -> None:
        with self._transaction():
            barred = self._find_barred(rows)
            kept: list[tuple[int, MemoRow]] = []
            number = self._next
            for row in rows:
                self._sources.append(Source(row.memo.path, row.content_hash))
                if row.memo.path in barred[0] or row.content_hash in barred[1]:
                    self._forgotten.append(digest([row.memo.path, row.content_hash]))
                    continue
                self._check(row)
                kept.append((number, row))
                number += len(row.chunks)
                if row.refused:
                    self._refused.append(row.memo.path)
            self._loader.load(kept)
            self._memos += len(kept)
        self._next = number
        while (self._segments + 1) * SEGMENT <= self._next:
            self._write_segment()

    def _write_segment(self) -> None:
        """Make the postings of the next segment: of one that is full while later memos are still to come."""
        with self._transaction():
            write_postings(self._connection, self._tenant, self.id, self._segments, self._next)
        self._segments += 1

    def finish(self) -> Generation:
        """Make the postings, the terminals and the indexes, validate, and give the generation, which is ready."""
        self._wait()
        identity = [self._tenant, self.id]
        with self._transaction():
            self._set_state("validating")
            write_terminals(self._connection, *identity)
        if self._segments * SEGMENT < self._next:
            self._write_segment()
        with self._transaction():
            approximate = self._plan.is_fused and self._next > EXACT_ROWS
            self._connection.execute("SELECT set_config('maintenance_work_mem', %s, true)", [_INDEX_MEMORY])
            self._connection.execute("SELECT recall.index_partitions(%s, %s)", [self.id, approximate])
        with self._transaction():
            return self._make_ready(is_indexed=approximate and self._plan.pipeline.dimension > 0)

    def fail(self) -> None:
        """Mark the generation failed and drop its rows."""
        self._writer.shutdown(wait=True)
        if not self._connection.closed:
            self._connection.rollback()
        with self._session.transaction(self._tenant) as connection:
            drop_failed(connection, self._tenant, self.id)

    def _transaction(self) -> "_Transaction":
        return _Transaction(self._connection, self._tenant)

    def _find_barred(self, rows: Sequence[MemoRow]) -> tuple[set[str], set[str]]:
        found = self._connection.execute(
            "SELECT t.path, t.content_hash FROM recall.tombstone t"
            " WHERE t.tenant_id = %s AND (t.path = ANY(%s) OR t.content_hash = ANY(%s))",
            [self._tenant, [row.memo.path for row in rows], [row.content_hash for row in rows]],
        ).fetchall()
        return {path for path, _ in found}, {content_hash for _, content_hash in found}

    def _check(self, row: MemoRow) -> None:
        width = self._plan.pipeline.dimension
        if width and row.vectors.shape != (len(row.chunks), width):
            raise StoreError(
                f"{row.memo.path} has {len(row.chunks)} chunks of {width} numbers, and vectors of the shape"
                f" {row.vectors.shape}"
            )

    def _make_ready(self, *, is_indexed: bool) -> Generation:
        """The last step, with the tenant locked: nothing is forgotten between looking and being ready."""
        connection, identity = self._connection, [self._tenant, self.id]
        root = connection.execute(
            "SELECT t.root FROM recall.tenant t WHERE t.tenant_id = %s FOR UPDATE", [self._tenant]
        ).fetchone()
        demand_root(self._tenant, root[0] if root else None, self._plan.root)
        connection.execute("UPDATE recall.tenant SET root = %s WHERE tenant_id = %s", [self._plan.root, self._tenant])
        self._validate()
        connection.execute(
            "UPDATE recall.generation SET state = 'ready', memos = %s, chunks = %s, is_indexed = %s, refused = %s,"
            " forgotten = %s, manifest_fingerprint = %s, corpus_fingerprint = %s WHERE tenant_id = %s AND id = %s",
            [
                self._memos,
                self._next,
                is_indexed,
                sorted(self._refused),
                self._forgotten,
                combine_fingerprint(self._sources, ()),
                read_fingerprint(connection, identity, self._forgotten),
                *identity,
            ],
        )
        if barred := find_barred(connection, *identity):
            erase(connection, self._read(), barred)
        record = self._read()
        write_event(
            connection,
            self._tenant,
            actor=self._plan.actor,
            action="build",
            generation=self.id,
            detail={"memos": record.generation.memos, "chunks": record.generation.chunks},
        )
        return record.generation

    def _validate(self) -> None:
        identity = {"tenant": self._tenant, "id": self.id}
        row = self._connection.execute(
            "SELECT"
            " (SELECT count(*) FROM recall.memo m WHERE m.tenant_id = %(tenant)s AND m.generation_id = %(id)s),"
            " (SELECT count(*) FROM recall.chunk c WHERE c.tenant_id = %(tenant)s AND c.generation_id = %(id)s),"
            " (SELECT count(*) FROM recall.embedding e WHERE e.tenant_id = %(tenant)s AND e.generation_id = %(id)s)",
            identity,
        ).fetchone()
        vectors = self._next if self._plan.pipeline.dimension else 0
        if row != (self._memos, self._next, vectors):
            raise StoreError(
                f"{self._memos} memos, {self._next} chunks and {vectors} vectors were sent, and the server has {row}",
                help="somebody else wrote to this generation: index again",
            )

    def _read(self) -> Record:
        record = find_generation(self._connection, self._tenant, self.id)
        if record is None:
            raise StoreError(f"the generation {self.id} is gone", help="index again")
        return record

    def _set_state(self, state: str) -> None:
        changed = self._connection.execute(
            "UPDATE recall.generation SET state = %s WHERE tenant_id = %s AND id = %s"
            " AND state IN ('building', 'validating')",
            [state, self._tenant, self.id],
        )
        if changed.rowcount != 1:
            raise ConflictError(f"the generation {self.id} was given up by somebody else", help="index again")


class _Transaction:
    """A transaction of the writer's own connection, bound to its tenant."""

    def __init__(self, connection: psycopg.Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant

    def __enter__(self) -> None:
        bind(self._connection, self._tenant, statement_seconds=0)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._connection.commit()
        elif not self._connection.closed:
            self._connection.rollback()


def drop_failed(connection: psycopg.Connection, tenant: str, generation: str) -> None:
    """Mark an unfinished generation failed and drop its rows."""
    changed = connection.execute(
        "UPDATE recall.generation SET state = 'failed', has_rows = false WHERE tenant_id = %s AND id = %s"
        " AND state IN ('building', 'validating')",
        [tenant, generation],
    )
    if changed.rowcount:
        connection.execute("SELECT recall.drop_partitions(%s)", [generation])


def demand_root(tenant: str, bound: str | None, root: str) -> None:
    """Raise ConflictError where a tenant already holds the corpus of another root."""
    if bound is not None and bound != root:
        raise ConflictError(
            f"the tenant {tenant} holds {bound}, and {root} is another corpus",
            help="choose another with --tenant NAME",
        )
