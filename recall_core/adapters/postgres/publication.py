"""Changes of where a calibration stands, each decided by the row that it changes."""

from datetime import datetime
from typing import Final

import psycopg

from recall_core.adapters.postgres.calibration_rows import find_calibration
from recall_core.adapters.postgres.events import write_event
from recall_core.adapters.postgres.rows import GENERATION, Record, read_generation
from recall_core.calibration.artifact import State
from recall_core.calibration.stored import StoredCalibration, demand_publishable, demand_rejectable
from recall_core.errors import ConflictError, UsageError
from recall_core.generation.digest import Plain

_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('recall publish ' || %s, 0))"
_ROW: Final = "WHERE tenant_id = %(tenant)s AND id = %(calibration)s"
_PUBLISH: Final = (
    f"UPDATE recall.calibration SET state = 'published', published_at = %(now)s {_ROW} AND state = 'draft'"
)
_SUPERSEDE: Final = (
    f"UPDATE recall.calibration SET state = 'superseded', ended_at = %(now)s {_ROW} AND state = 'published'"
)
_REJECT: Final = f"UPDATE recall.calibration SET state = 'rejected', ended_at = %(now)s {_ROW} AND state = 'draft'"


def publish(connection: psycopg.Connection, tenant: str, calibration: str, *, actor: str) -> StoredCalibration:
    """Make a draft the published one; see `CalibrationStore.publish`."""
    # Whoever waits here has less to do over again; who wins is decided by the rows.
    connection.execute(_LOCK, [tenant])
    stored = demand_calibration(connection, tenant, calibration)
    record = None if stored.generation is None else lock_generation(connection, tenant, stored.generation)
    demand_publishable(stored, None if record is None or not record.is_complete else record.generation.binding)
    if stored.state is State.PUBLISHED:
        return stored
    now = _read_clock(connection)
    former = connection.execute(
        "SELECT c.id FROM recall.calibration c"
        " WHERE c.tenant_id = %s AND c.generation_id = %s AND c.state = 'published'",
        [tenant, stored.generation],
    ).fetchone()
    if former is not None:
        _move(connection, _SUPERSEDE, tenant, former[0], now)
        tell(connection, stored, "superseded", actor=actor, calibration=former[0], by=calibration)
    try:
        _move(connection, _PUBLISH, tenant, calibration, now)
    except psycopg.errors.UniqueViolation:
        raise _build_conflict() from None
    tell(connection, stored, "published", actor=actor, over=None if former is None else former[0])
    return demand_calibration(connection, tenant, calibration)


def reject(connection: psycopg.Connection, tenant: str, calibration: str, *, actor: str) -> StoredCalibration:
    """Set a draft aside for good; see `CalibrationStore.reject`."""
    stored = demand_calibration(connection, tenant, calibration)
    demand_rejectable(stored)
    if stored.state is State.REJECTED:
        return stored
    _move(connection, _REJECT, tenant, calibration, _read_clock(connection))
    tell(connection, stored, "rejected", actor=actor)
    return demand_calibration(connection, tenant, calibration)


def demand_calibration(connection: psycopg.Connection, tenant: str, calibration: str) -> StoredCalibration:
    """One calibration by its id. Raises UsageError where the tenant has none of that id."""
    stored = find_calibration(connection, tenant, calibration)
    if stored is None:
        raise UsageError(
            f"the tenant {tenant} has no calibration {calibration}",
            help="`recall calibration list` shows what is there",
        )
    return stored


def lock_generation(connection: psycopg.Connection, tenant: str, generation: str) -> Record | None:
    """One generation, whose corpus nobody changes until the transaction ends."""
    row = connection.execute(
        f"SELECT {GENERATION} FROM recall.generation g WHERE g.tenant_id = %s AND g.id = %s FOR SHARE",
        [tenant, generation],
    ).fetchone()
    return None if row is None else read_generation(row)


def tell(connection: psycopg.Connection, stored: StoredCalibration, what: str, *, actor: str, **detail: Plain) -> None:
    """Write the event of a calibration, in the transaction that changes where it stands."""
    write_event(
        connection,
        stored.tenant,
        actor=actor,
        action=f"calibration_{what}",
        generation=stored.generation,
        detail={"calibration": stored.id, **detail},
    )


def _move(connection: psycopg.Connection, statement: str, tenant: str, calibration: str, now: datetime) -> None:
    moved = connection.execute(statement, {"tenant": tenant, "calibration": calibration, "now": now})
    if moved.rowcount != 1:
        raise _build_conflict()


def _read_clock(connection: psycopg.Connection) -> datetime:
    """The server's instant, after every lock was waited for: what is published later has a later one."""
    row = connection.execute("SELECT clock_timestamp()").fetchone()
    assert row is not None  # noqa: S101 - a query without a table has one row
    instant: datetime = row[0]
    return instant


def _build_conflict() -> ConflictError:
    return ConflictError(
        "somebody else published or rejected at the same moment", help="look again with `recall calibration list`"
    )
