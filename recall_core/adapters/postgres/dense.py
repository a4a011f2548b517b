"""The dense leg: the chunks whose vectors are nearest, by an exact scan or by the approximate index."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import psycopg

from recall_core.adapters.postgres.rows import EXACT_ROWS, Record
from recall_core.retrieval.bm25 import Ranking

SEARCH_WIDTH: Final = 200
"""`hnsw.ef_search` at least; more where more rows are asked for."""

_WIDEST: Final = 1000
_SETTINGS: Final = (
    "SELECT set_config('hnsw.ef_search', %s, true), set_config('hnsw.iterative_scan', 'strict_order', true),"
    " set_config('hnsw.max_scan_tuples', '200000', true), set_config('enable_sort', 'off', true)"
)


def is_exact(record: Record, allowed: Sequence[int] | None) -> bool:
    """Whether every vector in question is looked at: there is no index, or few are in question."""
    return not record.is_indexed or (allowed is not None and len(allowed) <= EXACT_ROWS)


def ask_settings(connection: psycopg.Connection, depth: int) -> None:
    """Set what an approximate scan needs, for this transaction.

    Without the iterative scan a filtered search would give too few rows and say nothing. The planner overrates the cost
    of the index, and would now and then sort everything instead.
    """
    connection.execute(_SETTINGS, [str(min(max(SEARCH_WIDTH, depth), _WIDEST))])


def ask_nearest(
    connection: psycopg.Connection,
    record: Record,
    vector: str,
    *,
    depth: int,
    allowed: Sequence[int] | None,
    exact: bool,
) -> "psycopg.Cursor[Any]":
    """The rows for `rank_nearest`: number and negative inner product, which for unit vectors is that of the cosine."""
    generation = record.generation
    width = generation.pipeline.dimension
    order = "e.embedding <#> %(v)s::vector" if exact else f"e.embedding::halfvec({width}) <#> %(v)s::halfvec({width})"
    among = " AND e.number = ANY(%(allowed)s)" if allowed is not None else ""
    return connection.execute(
        f"SELECT e.number, e.embedding <#> %(v)s::vector FROM recall.embedding e"
        f" WHERE e.tenant_id = %(tenant)s AND e.generation_id = %(generation)s{among}"
        f" ORDER BY {order} LIMIT %(depth)s",
        {
            "v": vector,
            "tenant": generation.tenant,
            "generation": generation.id,
            "allowed": None if allowed is None else list(allowed),
            "depth": depth,
        },
    )


def rank_nearest(rows: Sequence[Sequence[Any]]) -> Ranking:
    """The ranking of the rows of `ask_nearest`, by true cosine, ties by chunk number."""
    ordered = sorted((float(distance), number) for number, distance in rows)
    return Ranking(
        np.array([number for _, number in ordered], dtype=np.int32),
        np.array([-distance for distance, _ in ordered], dtype=np.float64),
    )
