"""One instant of one generation: all that one search reads."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import numpy as np
import psycopg
from numpy.typing import NDArray

from recall_core.adapters.postgres.dense import ask_nearest, ask_settings, is_exact, rank_nearest
from recall_core.adapters.postgres.lexical import (
    Lengths,
    ask_lengths,
    ask_lexemes,
    ask_postings,
    rank,
    read_lengths,
    read_postings,
)
from recall_core.adapters.postgres.reading import find_memos, join_successors
from recall_core.adapters.postgres.rows import CHUNK, MEMO, Record, read_chunk, write_vector
from recall_core.adapters.postgres.standing import Standing
from recall_core.calibration.observe import observe
from recall_core.calibration.signals import Observation
from recall_core.calibration.status import Record as CalibrationRecord
from recall_core.errors import StoreError, UsageError
from recall_core.generation.stored import StoredMemo
from recall_core.ports.embedder import Vectors
from recall_core.ports.store import MOST_ROWS, Answer, Generation, Query, Retrieved
from recall_core.retrieval.bm25 import Ranking
from recall_core.retrieval.fuse import Fused, fuse

_Legs = tuple[Ranking, Ranking, Observation | None]

_EMPTY: Final = Ranking(np.empty(0, np.int32), np.empty(0, np.float64))

_NO_SUCH_SETTING: Final = (
    psycopg.errors.UndefinedObject,
    psycopg.errors.InvalidParameterValue,
    psycopg.errors.InvalidName,
)

_BEST_CHUNKS: Final = (
    f"SELECT {CHUNK}, b.cosine FROM recall.memo m CROSS JOIN LATERAL ("
    "  SELECT e.number, -(e.embedding <#> %(v)s::vector) AS cosine FROM recall.embedding e"
    "  WHERE e.tenant_id = %(tenant)s AND e.generation_id = %(generation)s"
    "   AND e.number >= m.first_chunk AND e.number < m.first_chunk + m.chunks"
    "  ORDER BY e.embedding <#> %(v)s::vector, e.number LIMIT 1) b"
    " JOIN recall.chunk c ON c.tenant_id = m.tenant_id AND c.generation_id = m.generation_id AND c.number = b.number"
    " WHERE m.tenant_id = %(tenant)s AND m.generation_id = %(generation)s AND m.path = ANY({paths})"
)
_PATHS_OF_HITS: Final = (
    "ARRAY(SELECT h.path FROM recall.chunk h"
    " WHERE h.tenant_id = %(tenant)s AND h.generation_id = %(generation)s AND h.number = ANY(%(numbers)s))"
)
_TERMINALS_OF_HITS: Final = (
    "ARRAY(SELECT t.terminal FROM recall.terminal t"
    f" WHERE t.tenant_id = %(tenant)s AND t.generation_id = %(generation)s AND t.path = ANY({_PATHS_OF_HITS}))"
)


class PostgresSnapshot:
    """The state of one generation, in the read-only transaction of a connection."""

    def __init__(
        self,
        connection: psycopg.Connection,
        record: Record,
        lengths: Lengths,
        standing: Standing,
        notes: tuple[str, ...] = (),
    ) -> None:
        self._connection = connection
        self._record = record
        self._lengths = lengths
        self._standing = standing
        self._notes = list(notes)
        self._known: dict[str, StoredMemo] = {}
        self._best: dict[str, Retrieved] = {}
        self._best_for = ""

    @property
    def generation(self) -> Generation:
        """The generation that is pinned."""
        return self._record.generation

    def calibrations(self, known_at: datetime | None = None) -> Sequence[CalibrationRecord]:
        """What `resolve` decides by; see `Snapshot.calibrations`."""
        return self._standing.records(known_at)

    def search(self, query: Query) -> Answer:
        """Both legs in one round trip, what they found in a second one; see `Snapshot.search`."""
        _check(query, self.generation)
        vector = None if query.vector is None else write_vector(query.vector)
        depth = max(query.depth, query.limit)
        allowed = None if query.paths is None else self._number(query.paths)
        dense, lexical, observation = self._ask_legs(query, vector if query.is_fused else None, depth, allowed)
        legs = [dense.numbers, lexical.numbers] if query.is_fused and vector is not None else [lexical.numbers]
        best = fuse([leg.tolist() for leg in legs])[: query.limit]
        places = dict(zip(lexical.numbers.tolist(), lexical.scores.tolist(), strict=True))
        hits = self._fetch(best, vector, places, has_dense=len(legs) == 2)
        return Answer(self.generation, hits, tuple(dense.scores.tolist()), tuple(self._notes), observation)

    def memos(self, paths: Iterable[str]) -> Mapping[str, StoredMemo]:
        """The memos at some paths, by path; unknown ones are left out."""
        wanted = set(paths)
        if missing := wanted - self._known.keys():
            with self._connection.pipeline():
                memos, terminals = find_memos(self._connection, self.generation.tenant, self.generation.id, missing)
            self._known |= join_successors(memos.fetchall(), terminals.fetchall())
        return {path: self._known[path] for path in sorted(wanted & self._known.keys())}

    def best_chunks(self, paths: Iterable[str], vector: Vectors) -> Mapping[str, Retrieved]:
        """For each path the chunk with the highest cosine; those of a hit's successors came with the search."""
        wanted = set(paths)
        written = write_vector(vector)
        if written != self._best_for:
            self._best, self._best_for = {}, written
        if missing := sorted(wanted - self._best.keys()):
            memos = self.memos(missing)
            rows = self._connection.execute(
                _BEST_CHUNKS.format(paths="%(paths)s"), {**self._identity, "v": written, "paths": missing}
            ).fetchall()
            self._keep_best(rows, memos)
        return {path: self._best[path] for path in sorted(wanted & self._best.keys())}

    @property
    def _identity(self) -> dict[str, Any]:
        return {"tenant": self.generation.tenant, "generation": self.generation.id}

    def _number(self, paths: Iterable[str]) -> NDArray[np.int32]:
        """The numbers of the chunks of some memos."""
        rows = self._connection.execute(
            "SELECT m.first_chunk, m.chunks FROM recall.memo m"
            " WHERE m.tenant_id = %(tenant)s AND m.generation_id = %(generation)s AND m.path = ANY(%(paths)s)",
            {**self._identity, "paths": list(paths)},
        ).fetchall()
        ranges = [np.arange(first, first + count, dtype=np.int32) for first, count in rows]
        return np.concatenate(ranges) if ranges else np.empty(0, np.int32)

    def _ask_legs(self, query: Query, vector: str | None, depth: int, allowed: NDArray[np.int32] | None) -> _Legs:
        numbers: list[int] | None = None if allowed is None else allowed.tolist()
        exact = is_exact(self._record, numbers)
        try:
            return self._run_legs(query, vector, depth, numbers, exact=exact)
        except _NO_SUCH_SETTING as error:
            if exact:
                raise
            said = str(error).partition("\n")[0]
            self._notes.append(f"the server does not have a setting of the approximate index ({said}): scanned exactly")
            return self._run_legs(query, vector, depth, numbers, exact=True)

    def _run_legs(
        self, query: Query, vector: str | None, depth: int, allowed: Sequence[int] | None, *, exact: bool
    ) -> _Legs:
        connection, record = self._connection, self._record
        lengths = self._lengths.get(record)
        asked_lengths: psycopg.Cursor[Any] | None = None
        nearest: psycopg.Cursor[Any] | None = None
        with connection.transaction(), connection.pipeline():
            if vector is not None and not exact:
                ask_settings(connection, depth)
            if vector is not None:
                nearest = ask_nearest(connection, record, vector, depth=depth, allowed=allowed, exact=exact)
            postings = ask_postings(connection, record, query.text)
            words = ask_lexemes(connection, record, query.text) if query.observes else None
            if lengths is None:
                asked_lengths = ask_lengths(connection, record)
        if asked_lengths is not None:
            lengths = read_lengths(record, asked_lengths.fetchall())
            self._lengths.put(record, lengths)
        dense = _EMPTY if nearest is None else rank_nearest(nearest.fetchall())
        in_question = self.generation.chunks if allowed is None else len(allowed)
        if nearest is not None and not exact and len(dense) < min(depth, in_question):
            rows = ask_nearest(connection, record, vector or "", depth=depth, allowed=allowed, exact=True).fetchall()
            dense = rank_nearest(rows)
        if lengths is None:
            raise StoreError("the server gave no lengths")
        mask: NDArray[np.bool_] | None = None
        if allowed is not None:
            mask = np.zeros(len(lengths), dtype=np.bool_)
            mask[np.asarray(allowed, dtype=np.int32)] = True
        held = read_postings(postings.fetchall())
        lexical = rank(record, held, lengths, depth=depth, allowed=mask)
        if words is None:
            return dense, lexical, None
        ((lexemes,),) = words.fetchall()
        return dense, lexical, observe(lexemes, held, self.generation.chunks, dense=dense, lexical=lexical)

    def _fetch(
        self, best: Sequence[Fused], vector: str | None, lexical: Mapping[int, float], *, has_dense: bool
    ) -> tuple[Retrieved, ...]:
        """The hits with their memos, true cosines and the best chunks of their successors, in one round trip."""
        if not best:
            return ()
        connection = self._connection
        asked = {**self._identity, "numbers": [each.number for each in best], "v": vector}
        cosine = "NULL" if vector is None else "-(e.embedding <#> %(v)s::vector)"
        join = (
            ""
            if vector is None
            else " LEFT JOIN recall.embedding e ON e.tenant_id = c.tenant_id"
            " AND e.generation_id = c.generation_id AND e.number = c.number"
        )
        successors: psycopg.Cursor[Any] | None = None
        with connection.pipeline():
            chunks = connection.execute(
                f"SELECT {CHUNK}, {cosine} FROM recall.chunk c{join} WHERE c.tenant_id = %(tenant)s"
                " AND c.generation_id = %(generation)s AND c.number = ANY(%(numbers)s)",
                asked,
            )
            paths = f"ANY({_PATHS_OF_HITS} || {_TERMINALS_OF_HITS})"
            memos = connection.execute(
                f"SELECT {MEMO} FROM recall.memo m"
                f" WHERE m.tenant_id = %(tenant)s AND m.generation_id = %(generation)s AND m.path = {paths}",
                asked,
            )
            terminals = connection.execute(
                "SELECT t.path, t.terminal, t.steps, t.asserted_at FROM recall.terminal t"
                f" WHERE t.tenant_id = %(tenant)s AND t.generation_id = %(generation)s AND t.path = {paths}"
                " ORDER BY t.path, t.position",
                asked,
            )
            if vector is not None:
                successors = connection.execute(_BEST_CHUNKS.format(paths=_TERMINALS_OF_HITS), asked)
        self._known |= join_successors(memos.fetchall(), terminals.fetchall())
        if successors is not None and vector is not None:
            self._best, self._best_for = {}, vector
            self._keep_best(successors.fetchall(), self._known)
        rows = {row[0]: row for row in chunks.fetchall()}
        if any(each.number not in rows or rows[each.number][1] not in self._known for each in best):
            raise StoreError(
                f"the rows of the generation {self.generation.id} do not belong together", help="index the corpus again"
            )
        return tuple(self._retrieve(rows[each.number], each, lexical, has_dense=has_dense) for each in best)

    def _retrieve(self, row: Sequence[Any], each: Fused, lexical: Mapping[int, float], *, has_dense: bool) -> Retrieved:
        return Retrieved(
            memo=self._known[row[1]],
            chunk=read_chunk(row),
            cosine=None if row[7] is None else float(row[7]),
            lexical=lexical.get(each.number),
            dense_rank=each.ranks[0] if has_dense else None,
            lexical_rank=each.ranks[-1],
            indexed_at=self.generation.created_at,
        )

    def _keep_best(self, rows: Iterable[Sequence[Any]], memos: Mapping[str, StoredMemo]) -> None:
        for row in rows:
            self._best[row[1]] = Retrieved(
                memos[row[1]], read_chunk(row), float(row[7]), None, None, None, self.generation.created_at
            )


def _check(query: Query, generation: Generation) -> None:
    if not 1 <= query.limit <= MOST_ROWS:
        raise UsageError(f"a search gives between 1 and {MOST_ROWS} rows, and {query.limit} were asked for")
    if query.vector is not None and query.vector.size != generation.pipeline.dimension:
        raise UsageError(
            f"the query's vector has {query.vector.size} numbers, and those of the generation {generation.id} have"
            f" {generation.pipeline.dimension}"
        )
