"""The audit trail: who did what to which generation."""

import psycopg

from recall_core.generation.digest import Plain, canonical_json


def write_event(
    connection: psycopg.Connection,
    tenant: str,
    *,
    actor: str,
    action: str,
    generation: str | None,
    detail: dict[str, Plain] | None = None,
) -> None:
    """Write one event, in the transaction that does what it tells of."""
    connection.execute(
        "INSERT INTO recall.audit_event (tenant_id, actor, action, generation_id, detail) VALUES (%s, %s, %s, %s, %s)",
        [tenant, actor, action, generation, canonical_json(detail or {})],
    )
