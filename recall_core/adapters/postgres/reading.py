"""Statements that several parts of the store read with."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import psycopg

from recall_core.adapters.postgres.rows import GENERATION, MEMO, Record, read_generation, read_memo, utc
from recall_core.generation.stored import StoredMemo, Successor

_TERMINAL = "t.path, t.terminal, t.steps, t.asserted_at"


def find_generation(connection: psycopg.Connection, tenant: str, generation: str) -> Record | None:
    """One generation of a tenant by its id."""
    row = ask_generation(connection, tenant, generation).fetchone()
    return None if row is None else read_generation(row)


def ask_generation(connection: psycopg.Connection, tenant: str, generation: str) -> "psycopg.Cursor[Any]":
    """The row for `read_generation`, of one generation by its id; fit for a pipeline."""
    return connection.execute(
        f"SELECT {GENERATION} FROM recall.generation g WHERE g.tenant_id = %s AND g.id = %s", [tenant, generation]
    )


def list_generations(connection: psycopg.Connection, tenant: str) -> list[Record]:
    """All generations of a tenant, the newest first."""
    rows = connection.execute(
        f"SELECT {GENERATION} FROM recall.generation g WHERE g.tenant_id = %s ORDER BY g.created_at DESC, g.id DESC",
        [tenant],
    ).fetchall()
    return [read_generation(row) for row in rows]


def list_memos(connection: psycopg.Connection, tenant: str, generation: str) -> list[StoredMemo]:
    """Every memo of a generation, by path."""
    memos = connection.execute(
        f"SELECT {MEMO} FROM recall.memo m WHERE m.tenant_id = %s AND m.generation_id = %s", [tenant, generation]
    ).fetchall()
    terminals = connection.execute(
        f"SELECT {_TERMINAL} FROM recall.terminal t WHERE t.tenant_id = %s AND t.generation_id = %s"
        " ORDER BY t.path, t.position",
        [tenant, generation],
    ).fetchall()
    found = join_successors(memos, terminals)
    return [found[path] for path in sorted(found)]


def find_memos(
    connection: psycopg.Connection, tenant: str, generation: str, paths: Iterable[str]
) -> tuple["psycopg.Cursor[Any]", "psycopg.Cursor[Any]"]:
    """The cursors of the memos at some paths and of their terminals, for `join_successors`; fit for a pipeline."""
    wanted = list(paths)
    return (
        connection.execute(
            f"SELECT {MEMO} FROM recall.memo m WHERE m.tenant_id = %s AND m.generation_id = %s AND m.path = ANY(%s)",
            [tenant, generation, wanted],
        ),
        connection.execute(
            f"SELECT {_TERMINAL} FROM recall.terminal t"
            " WHERE t.tenant_id = %s AND t.generation_id = %s AND t.path = ANY(%s) ORDER BY t.path, t.position",
            [tenant, generation, wanted],
        ),
    )


def join_successors(memos: Iterable[Sequence[Any]], terminals: Iterable[Sequence[Any]]) -> dict[str, StoredMemo]:
    """By path, memos with what replaced each, from the rows of both."""
    successors: defaultdict[str, list[Successor]] = defaultdict(list)
    for path, terminal, steps, asserted_at in terminals:
        successors[path].append(Successor(terminal, tuple(steps), None if asserted_at is None else utc(asserted_at)))
    return {row[0]: read_memo(row, successors.get(row[0], ())) for row in memos}
