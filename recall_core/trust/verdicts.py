"""The verdict on each hit, by precedence, before hits are compared with each other."""

from collections.abc import Iterable
from datetime import date, datetime

from recall_core.graph.evaluate import as_utc, judge_window
from recall_core.model.hit import HitVerdict
from recall_core.model.verdict import Verdict
from recall_core.trust.candidate import Candidate, Standing
from recall_core.trust.hit import Hit
from recall_core.trust.instants import Instants
from recall_core.trust.threshold import Threshold

_WINDOW = {
    Verdict.EXPIRED: HitVerdict.EXPIRED,
    Verdict.NOT_YET_VALID: HitVerdict.NOT_YET_VALID,
    Verdict.OK: HitVerdict.OK,
}


def judge_standing(standing: Standing, instants: Instants) -> HitVerdict:
    """What a memo's declarations and its recorded time say, whatever the query: `OK` is a memo in force."""
    return _judge_standing(standing, instants.day, instants.known_at)


def judge_hits(
    candidates: Iterable[Candidate], instants: Instants, threshold: Threshold | None, source: str
) -> list[Hit]:
    """Each candidate with its verdict and confidence, in the order given; all `UNVERIFIED` without a threshold."""
    if threshold is None:
        return [Hit(candidate, HitVerdict.UNVERIFIED, None, source) for candidate in candidates]
    day, known_at = instants.day, instants.known_at
    hits = []
    for candidate in candidates:
        verdict = _judge_standing(candidate.memo, day, known_at)
        cosine = candidate.cosine
        if verdict is HitVerdict.OK and not threshold.is_cleared_by(cosine):
            verdict = HitVerdict.LOW_CONFIDENCE
        hits.append(Hit(candidate, verdict, threshold.confidence(cosine), source))
    return hits


def _judge_standing(standing: Standing, day: date, known_at: datetime | None) -> HitVerdict:
    memo = standing.memo
    if not memo.is_valid:
        return HitVerdict.INVALID_METADATA
    if known_at is not None and standing.recorded is not None and as_utc(standing.recorded) > known_at:
        return HitVerdict.NOT_YET_KNOWN
    if standing.ambiguous:
        return HitVerdict.AMBIGUOUS_SUPERSESSION
    if standing.successors:
        return HitVerdict.SUPERSEDED
    return _WINDOW[judge_window(memo, day)]
