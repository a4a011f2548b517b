"""Which artifact serves a generation, or why none does."""

from collections.abc import Sequence
from dataclasses import dataclass

from recall_core.calibration.artifact import Artifact, Binding, Lineage, State
from recall_core.calibration.artifact_json import is_sealed
from recall_core.calibration.evidence import is_current
from recall_core.model.calibration import CalibrationStatus, FailureCode


@dataclass(frozen=True, slots=True)
class Record:
    """A stored artifact, as it stood at the instant that is asked about.

    `state` is None where this version does not know it, `artifact` None where the row cannot be read as one (and for
    the former format, which has none). `labels` is the digest of the labelled queries that are stored for it, taken
    from their content; None where they are not there. `is_verified` says that whoever read the artifact took its
    checksum from the very text that is stored now; else it is taken here.
    """

    state: State | None
    artifact: Artifact | None
    labels: str | None
    is_verified: bool = False


@dataclass(frozen=True, slots=True)
class Resolution:
    """What is known of the calibration of one generation.

    `artifact` is the one to judge by; None unless it is certified, published, and bound to exactly this generation and
    to what serves it. `reason` is a sentence either way.
    """

    status: CalibrationStatus
    has_same_lineage: bool
    artifact: Artifact | None
    reason: str

    @property
    def failure(self) -> FailureCode | None:
        """The code that a search is refused with, by lineage and calibration alone; None where it may answer."""
        return self.status.failure if self.has_same_lineage else FailureCode.LINEAGE_MISMATCH


def resolve(records: Sequence[Record], generation: Binding, serving: Lineage) -> Resolution:
    """The artifact that serves a generation, or the first reason that holds why there is none.

    `records` are those of the generation, with the tenant's files of the former format, in any order; an artifact of
    another tenant or generation counts for nothing. `generation` has the effective corpus fingerprint, and `serving`
    is what embeds the queries. In order: another lineage; a published artifact that no longer serves; one that was
    superseded with nothing published in its place; only artifacts that are not published; none. The checksum of the
    published one is taken anew, at about 10 µs a label, unless its record is verified.
    """
    own = [record for record in records if _is_of(record, generation)]
    standing = _find_standing(own, generation, serving)
    if serving != generation.lineage:
        reason = (
            f"queries are served with {_difference(serving, generation.lineage)} than the generation was built with"
        )
        return Resolution(standing.status, has_same_lineage=False, artifact=None, reason=reason)
    return standing


def _find_standing(own: Sequence[Record], generation: Binding, serving: Lineage) -> Resolution:
    published = [record for record in own if record.state is State.PUBLISHED]
    if len(published) > 1:
        return _refuse(CalibrationStatus.UNKNOWN, "more than one calibration is published, which no command does")
    if published:
        return _judge_published(published[0], generation, serving)
    for state, status, reason in _UNPUBLISHED:
        if any(record.state is state for record in own):
            return _refuse(status, reason)
    return _refuse(CalibrationStatus.MISSING, "this generation has no calibration")


_UNPUBLISHED = (
    (
        State.SUPERSEDED,
        CalibrationStatus.SUPERSEDED,
        "the calibration was superseded, and none was published in its place",
    ),
    (State.DRAFT, CalibrationStatus.DRAFT, "the calibration is certified, and nobody has published it"),
    (State.REJECTED, CalibrationStatus.REJECTED, "what was measured did not certify"),
    (
        State.LEGACY_UNBOUND,
        CalibrationStatus.LEGACY,
        "there is only a file of the former format, which cannot say what it was measured on",
    ),
    (None, CalibrationStatus.UNKNOWN, "the calibration is in a state that this version does not know"),
)
"""What is said of a generation with nothing published: the first that holds."""


def _judge_published(record: Record, generation: Binding, serving: Lineage) -> Resolution:
    artifact = record.artifact
    stale = CalibrationStatus.STALE
    if artifact is None or not (record.is_verified or is_sealed(artifact)):
        return _refuse(stale, "the checksum of the published calibration does not fit its content")
    if artifact.first_state is not State.DRAFT:
        return _refuse(CalibrationStatus.REJECTED, f"{artifact.id} is published, and was never certified")
    for other in (generation.lineage, serving):
        if artifact.binding.lineage != other:
            reason = f"{artifact.id} was measured with {_difference(artifact.binding.lineage, other)} than serves now"
            return Resolution(stale, has_same_lineage=False, artifact=None, reason=reason)
    if artifact.binding.corpus_fingerprint != generation.corpus_fingerprint:
        return _refuse(stale, f"the corpus has changed since {artifact.id} was measured")
    if record.labels != artifact.query_set_digest:
        return _refuse(stale, f"the stored labels are not those that {artifact.id} was measured with")
    if artifact.evidence is not None and not is_current(artifact.evidence):
        return _refuse(stale, f"{artifact.id} rests on signals that this version computes in another way")
    return Resolution(
        CalibrationStatus.CERTIFIED, has_same_lineage=True, artifact=artifact, reason=f"{artifact.id} is published"
    )


def _is_of(record: Record, generation: Binding) -> bool:
    """Whether a record counts; one that cannot be read does, since its row says whose it is."""
    if record.artifact is None:
        return True
    binding = record.artifact.binding
    return (binding.tenant, binding.generation) == (generation.tenant, generation.generation)


def _difference(one: Lineage, other: Lineage) -> str:
    if one.embedder != other.embedder:
        return "another embedder"
    if one.dimension != other.dimension:
        return "vectors of another length"
    return "another pipeline"


def _refuse(status: CalibrationStatus, reason: str) -> Resolution:
    return Resolution(status, has_same_lineage=True, artifact=None, reason=reason)
