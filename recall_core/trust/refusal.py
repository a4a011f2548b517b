"""The answer of a gate that could not judge. It is never an empty result, and it holds no part of the corpus."""

from dataclasses import dataclass

from recall_core.errors import RecallError
from recall_core.trust.advice import advise
from recall_core.trust.policy import CalibrationStatus, FailureCode


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing was retrieved. Identities only: no query, text, path, preview or score has a place in it."""

    failure_code: FailureCode
    calibration_status: CalibrationStatus
    tenant_id: str
    generation_id: str | None

    @property
    def advice(self) -> str:
        """That no trustworthy decision was possible, why, and what to type."""
        return advise(self.failure_code, tenant_id=self.tenant_id, generation_id=self.generation_id)

    def to_json(self) -> dict[str, str | int | bool | None]:
        """The stable object of exit status 3."""
        return {
            "version": 1,
            "refused": True,
            "failure_code": self.failure_code.value,
            "calibration_status": self.calibration_status.value,
            "advice": self.advice,
            "tenant_id": self.tenant_id,
            "generation_id": self.generation_id,
        }


class SearchRefusedError(RecallError):
    """The trust policy refuses to answer."""

    kind = "refused-search"

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.failure_code.value, help=refusal.advice)
        self.refusal = refusal
