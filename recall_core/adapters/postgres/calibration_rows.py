"""Rows of calibrations to values, each verified as it is read."""

import json
from collections.abc import Sequence
from typing import Any, Final

import psycopg

from recall_core.adapters.postgres.rows import utc
from recall_core.calibration.artifact import Artifact, State
from recall_core.calibration.artifact_json import artifact_from_json
from recall_core.calibration.queryset import QuerySet, build_query_set
from recall_core.calibration.stored import Origin, StoredCalibration
from recall_core.errors import RecallError

CALIBRATION: Final = (
    "c.id, c.tenant_id, c.generation_id, c.state, c.origin, c.content, q.queries, c.query_set_digest, c.stored_by,"
    " c.stored_at, c.published_at, c.ended_at"
)
"""The columns of `read_calibration`, of `WITH_LABELS`."""

WITH_LABELS: Final = (
    "recall.calibration c LEFT JOIN recall.query_set q ON q.tenant_id = c.tenant_id AND q.digest = c.query_set_digest"
)


def read_calibration(row: Sequence[Any]) -> StoredCalibration:
    """The value of the columns `CALIBRATION`."""
    name, tenant, generation, state, origin, content, queries, digest, stored_by, stored_at, published_at, ended_at = (
        row
    )
    is_bound = generation is not None
    labels = read_query_set(queries, digest) if is_bound else None
    return StoredCalibration(
        id=name,
        tenant=tenant,
        generation=generation,
        state=State(state),
        origin=Origin(origin),
        artifact=read_artifact(content, name, tenant, generation) if is_bound else None,
        labels=None if labels is None else labels.digest,
        legacy=None if is_bound else json.loads(content),
        stored_by=stored_by,
        stored_at=utc(stored_at),
        published_at=None if published_at is None else utc(published_at),
        ended_at=None if ended_at is None else utc(ended_at),
    )


def read_artifact(content: str, calibration: str, tenant: str, generation: str) -> Artifact | None:
    """The artifact of a row; None where checksum or form do not fit, or it is of another row, tenant or generation."""
    try:
        artifact = artifact_from_json(json.loads(content))
    except (RecallError, ValueError, RecursionError):
        return None
    named = (artifact.id, artifact.binding.tenant, artifact.binding.generation)
    return artifact if named == (calibration, tenant, generation) else None


def read_query_set(queries: str | None, digest: str) -> QuerySet | None:
    """The labelled queries that a text holds; None where there is none, or it is not the set of that digest."""
    if queries is None:
        return None
    try:
        found = build_query_set(json.loads(queries))
    except (RecallError, ValueError, RecursionError):
        return None
    return found if found.digest == digest else None


def find_calibration(connection: psycopg.Connection, tenant: str, calibration: str) -> StoredCalibration | None:
    """One calibration of a tenant by its id."""
    row = connection.execute(
        f"SELECT {CALIBRATION} FROM {WITH_LABELS} WHERE c.tenant_id = %s AND c.id = %s", [tenant, calibration]
    ).fetchone()
    return None if row is None else read_calibration(row)


def list_calibrations(connection: psycopg.Connection, tenant: str, generation: str | None) -> list[StoredCalibration]:
    """All calibrations of a tenant, or those of one generation, the newest first."""
    rows = connection.execute(
        f"SELECT {CALIBRATION} FROM {WITH_LABELS} WHERE c.tenant_id = %(tenant)s"
        " AND (%(generation)s::text IS NULL OR c.generation_id = %(generation)s) ORDER BY c.stored_at DESC, c.id DESC",
        {"tenant": tenant, "generation": generation},
    ).fetchall()
    return [read_calibration(row) for row in rows]


def find_last_published(connection: psycopg.Connection, tenant: str) -> StoredCalibration | None:
    """The calibration of a tenant that was published last, of whatever generation."""
    row = connection.execute(
        f"SELECT {CALIBRATION} FROM {WITH_LABELS} WHERE c.tenant_id = %s AND c.published_at IS NOT NULL"
        " ORDER BY c.published_at DESC, c.state, c.id DESC LIMIT 1",
        [tenant],
    ).fetchone()
    return None if row is None else read_calibration(row)
