"""A calibration as a store keeps it: an artifact that never changes, and where it stands."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from recall_core.calibration.artifact import Artifact, Binding, State
from recall_core.calibration.status import Record, resolve
from recall_core.errors import RefusedError
from recall_core.model.calibration import CalibrationStatus


class Origin(Enum):
    """How a calibration came into a store."""

    MEASURED = "measured"
    IMPORTED = "imported"


@dataclass(frozen=True, slots=True)
class StoredCalibration:
    """One row, read and verified. All instants are aware, UTC.

    `generation` is None for a file of the former format, whose text is `legacy`. `artifact` is None for such a file,
    and where the row cannot be read as the artifact that it names: its checksum does not fit, or it was cut. `labels`
    is the digest of the stored labelled queries, taken from their content; None where they are not there. `stored_by`
    and `stored_at` tell who brought it in. `ended_at` is when it was superseded, or a draft set aside.
    """

    id: str
    tenant: str
    generation: str | None
    state: State
    origin: Origin
    artifact: Artifact | None
    labels: str | None
    legacy: str | None
    stored_by: str
    stored_at: datetime
    published_at: datetime | None = None
    ended_at: datetime | None = None

    @property
    def record(self) -> Record:
        """The row for `recall_core.calibration.status.resolve`, as it stands now."""
        return Record(self.state, self.artifact, self.labels)

    def record_at(self, instant: datetime) -> Record | None:
        """The row as it stood at an instant (aware); None where it was not stored yet."""
        if instant < self.stored_at:
            return None
        return Record(state_at(self.state, self.published_at, self.ended_at, instant), self.artifact, self.labels)


def state_at(state: State, published_at: datetime | None, ended_at: datetime | None, instant: datetime) -> State:
    """Where a calibration that was stored by then stood at an instant, from where it stands now."""
    has_ended = ended_at is not None and ended_at <= instant
    if published_at is not None and published_at <= instant:
        return State.SUPERSEDED if has_ended else State.PUBLISHED
    if state is State.LEGACY_UNBOUND or (state is State.REJECTED and (ended_at is None or has_ended)):
        return state
    return State.DRAFT


def demand_publishable(stored: StoredCalibration, generation: Binding) -> None:
    """Raise RefusedError unless a search of the generation would rely on it, once it is published.

    `generation` has the effective corpus fingerprint. One that is published already passes where it still serves.
    """
    again = "measure the generation again: `recall calibrate --query-set published --publish`"
    match stored.state:
        case State.LEGACY_UNBOUND:
            raise RefusedError(
                f"{stored.id} is a file of the former format, which cannot say what it was measured on", help=again
            )
        case State.REJECTED:
            raise RefusedError(
                f"{stored.id} was rejected, and is kept as evidence alone",
                help=f"`recall calibration show {stored.id}` says why; label more queries and measure again",
            )
        case State.SUPERSEDED:
            raise RefusedError(f"{stored.id} was superseded, which is not undone", help=again)
        case State.DRAFT | State.PUBLISHED:
            found = resolve([Record(State.PUBLISHED, stored.artifact, stored.labels)], generation, generation.lineage)
            if found.status is not CalibrationStatus.CERTIFIED:
                raise RefusedError(f"{stored.id} would not serve: {found.reason}", help=again)
