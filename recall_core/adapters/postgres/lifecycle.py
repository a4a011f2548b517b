"""Which generation is served: promotion, rollback and retirement, each decided by the row that it changes."""

import psycopg

from recall_core.adapters.postgres.events import write_event
from recall_core.adapters.postgres.reading import find_generation
from recall_core.adapters.postgres.rows import Record
from recall_core.adapters.postgres.standing import Standing, Verified, ask_standing
from recall_core.calibration.status import Resolution, resolve
from recall_core.calibration.stored import demand_certified
from recall_core.errors import ConflictError, UsageError
from recall_core.generation.states import State
from recall_core.ports.store import Generation


def promote(
    connection: psycopg.Connection,
    tenant: str,
    generation: str,
    *,
    expected: str | None,
    actor: str,
    demands_certified: bool,
) -> Generation:
    """Make a ready generation the active one, if `expected` is still active; see `GenerationStore.promote`."""
    active = _lock_active(connection, tenant)
    record = demand_generation(connection, tenant, generation)
    if record.generation.state is not State.READY or not record.has_rows:
        raise UsageError(
            f"the generation {generation} is {_describe(record)}, and only a ready one can be promoted",
            help="`recall generation list` shows what is there; `recall generation rollback` goes back",
        )
    if active != expected:
        raise ConflictError(
            f"the active generation is {active or 'none'} by now, and not {expected or 'none'}",
            help="look again with `recall generation list`",
        )
    standing = _resolve(connection, record)
    if demands_certified:
        demand_certified(record.generation.id, standing)
    _activate(connection, tenant, generation, active, over=active)
    write_event(
        connection,
        tenant,
        actor=actor,
        action="promote",
        generation=generation,
        detail={"over": active, "calibration": standing.status.value},
    )
    return demand_generation(connection, tenant, generation).generation


def rollback(connection: psycopg.Connection, tenant: str, *, actor: str) -> Generation:
    """Make the generation that the active one was promoted over active again."""
    active = _lock_active(connection, tenant)
    record = None if active is None else find_generation(connection, tenant, active)
    before = None if record is None or record.promoted_over is None else record.promoted_over
    earlier = None if before is None else find_generation(connection, tenant, before)
    if before is None or earlier is None or not earlier.is_complete:
        raise UsageError(
            "there is no generation to go back to",
            help="`recall generation list` shows what is there; `recall index --promote` builds a new one",
        )
    _activate(connection, tenant, before, active, over=earlier.promoted_over)
    write_event(
        connection,
        tenant,
        actor=actor,
        action="rollback",
        generation=before,
        detail={"from": active, "calibration": _resolve(connection, earlier).status.value},
    )
    return demand_generation(connection, tenant, before).generation


def retire(connection: psycopg.Connection, tenant: str, generation: str, *, actor: str) -> None:
    """Drop the rows of a generation that is not active, and keep its record."""
    active = _lock_active(connection, tenant)
    record = demand_generation(connection, tenant, generation)
    if generation == active:
        raise UsageError(f"the generation {generation} is active", help="promote another one first, or roll back")
    if not record.is_complete:
        raise UsageError(f"the generation {generation} is {_describe(record)}: there is nothing to retire")
    connection.execute(
        "UPDATE recall.generation SET state = 'retired', has_rows = false WHERE tenant_id = %s AND id = %s",
        [tenant, generation],
    )
    connection.execute("SELECT recall.drop_partitions(%s)", [generation])
    write_event(connection, tenant, actor=actor, action="retire", generation=generation)


def demand_generation(connection: psycopg.Connection, tenant: str, generation: str) -> Record:
    """One generation by its id. Raises UsageError where the tenant has none of that id."""
    record = find_generation(connection, tenant, generation)
    if record is None:
        raise UsageError(
            f"the tenant {tenant} has no generation {generation}", help="`recall generation list` shows what is there"
        )
    return record


def _resolve(connection: psycopg.Connection, record: Record) -> Resolution:
    """How the calibration of a generation stands in this transaction: whoever forgets a memo waits for its end."""
    generation = record.generation
    rows = ask_standing(connection, generation.tenant, generation.id).fetchall()
    here = generation.binding
    return resolve(Standing(connection, record, rows, Verified()).records(), here, here.lineage)


def _lock_active(connection: psycopg.Connection, tenant: str) -> str | None:
    """The active generation; nobody else changes which that is until the transaction ends."""
    row = connection.execute(
        "SELECT t.active_generation FROM recall.tenant t WHERE t.tenant_id = %s FOR UPDATE", [tenant]
    ).fetchone()
    return None if row is None else row[0]


def _activate(
    connection: psycopg.Connection, tenant: str, generation: str, active: str | None, *, over: str | None
) -> None:
    if active is not None:
        connection.execute(
            "UPDATE recall.generation SET state = 'retired' WHERE tenant_id = %s AND id = %s", [tenant, active]
        )
    connection.execute(
        "UPDATE recall.generation SET state = 'active', promoted_at = clock_timestamp(), promoted_over = %s"
        " WHERE tenant_id = %s AND id = %s",
        [over, tenant, generation],
    )
    changed = connection.execute(
        "UPDATE recall.tenant SET active_generation = %s WHERE tenant_id = %s"
        " AND active_generation IS NOT DISTINCT FROM %s",
        [generation, tenant, active],
    )
    if changed.rowcount != 1:
        raise ConflictError(
            "somebody else promoted at the same moment", help="look again with `recall generation list`"
        )


def _describe(record: Record) -> str:
    state = record.generation.state.value
    return state if record.has_rows or record.generation.state is State.FAILED else f"{state}, and its rows are gone"
