"""Forgetting: memos leave every generation, and their paths and contents are barred from coming back."""

from collections.abc import Sequence

import psycopg

from recall_core.adapters.postgres.erase import erase, find_barred
from recall_core.adapters.postgres.events import write_event
from recall_core.adapters.postgres.reading import list_generations
from recall_core.ports.store import Forgotten


def forget(
    connection: psycopg.Connection, tenant: str, paths: Sequence[str], *, actor: str, dry_run: bool
) -> Forgotten:
    """Take memos out of every generation, with all that have the same content, in the transaction of a connection."""
    connection.execute("SELECT 1 FROM recall.tenant t WHERE t.tenant_id = %s FOR UPDATE", [tenant])
    wanted = list(dict.fromkeys(paths))
    complete = [record for record in list_generations(connection, tenant) if record.is_complete]
    ids = [record.generation.id for record in complete]
    named = connection.execute(
        "SELECT DISTINCT m.path, m.content_hash FROM recall.memo m"
        " WHERE m.tenant_id = %s AND m.generation_id = ANY(%s) AND m.path = ANY(%s)",
        [tenant, ids, wanted],
    ).fetchall()
    rows = connection.execute(
        "SELECT m.generation_id, m.path, m.chunks FROM recall.memo m"
        " WHERE m.tenant_id = %s AND m.generation_id = ANY(%s) AND (m.path = ANY(%s) OR m.content_hash = ANY(%s))",
        [tenant, ids, wanted, [content_hash for _, content_hash in named]],
    ).fetchall()
    barred_before = connection.execute(
        "SELECT DISTINCT t.path FROM recall.tombstone t WHERE t.tenant_id = %s AND t.path = ANY(%s)", [tenant, wanted]
    ).fetchall()
    known = {path for path, _ in named} | {path for (path,) in barred_before}
    affected = {generation for generation, _, _ in rows}
    result = Forgotten(
        paths=tuple(sorted({path for _, path, _ in rows})),
        unknown=tuple(path for path in wanted if path not in known),
        chunks=sum(chunks for _, _, chunks in rows),
        generations=tuple(each for each in ids if each in affected),
    )
    if dry_run or not named:
        return result
    connection.cursor().executemany(
        "INSERT INTO recall.tombstone (tenant_id, path, content_hash, actor) VALUES (%s, %s, %s, %s)"
        " ON CONFLICT DO NOTHING",
        [[tenant, path, content_hash, actor] for path, content_hash in named],
    )
    for record in complete:
        if record.generation.id in affected:
            erase(connection, record, find_barred(connection, tenant, record.generation.id))
    write_event(
        connection,
        tenant,
        actor=actor,
        action="forget",
        generation=None,
        detail={"memos": len(result.paths), "chunks": result.chunks, "generations": list(result.generations)},
    )
    return result
