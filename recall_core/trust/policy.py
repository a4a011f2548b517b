"""Whether a search may answer: the two modes, the states of a calibration, and the six codes of a refusal."""

from dataclasses import dataclass
from enum import Enum

from recall_core.model.calibration import CalibrationStatus, FailureCode

__all__ = ["CalibrationStatus", "FailureCode", "Mode", "Readiness", "TrustPolicy", "parse_trust_mode"]


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
