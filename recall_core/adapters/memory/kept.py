"""The calibrations and the trail of one tenant. Whoever calls holds the store's lock."""

from dataclasses import dataclass, field
from datetime import datetime

from recall_core.calibration.artifact import Binding
from recall_core.calibration.queryset import QuerySet
from recall_core.calibration.status import Resolution, resolve
from recall_core.calibration.stored import StoredCalibration
from recall_core.generation.digest import Plain
from recall_core.ports.calibrations import AuditEvent


@dataclass(slots=True)
class Kept:
    """Calibrations by id, the oldest first; labelled queries by digest; what was done, the oldest first."""

    calibrations: dict[str, StoredCalibration] = field(default_factory=dict)
    query_sets: dict[str, QuerySet] = field(default_factory=dict)
    events: list[AuditEvent] = field(default_factory=list)

    def list_read(self, generation: str) -> tuple[StoredCalibration, ...]:
        """The calibrations that a search of a generation reads: its own, and those that are bound to none."""
        return tuple(each for each in self.calibrations.values() if each.generation in (None, generation))

    def resolve(self, here: Binding) -> Resolution:
        """How the calibration of a generation stands."""
        return resolve([each.record for each in self.list_read(here.generation)], here, here.lineage)

    def tell(self, at: datetime, actor: str, action: str, generation: str | None, **detail: Plain) -> None:
        """Write one event of the trail."""
        self.events.append(AuditEvent(at, actor, action, generation, detail))
