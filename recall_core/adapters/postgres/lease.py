"""The one writer of a tenant. The lock goes with the connection that holds it; the lease says who that is."""

import os
import platform

import psycopg

from recall_core.adapters.postgres.session import bind
from recall_core.errors import ConflictError

_LOCK = "hashtextextended('recall build ' || %s, 0)"


def take_lease(connection: psycopg.Connection, tenant: str, generation: str, actor: str) -> str | None:
    """Become the writer, until the connection closes; gives the generation that a dead writer left unfinished.

    Raises ConflictError where somebody else is building, and names who.
    """
    row = connection.execute(f"SELECT pg_try_advisory_lock({_LOCK})", [tenant]).fetchone()
    held = connection.execute(
        "SELECT l.holder, l.generation_id, to_char(l.taken_at, 'HH24:MI') FROM recall.build_lease l"
        " WHERE l.tenant_id = %s",
        [tenant],
    ).fetchone()
    if row is None or not row[0]:
        who = f"{held[0]} since {held[2]} UTC" if held else "somebody"
        raise ConflictError(
            f"the tenant {tenant} is being indexed by {who}", help="wait until that is done, or stop it"
        )
    connection.execute(
        "INSERT INTO recall.build_lease (tenant_id, generation_id, holder) VALUES (%s, %s, %s)"
        " ON CONFLICT (tenant_id) DO UPDATE SET generation_id = excluded.generation_id, holder = excluded.holder,"
        " taken_at = now()",
        [tenant, generation, f"{actor} (process {os.getpid()} on {platform.node()})"],
    )
    return held[1] if held else None


def release_lease(connection: psycopg.Connection, tenant: str) -> None:
    """Stop being the writer."""
    bind(connection, tenant)
    connection.execute("DELETE FROM recall.build_lease WHERE tenant_id = %s", [tenant])
    connection.execute(f"SELECT pg_advisory_unlock({_LOCK})", [tenant])
    connection.commit()
