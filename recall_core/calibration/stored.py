"""A calibration as a store keeps it: an artifact that never changes, and where it stands."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Final, assert_never

from recall_core.calibration.artifact import Artifact, Binding, State
from recall_core.calibration.status import Record, Resolution, resolve
from recall_core.errors import RefusedError, UsageError
from recall_core.generation.digest import digest
from recall_core.model.calibration import CalibrationStatus
from recall_core.model.escape import visible

_ID_SIGNS: Final = 20
_MEASURE_AGAIN: Final = "measure again with the same labels: `recall calibrate --query-set DIGEST --publish`"


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


def name_legacy(text: str) -> str:
    """The id of a file of the former format: the same text has the same one."""
    return f"cal_{digest(text).removeprefix('sha256:')[:_ID_SIGNS]}"


def demand_corpus(artifact: Artifact, here: Binding | None) -> Binding:
    """The binding of the artifact's generation; `here` is None where that holds no corpus. Raises UsageError then."""
    if here is None:
        raise UsageError(
            f"the generation {visible(artifact.binding.generation)} holds no corpus: only one that is ready, active or"
            " retired, with its rows, can be calibrated",
            help="`recall generation list` shows what is there",
        )
    return here


def demand_publishable(stored: StoredCalibration, here: Binding | None) -> None:
    """Raise RefusedError unless a search of its generation would rely on a calibration, once it is published.

    `here` is the generation with its effective corpus fingerprint; None where it holds no corpus. A calibration that
    is published already passes where it still serves.
    """
    match stored.state:
        case State.LEGACY_UNBOUND:
            raise RefusedError(
                f"{stored.id} is a file of the former format, which cannot say what it was measured on",
                help="measure with labelled queries: `recall calibrate --queries FILE --publish`",
            )
        case State.REJECTED:
            raise RefusedError(
                f"{stored.id} was rejected, and is kept as evidence alone",
                help=f"`recall calibration show {stored.id}` says why; label more queries, and measure again",
            )
        case State.SUPERSEDED:
            raise RefusedError(f"{stored.id} was superseded, which is not undone", help=_MEASURE_AGAIN)
        case State.DRAFT | State.PUBLISHED:
            _demand_serving(stored, here)
        case _:
            assert_never(stored.state)


def demand_rejectable(stored: StoredCalibration) -> None:
    """Raise RefusedError unless a calibration is a draft, or rejected already."""
    match stored.state:
        case State.DRAFT | State.REJECTED:
            return
        case State.PUBLISHED:
            raise RefusedError(f"{stored.id} is published", help="publish another one, and it is superseded")
        case State.SUPERSEDED | State.LEGACY_UNBOUND:
            raise RefusedError(f"{stored.id} is {stored.state.value}, and no search relies on it as it is")
        case _:
            assert_never(stored.state)


def demand_certified(generation: str, standing: Resolution) -> None:
    """Raise RefusedError unless a certified calibration serves a generation: production serves none without."""
    if standing.failure is not None:
        raise RefusedError(
            f"the generation {generation} has no certified calibration, and production serves none without:"
            f" {standing.reason}",
            help=f"`recall calibrate --generation {generation} --queries FILE --publish`, then"
            f" `recall generation promote {generation}`; without one only in development:"
            " RECALL_TRUST_MODE=development",
        )


def _demand_serving(stored: StoredCalibration, here: Binding | None) -> None:
    if here is None:
        raise RefusedError(
            f"the generation of {stored.id} no longer holds a corpus: nothing would be judged by it",
            help="`recall generation list` shows what is there",
        )
    found = resolve([Record(State.PUBLISHED, stored.artifact, stored.labels)], here, here.lineage)
    if found.status is not CalibrationStatus.CERTIFIED:
        raise RefusedError(f"{stored.id} would not serve: {found.reason}", help=_MEASURE_AGAIN)
