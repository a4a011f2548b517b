"""Calibrations in PostgreSQL; see `recall_core.ports.calibrations` for what each method promises."""

import json

import psycopg

from recall_core.adapters.postgres import publication
from recall_core.adapters.postgres.calibration_rows import (
    find_calibration,
    find_last_published,
    list_calibrations,
    read_query_set,
)
from recall_core.adapters.postgres.rows import utc
from recall_core.adapters.postgres.session import Session
from recall_core.calibration.artifact import State
from recall_core.calibration.artifact_json import artifact_to_json
from recall_core.calibration.bundle import Bundle, check_import
from recall_core.calibration.queryset import QuerySet
from recall_core.calibration.stored import Origin, StoredCalibration, demand_corpus, name_legacy
from recall_core.errors import StoreError
from recall_core.generation.digest import canonical_json
from recall_core.ports.calibrations import AuditEvent


class PostgresCalibrations:
    """A `CalibrationStore` on the connections of a `PostgresStore`. Safe to share between threads."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def save(self, tenant: str, bundle: Bundle, *, origin: Origin, actor: str) -> StoredCalibration:
        """Store an artifact and its labels: as a draft where it is certified, else rejected."""
        artifact = bundle.artifact
        with self._session.transaction(tenant) as connection:
            record = publication.lock_generation(connection, tenant, artifact.binding.generation)
            here = demand_corpus(
                artifact, None if record is None or not record.is_complete else record.generation.binding
            )
            check_import(bundle, here)
            _store_queries(connection, tenant, bundle.queries, actor)
            content = canonical_json(artifact_to_json(artifact))
            values = (artifact.id, here.generation, bundle.state, origin, artifact.query_set_digest, content)
            return _store(connection, tenant, values, actor)

    def save_legacy(self, tenant: str, text: str, *, actor: str) -> StoredCalibration:
        """Keep a file of the former format as it is. It is bound to nothing, and never selected."""
        values = (name_legacy(text), None, State.LEGACY_UNBOUND, Origin.IMPORTED, None, canonical_json(text))
        with self._session.transaction(tenant) as connection:
            return _store(connection, tenant, values, actor)

    def calibrations(self, tenant: str, generation: str | None = None) -> list[StoredCalibration]:
        """All of a tenant, or those of one generation, the newest first."""
        with self._session.transaction(tenant) as connection:
            return list_calibrations(connection, tenant, generation)

    def calibration(self, tenant: str, calibration: str) -> StoredCalibration | None:
        """One by its id."""
        with self._session.transaction(tenant) as connection:
            return find_calibration(connection, tenant, calibration)

    def last_published(self, tenant: str) -> StoredCalibration | None:
        """The one that was published last, of whatever generation."""
        with self._session.transaction(tenant) as connection:
            return find_last_published(connection, tenant)

    def query_set(self, tenant: str, digest: str) -> QuerySet | None:
        """The stored labelled queries of a digest."""
        with self._session.transaction(tenant) as connection:
            return _find_queries(connection, tenant, digest)

    def publish(self, tenant: str, calibration: str, *, actor: str) -> StoredCalibration:
        """Make a draft the one that searches of its generation are judged by; the former one becomes superseded."""
        with self._session.transaction(tenant) as connection:
            return publication.publish(connection, tenant, calibration, actor=actor)

    def reject(self, tenant: str, calibration: str, *, actor: str) -> StoredCalibration:
        """Set a draft aside for good."""
        with self._session.transaction(tenant) as connection:
            return publication.reject(connection, tenant, calibration, actor=actor)

    def events(self, tenant: str) -> list[AuditEvent]:
        """The trail of a tenant, generations included, the oldest first."""
        with self._session.transaction(tenant) as connection:
            rows = connection.execute(
                "SELECT e.at, e.actor, e.action, e.generation_id, e.detail FROM recall.audit_event e"
                " WHERE e.tenant_id = %s ORDER BY e.at, e.id",
                [tenant],
            ).fetchall()
        return [AuditEvent(utc(row[0]), row[1], row[2], row[3], json.loads(row[4])) for row in rows]


_Values = tuple[str, str | None, State, Origin, str | None, str]


def _store(connection: psycopg.Connection, tenant: str, values: _Values, actor: str) -> StoredCalibration:
    """Store a row with its events, unless there is one of that id; gives what is there."""
    name, generation, state, origin, digest, content = values
    made = connection.execute(
        "INSERT INTO recall.calibration (tenant_id, id, generation_id, state, origin, query_set_digest, content,"
        " stored_by) VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (tenant_id, id) DO NOTHING",
        [tenant, name, generation, state.value, origin.value, digest, content, actor],
    )
    stored = publication.demand_calibration(connection, tenant, name)
    if made.rowcount:
        what = "created" if origin is Origin.MEASURED else "imported"
        publication.tell(connection, stored, what, actor=actor, state=state.value)
        if state is State.REJECTED:
            publication.tell(connection, stored, "rejected", actor=actor)
    return stored


def _store_queries(connection: psycopg.Connection, tenant: str, queries: QuerySet, actor: str) -> None:
    """Store a query set unless it is there. Raises StoreError where what is there is not that set."""
    connection.execute(
        "INSERT INTO recall.query_set (tenant_id, digest, queries, stored_by) VALUES (%s, %s, %s, %s)"
        " ON CONFLICT (tenant_id, digest) DO NOTHING",
        [tenant, queries.digest, canonical_json(queries.to_json()), actor],
    )
    if _find_queries(connection, tenant, queries.digest) is None:
        raise StoreError(
            f"the stored labels of {queries.digest} are not those of that digest: the table was changed by hand",
            help="remove that row of recall.query_set as the owner of the tables, or change a label",
        )


def _find_queries(connection: psycopg.Connection, tenant: str, digest: str) -> QuerySet | None:
    row = connection.execute(
        "SELECT q.queries FROM recall.query_set q WHERE q.tenant_id = %s AND q.digest = %s", [tenant, digest]
    ).fetchone()
    return None if row is None else read_query_set(row[0], digest)
