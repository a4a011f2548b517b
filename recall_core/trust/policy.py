"""Whether a search may answer: the two modes, the states of a calibration, and the six codes of a refusal."""

from dataclasses import dataclass
from enum import Enum
from typing import Final, assert_never


class Mode(Enum):
    """How the gate stands."""

    STRICT = "strict"
    """Where no trustworthy decision is possible, the search is refused before anything is retrieved."""
    DEVELOPMENT = "development"
    """The search answers, and claims nothing."""


@dataclass(frozen=True, slots=True)
class TrustPolicy:
    """What happens when trust cannot be established. Leaving the mode out is strict."""

    mode: Mode = Mode.STRICT

    @classmethod
    def strict(cls) -> "TrustPolicy":
        """Refuse what cannot be certified: the default everywhere."""
        return cls(Mode.STRICT)

    @classmethod
    def development(cls) -> "TrustPolicy":
        """Answer all the same, marked as degraded: for a corpus on one's own machine."""
        return cls(Mode.DEVELOPMENT)

    @property
    def is_strict(self) -> bool:
        """Whether the gate is closed to what is not certified."""
        return self.mode is not Mode.DEVELOPMENT


def parse_trust_mode(text: str | None) -> TrustPolicy:
    """The policy that the text of `RECALL_TRUST_MODE` asks for.

    `development`, in any letter case and with blanks around it, relaxes the gate; anything else is strict, a missing
    value and a misspelling too.
    """
    if text is not None and text.strip().lower() == Mode.DEVELOPMENT.value:
        return TrustPolicy.development()
    return TrustPolicy.strict()


class FailureCode(Enum):
    """Why no trustworthy decision is possible, in order: of several the first that holds is said."""

    DEPENDENCY_UNAVAILABLE = "DEPENDENCY_UNAVAILABLE"
    """The store or the embedder cannot be reached."""
    INDEX_NOT_READY = "INDEX_NOT_READY"
    """The tenant has no active generation."""
    LINEAGE_MISMATCH = "LINEAGE_MISMATCH"
    """The serving embedder, dimension or pipeline differs from the generation's or the artifact's."""
    CALIBRATION_STALE = "CALIBRATION_STALE"
    """An artifact was certified and published for this generation and no longer serves."""
    CALIBRATION_UNCERTIFIED = "CALIBRATION_UNCERTIFIED"
    """Artifacts exist, and none is certified and published."""
    CALIBRATION_MISSING = "CALIBRATION_MISSING"
    """This generation has no artifact."""

    @property
    def prevents_retrieval(self) -> bool:
        """Whether there is nothing to search, so that development mode cannot answer either."""
        return self in _PREVENTING


_PREVENTING: Final = frozenset({FailureCode.DEPENDENCY_UNAVAILABLE, FailureCode.INDEX_NOT_READY})


class CalibrationStatus(Enum):
    """What is known of the calibration that would serve a generation."""

    CERTIFIED = "certified"
    """Certified, published, and bound to exactly this generation."""
    DRAFT = "draft"
    REJECTED = "rejected"
    LEGACY = "legacy"
    SUPERSEDED = "superseded"
    STALE = "stale"
    MISSING = "missing"
    UNKNOWN = "unknown"

    @property
    def failure(self) -> FailureCode | None:
        """The code that it is refused with; None where it is certified."""
        match self:
            case CalibrationStatus.CERTIFIED:
                return None
            case CalibrationStatus.SUPERSEDED | CalibrationStatus.STALE:
                return FailureCode.CALIBRATION_STALE
            case CalibrationStatus.MISSING:
                return FailureCode.CALIBRATION_MISSING
            case (
                CalibrationStatus.DRAFT
                | CalibrationStatus.REJECTED
                | CalibrationStatus.LEGACY
                | CalibrationStatus.UNKNOWN
            ):
                return FailureCode.CALIBRATION_UNCERTIFIED
            case _:
                assert_never(self)


@dataclass(frozen=True, slots=True)
class Readiness:
    """What was found out before a search. Every field must be given: what is not known counts as False."""

    is_reachable: bool
    """Whether the store and the embedder answer."""
    has_generation: bool
    """Whether the tenant has an active generation, or has the one asked for."""
    has_same_lineage: bool
    """Whether embedder, dimension and pipeline are those of the generation and of the artifact."""
    calibration: CalibrationStatus

    @property
    def failure(self) -> FailureCode | None:
        """The first code that holds, or None."""
        if not self.is_reachable:
            return FailureCode.DEPENDENCY_UNAVAILABLE
        if not self.has_generation:
            return FailureCode.INDEX_NOT_READY
        if not self.has_same_lineage:
            return FailureCode.LINEAGE_MISMATCH
        return self.calibration.failure
