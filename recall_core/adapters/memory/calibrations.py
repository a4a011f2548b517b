"""Calibrations in memory; see `recall_core.ports.calibrations` for what each method promises."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from threading import RLock

from recall_core.adapters.memory.tenant import Tenant
from recall_core.calibration.artifact import Binding, State
from recall_core.calibration.bundle import Bundle, check_import
from recall_core.calibration.queryset import QuerySet
from recall_core.calibration.stored import (
    Origin,
    StoredCalibration,
    demand_corpus,
    demand_publishable,
    demand_rejectable,
    name_legacy,
)
from recall_core.errors import UsageError
from recall_core.generation.digest import Plain
from recall_core.ports.calibrations import AuditEvent


class MemoryCalibrations:
    """A `CalibrationStore` on the tenants of a `MemoryStore`, under the same lock."""

    def __init__(self, lock: RLock, tenant: Callable[[str], Tenant], now: Callable[[], datetime]) -> None:
        self._lock = lock
        self._open = tenant
        self._now = now

    def save(self, tenant: str, bundle: Bundle, *, origin: Origin, actor: str) -> StoredCalibration:
        """Store an artifact and its labels: as a draft where it is certified, else rejected."""
        artifact = bundle.artifact
        with self._lock:
            mine = self._open(tenant)
            check_import(bundle, demand_corpus(artifact, _find_binding(mine, artifact.binding.generation)))
            mine.kept.query_sets.setdefault(bundle.queries.digest, bundle.queries)
            stored = StoredCalibration(
                id=artifact.id,
                tenant=tenant,
                generation=artifact.binding.generation,
                state=bundle.state,
                origin=origin,
                artifact=artifact,
                labels=artifact.query_set_digest,
                legacy=None,
                stored_by=actor,
                stored_at=self._now().astimezone(UTC),
            )
            return self._store(mine, stored)

    def save_legacy(self, tenant: str, text: str, *, actor: str) -> StoredCalibration:
        """Keep a file of the former format as it is. It is bound to nothing, and never selected."""
        with self._lock:
            stored = StoredCalibration(
                id=name_legacy(text),
                tenant=tenant,
                generation=None,
                state=State.LEGACY_UNBOUND,
                origin=Origin.IMPORTED,
                artifact=None,
                labels=None,
                legacy=text,
                stored_by=actor,
                stored_at=self._now().astimezone(UTC),
            )
            return self._store(self._open(tenant), stored)

    def calibrations(self, tenant: str, generation: str | None = None) -> list[StoredCalibration]:
        """All of a tenant, or those of one generation, the newest first."""
        with self._lock:
            kept = reversed(self._open(tenant).kept.calibrations.values())
            return [each for each in kept if generation is None or each.generation == generation]

    def calibration(self, tenant: str, calibration: str) -> StoredCalibration | None:
        """One by its id."""
        with self._lock:
            return self._open(tenant).kept.calibrations.get(calibration)

    def last_published(self, tenant: str) -> StoredCalibration | None:
        """The one that was published last, of whatever generation."""
        with self._lock:
            dated = [
                (each.published_at, each.state is State.PUBLISHED, each)
                for each in reversed(self._open(tenant).kept.calibrations.values())
                if each.published_at is not None
            ]
        return max(dated, key=lambda each: each[:2])[2] if dated else None

    def query_set(self, tenant: str, digest: str) -> QuerySet | None:
        """The stored labelled queries of a digest."""
        with self._lock:
            return self._open(tenant).kept.query_sets.get(digest)

    def publish(self, tenant: str, calibration: str, *, actor: str) -> StoredCalibration:
        """Make a draft the one that searches of its generation are judged by; the former one becomes superseded."""
        with self._lock:
            mine = self._open(tenant)
            stored = _demand(mine, calibration)
            demand_publishable(stored, _find_binding(mine, stored.generation))
            if stored.state is State.PUBLISHED:
                return stored
            now = self._now().astimezone(UTC)
            former = next(
                (
                    each
                    for each in mine.kept.calibrations.values()
                    if each.generation == stored.generation and each.state is State.PUBLISHED
                ),
                None,
            )
            if former is not None:
                mine.kept.calibrations[former.id] = replace(former, state=State.SUPERSEDED, ended_at=now)
                _tell(mine, former, "superseded", now, actor, by=calibration)
            mine.kept.calibrations[calibration] = replace(stored, state=State.PUBLISHED, published_at=now)
            _tell(mine, stored, "published", now, actor, over=None if former is None else former.id)
            return mine.kept.calibrations[calibration]

    def reject(self, tenant: str, calibration: str, *, actor: str) -> StoredCalibration:
        """Set a draft aside for good."""
        with self._lock:
            mine = self._open(tenant)
            stored = _demand(mine, calibration)
            demand_rejectable(stored)
            if stored.state is State.REJECTED:
                return stored
            now = self._now().astimezone(UTC)
            mine.kept.calibrations[calibration] = replace(stored, state=State.REJECTED, ended_at=now)
            _tell(mine, stored, "rejected", now, actor)
            return mine.kept.calibrations[calibration]

    def events(self, tenant: str) -> list[AuditEvent]:
        """The trail of a tenant, generations included, the oldest first."""
        with self._lock:
            return list(self._open(tenant).kept.events)

    def _store(self, mine: Tenant, stored: StoredCalibration) -> StoredCalibration:
        """Store a calibration with its events, unless there is one of that id; gives what is there."""
        if stored.id not in mine.kept.calibrations:
            mine.kept.calibrations[stored.id] = stored
            what = "created" if stored.origin is Origin.MEASURED else "imported"
            _tell(mine, stored, what, stored.stored_at, stored.stored_by, state=stored.state.value)
            if stored.state is State.REJECTED:
                _tell(mine, stored, "rejected", stored.stored_at, stored.stored_by)
        return mine.kept.calibrations[stored.id]


def _demand(mine: Tenant, calibration: str) -> StoredCalibration:
    stored = mine.kept.calibrations.get(calibration)
    if stored is None:
        raise UsageError(
            f"the tenant {mine.name} has no calibration {calibration}",
            help="`recall calibration list` shows what is there",
        )
    return stored


def _find_binding(mine: Tenant, generation: str | None) -> Binding | None:
    """What a generation is, as it stands; None where it holds no corpus."""
    held = None if generation is None else mine.held.get(generation)
    return None if held is None or held.complete is None else held.generation.binding


def _tell(mine: Tenant, stored: StoredCalibration, what: str, at: datetime, actor: str, **detail: Plain) -> None:
    mine.kept.tell(at, actor, f"calibration_{what}", stored.generation, calibration=stored.id, **detail)
