"""The states of a calibration, and the six codes of a search that is refused."""

from enum import Enum
from typing import Final, assert_never


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
