"""Terminals of a generation: resolved by the graph, once for the whole corpus, and stored."""

from typing import Final

import psycopg

from recall_core.adapters.postgres.rows import decode_memo, utc
from recall_core.generation.stored import resolve_memos

MOST_STEPS: Final = 1000
"""A longer walk is stored without its middle: the walks of a chain take room by the square of its length."""


def write_terminals(connection: psycopg.Connection, tenant: str, generation: str) -> None:
    """Resolve the memos of a generation and store what replaced each, in place of what was stored before."""
    rows = connection.execute(
        "SELECT m.memo, m.content_hash, m.recorded FROM recall.memo m WHERE m.tenant_id = %s AND m.generation_id = %s",
        [tenant, generation],
    ).fetchall()
    resolved = resolve_memos(
        (decode_memo(text), content_hash, None if recorded is None else utc(recorded))
        for text, content_hash, recorded in rows
    )
    identity = [tenant, generation]
    connection.execute("DELETE FROM recall.terminal WHERE tenant_id = %s AND generation_id = %s", identity)
    connection.execute(
        "UPDATE recall.memo SET ambiguous = path = ANY(%s)"
        " WHERE tenant_id = %s AND generation_id = %s AND ambiguous <> (path = ANY(%s))",
        [names := [each.memo.path for each in resolved if each.ambiguous], *identity, names],
    )
    connection.execute(
        "CREATE TEMPORARY TABLE IF NOT EXISTS new_terminal (path text, position int, terminal text, steps text[],"
        " asserted_at timestamptz) ON COMMIT DELETE ROWS"
    )
    connection.execute("DELETE FROM pg_temp.new_terminal")
    with (
        connection.cursor() as cursor,
        cursor.copy("COPY pg_temp.new_terminal FROM STDIN (FORMAT binary)") as copy,
    ):
        copy.set_types(["text", "int4", "text", "text[]", "timestamptz"])
        for each in resolved:
            for position, successor in enumerate(each.successors):
                copy.write_row(
                    (
                        each.memo.path,
                        position,
                        successor.path,
                        list(successor.first_steps(MOST_STEPS)),
                        successor.asserted_at,
                    )
                )
    connection.execute(
        "INSERT INTO recall.terminal (tenant_id, generation_id, path, position, terminal, steps, asserted_at)"
        " SELECT %s, %s, n.path, n.position, n.terminal, n.steps, n.asserted_at FROM pg_temp.new_terminal n",
        identity,
    )
