"""Why a hit has its verdict: every input of it."""

from dataclasses import dataclass
from datetime import datetime

from recall_core.trust.hit import Hit
from recall_core.trust.policy import CalibrationStatus, FailureCode
from recall_core.trust.result import TrustResult


@dataclass(frozen=True, slots=True)
class Why:
    """What the verdict on one hit was made from.

    `threshold` is the one applied to this query, `published_threshold` the artifact's. `is_readable` is False where the
    declarations or the window could not be read. `edge_paths` are the walks from the memo to each terminal successor,
    both ends included. Dates are as in `Validity`, instants in UTC.
    """

    cosine: float | None
    threshold: float | None
    published_threshold: float | None
    scale: float | None
    rule: str | None
    calibration_id: str | None
    calibration_status: CalibrationStatus
    failure_code: FailureCode | None
    is_readable: bool
    is_ambiguous: bool
    edge_paths: tuple[tuple[str, ...], ...]
    valid_from: str | None
    valid_until: str | None
    recorded: datetime | None
    at: datetime
    known_at: datetime | None
    clock: datetime
    promoted_from: str | None
    is_fetched: bool
    entailment: float | None


def explain(hit: Hit, result: TrustResult) -> Why:
    """The inputs of the verdict on `hit`, one of the result's. Made when asked for: a search pays nothing for it."""
    standing, threshold, validity = hit.candidate.memo, result.threshold, hit.validity
    published = None
    if threshold is not None:
        published = threshold.value if threshold.published is None else threshold.published
    return Why(
        cosine=hit.cosine,
        threshold=threshold.value if threshold else None,
        published_threshold=published,
        scale=threshold.scale if threshold else None,
        rule=threshold.rule if threshold else None,
        calibration_id=threshold.calibration_id if threshold else None,
        calibration_status=result.grounds.calibration_status,
        failure_code=result.grounds.failure_code,
        is_readable=standing.memo.is_valid,
        is_ambiguous=standing.ambiguous,
        edge_paths=tuple(tuple(successor.steps) for successor in standing.successors),
        valid_from=validity.valid_from,
        valid_until=validity.valid_until,
        recorded=standing.recorded,
        at=result.instants.at,
        known_at=result.instants.known_at,
        clock=result.instants.clock,
        promoted_from=hit.promoted_from,
        is_fetched=hit.is_fetched,
        entailment=hit.entailment,
    )
