"""What a measurement proves: whether the classes are apart, and how often the threshold errs."""

from dataclasses import dataclass
from enum import Enum

from recall_core.calibration.intervals import Interval


class Ground(Enum):
    """Why a measurement is certified or is not."""

    ONE_CLASS = "one-class"
    """Queries of one class alone, or none: the question cannot be answered."""
    TOO_FEW = "too-few"
    OVERLAP = "overlap"
    SEPARATE = "separate"


@dataclass(frozen=True, slots=True)
class Separability:
    """Whether answerable queries score above unanswerable ones, beyond what chance could do.

    `hanley_mcneil` and `logit_delong` are 95 % intervals of the AUROC. The second is None where there is none: at an
    AUROC of 0 or 1, and under two queries in a class.
    """

    ground: Ground
    answerable: int
    unanswerable: int
    auroc: float | None
    hanley_mcneil: Interval | None
    logit_delong: Interval | None
    reason: str

    @property
    def certified(self) -> bool | None:
        """True and False as the seed has it, None where one class is missing."""
        return None if self.ground is Ground.ONE_CLASS else self.ground is Ground.SEPARATE


@dataclass(frozen=True, slots=True)
class Limit:
    """A share `events / trials` and its exact one-sided limit at `confidence`, both 0 to 1."""

    events: int
    trials: int
    limit: float
    confidence: float

    @property
    def rate(self) -> float | None:
        """The share that was seen; None without any trial."""
        return self.events / self.trials if self.trials else None


@dataclass(frozen=True, slots=True)
class Slice:
    """How the unanswerable queries of one kind fared; `kind` is empty for those that do not say."""

    kind: str
    answered: int
    queries: int


@dataclass(frozen=True, slots=True)
class ErrorRates:
    """The share of answerable queries that are refused, of unanswerable ones that are answered; NaN where unknown."""

    false_abstention: float
    false_answer: float


@dataclass(frozen=True, slots=True)
class Certificate:
    """Everything that one measurement proves about one threshold.

    `false_answers` has the upper limit of the share of unanswerable queries that get an answer, `coverage` the lower
    limit of the share of answerable ones that do. `missing_labels` is how many further unanswerable labels, all of them
    refused, would bring the limit of false answers down to `target`; 0 where it is there already.
    """

    separability: Separability
    false_answers: Limit
    coverage: Limit
    target: float
    missing_labels: int
    in_sample: ErrorRates
    leave_one_out: ErrorRates
    slices: tuple[Slice, ...] = ()

    @property
    def certified(self) -> bool | None:
        """Whether an artifact with this certificate may be published (True alone)."""
        return self.separability.certified

    @property
    def is_bound_proven(self) -> bool:
        """Whether the target share of false answers is proven."""
        return self.missing_labels == 0
