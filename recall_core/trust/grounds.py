"""What a judgment stands on: the policy, the calibration, and the identities of what was searched."""

from dataclasses import dataclass
from enum import Enum

from recall_core.trust.policy import CalibrationStatus, FailureCode, Readiness, TrustPolicy
from recall_core.trust.refusal import Refusal, SearchRefusedError
from recall_core.trust.threshold import Threshold


class TrustState(Enum):
    """Whether a result may be relied on as a whole."""

    TRUSTED = "trusted"
    DEGRADED = "degraded"


@dataclass(frozen=True, slots=True)
class Grounds:
    """Who searched what under which policy. The identities travel in the result."""

    policy: TrustPolicy
    readiness: Readiness
    tenant_id: str
    generation_id: str | None = None
    calibration_id: str | None = None
    source: str = ""
    """The corpus and its revision: the `source` of every hit."""
    pipeline_fingerprint: str | None = None
    corpus_fingerprint: str | None = None
    query_set_digest: str | None = None

    @property
    def failure_code(self) -> FailureCode | None:
        """The first code that holds, in either mode; None where trust is established."""
        return self.readiness.failure

    @property
    def trust_state(self) -> TrustState:
        """Trusted under the strict policy, without a failure and with a calibration that has an id."""
        is_trusted = self.policy.is_strict and self.failure_code is None and bool(self.calibration_id)
        return TrustState.TRUSTED if is_trusted else TrustState.DEGRADED

    @property
    def calibration_status(self) -> CalibrationStatus:
        """What is known of the calibration."""
        return self.readiness.calibration

    @property
    def is_calibrated(self) -> bool:
        """True only where a certified calibration with an id serves a trusted result."""
        return self.trust_state is TrustState.TRUSTED and self.calibration_status is CalibrationStatus.CERTIFIED

    @property
    def refusal(self) -> Refusal | None:
        """What is said instead of an answer; None where a search may go on.

        Under the strict policy every failure is refused; in development mode only those that leave nothing to search.
        """
        code = self.failure_code
        if code is None or not (self.policy.is_strict or code.prevents_retrieval):
            return None
        return Refusal(code, self.calibration_status, self.tenant_id, self.generation_id)

    def admit(self) -> None:
        """The gate: to be passed before anything is retrieved. Raises SearchRefusedError where there is a refusal."""
        if (refusal := self.refusal) is not None:
            raise SearchRefusedError(refusal)

    def choose_threshold(self, threshold: Threshold | None) -> Threshold | None:
        """The threshold that may be applied: none where another embedder made the cosines.

        Raises SearchRefusedError as `admit` does, and under the strict policy where there is no threshold at all, or
        no id of a calibration.
        """
        self.admit()
        if self.policy.is_strict and (threshold is None or not self.calibration_id):
            status = CalibrationStatus.UNKNOWN
            raise SearchRefusedError(
                Refusal(FailureCode.CALIBRATION_UNCERTIFIED, status, self.tenant_id, self.generation_id)
            )
        return None if self.failure_code is FailureCode.LINEAGE_MISMATCH else threshold
