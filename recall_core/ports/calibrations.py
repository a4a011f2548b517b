"""Where calibrations live, beside the generations that they are evidence about. Two adapters honour it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from recall_core.calibration.bundle import Bundle
from recall_core.calibration.queryset import QuerySet
from recall_core.calibration.stored import Origin, StoredCalibration
from recall_core.generation.digest import Plain


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """One line of the trail: who did what, when (aware, UTC), to which generation.

    `action` of a calibration is `calibration_` and one of created, imported, rejected, published, superseded; `detail`
    then names it under `calibration`.
    """

    at: datetime
    actor: str
    action: str
    generation: str | None
    detail: Mapping[str, Plain]


class CalibrationStore(Protocol):
    """Calibrations of tenants. What was measured never changes; only where it stands does.

    Every method names the tenant; none ever answers with rows of another. Each change is one transaction with its
    events: whatever is cut off leaves all of it or nothing, and may be asked for again.
    """

    def save(self, tenant: str, bundle: Bundle, *, origin: Origin, actor: str) -> StoredCalibration:
        """Store an artifact and its labels: as a draft where it is certified, else rejected. Nothing is published.

        An artifact that is stored already is given back as it stands. Raises UsageError for a generation that is not
        there, or holds no corpus (ready, active or retired with its rows); RefusedError where the bundle is not
        evidence about that generation as it stands, see `recall_core.calibration.bundle.check_import`.
        """
        ...

    def save_legacy(self, tenant: str, text: str, *, actor: str) -> StoredCalibration:
        """Keep a file of the former format as it is. It is bound to nothing, and never selected."""
        ...

    def calibrations(self, tenant: str, generation: str | None = None) -> list[StoredCalibration]:
        """All of a tenant, or those of one generation, the newest first."""
        ...

    def calibration(self, tenant: str, calibration: str) -> StoredCalibration | None:
        """One by its id."""
        ...

    def last_published(self, tenant: str) -> StoredCalibration | None:
        """The one that was published last, of whatever generation: whose labels and rule a new one is measured with."""
        ...

    def query_set(self, tenant: str, digest: str) -> QuerySet | None:
        """The stored labelled queries of a digest; None where there are none, or what is stored is not that set."""
        ...

    def publish(self, tenant: str, calibration: str, *, actor: str) -> StoredCalibration:
        """Make a draft the one that searches of its generation are judged by; the former one becomes superseded.

        One that is published already is given back. Raises UsageError for an id that is not there, RefusedError for
        what is not certified or no longer bound to the generation as it stands, ConflictError where somebody else
        published at the same moment.
        """
        ...

    def reject(self, tenant: str, calibration: str, *, actor: str) -> StoredCalibration:
        """Set a draft aside for good; one that is rejected already is given back.

        Raises UsageError for an id that is not there, RefusedError for one that was published or is of the former
        format.
        """
        ...

    def events(self, tenant: str) -> list[AuditEvent]:
        """The trail of a tenant, generations included, the oldest first."""
        ...
