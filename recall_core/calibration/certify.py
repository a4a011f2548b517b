"""From scores and a threshold to a certificate. It never moves the threshold."""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from recall_core.calibration.auroc import measure_auroc
from recall_core.calibration.certificate import Certificate, ErrorRates, Ground, Limit, Separability, Slice
from recall_core.calibration.intervals import hanley_mcneil, logit_interval, lower_limit, upper_limit
from recall_core.calibration.rule import Bounded, Conformal, Midgap, Rule
from recall_core.calibration.sample import Sample, split_scores
from recall_core.calibration.threshold import Placement, Shortfall, place_sorted

LEAST_PER_CLASS = 20
"""The labelled queries of either class without which nothing is certified."""
LEAST_AUROC = 0.90
"""What the lower ends of the intervals have to reach."""
TARGET = 0.05
"""The share of false answers that is to be proven where the rule names none."""
CONFIDENCE = 0.90
"""Of the exact limits, where the rule names none."""


def certify(samples: Sequence[Sample], placement: Placement, rule: Rule) -> Certificate:
    """The certificate of the threshold that `rule` placed for these samples.

    The limit of false answers is exact where a target put the threshold just past the k-th highest unanswerable score:
    the share above that score is a Beta variable whose quantile is the Clopper-Pearson limit. Where `midgap` decides,
    both limits were simulated and fail less often than they say.
    """
    answerable, unanswerable = split_scores(samples)
    target, confidence = _promise(rule)
    answered = len(answerable) - bisect_left(answerable, placement.threshold)
    wrong = len(unanswerable) - bisect_left(unanswerable, placement.threshold)
    return Certificate(
        measure_separability(answerable, unanswerable),
        Limit(wrong, len(unanswerable), upper_limit(wrong, len(unanswerable), confidence), confidence),
        Limit(answered, len(answerable), lower_limit(answered, len(answerable), confidence), confidence),
        target,
        count_missing(wrong, len(unanswerable), target, confidence),
        ErrorRates(_share(len(answerable) - answered, len(answerable)), _share(wrong, len(unanswerable))),
        leave_one_out(answerable, unanswerable, rule),
        _slice(samples, placement.threshold),
    )


def measure_separability(answerable: Sequence[float], unanswerable: Sequence[float]) -> Separability:
    """Whether the classes are apart: at least 20 queries in either, and both lower ends at 0.90 or above.

    The second interval is there because Hanley and McNeil's alone certifies a true AUROC of 0.90 too often at 20
    labels. At an AUROC of 1 the second does not exist and the first decides alone.
    """
    positives, negatives = len(answerable), len(unanswerable)
    if not positives or not negatives:
        absent = "labelled" if not positives and not negatives else "unanswerable" if positives else "answerable"
        reason = f"there are no {absent} queries, so whether the classes are apart cannot be known"
        return Separability(Ground.ONE_CLASS, positives, negatives, None, None, None, reason)
    measured = measure_auroc(answerable, unanswerable)
    first = hanley_mcneil(measured.area, positives, negatives)
    second = None if math.isnan(measured.error) else logit_interval(measured.area, measured.error)
    low = min(first.low, second.low) if second is not None else first.low
    if min(positives, negatives) < LEAST_PER_CLASS:
        ground = Ground.TOO_FEW
        reason = (
            f"{positives} answerable and {negatives} unanswerable queries are too few; "
            f"{LEAST_PER_CLASS} of either class are needed"
        )
    elif low < LEAST_AUROC:
        ground = Ground.OVERLAP
        reason = (
            f"the classes overlap: the AUROC of {measured.area:.3f} may be as low as {low:.3f}, under {LEAST_AUROC:.2f}"
        )
    else:
        ground = Ground.SEPARATE
        reason = f"the classes are apart: the AUROC of {measured.area:.3f} is at least {low:.3f}"
    return Separability(ground, positives, negatives, measured.area, first, second, reason)


def count_missing(wrong: int, labels: int, target: float, confidence: float) -> int:
    """How many more unanswerable labels, all refused, bring the upper limit of false answers to `target`."""
    if labels and upper_limit(wrong, labels, confidence) <= target:
        return 0
    enough = max(1, labels)
    while upper_limit(wrong, enough, confidence) > target:
        enough *= 2
    short = enough // 2
    while enough - short > 1:
        middle = (short + enough) // 2
        if upper_limit(wrong, middle, confidence) > target:
            short = middle
        else:
            enough = middle
    return enough - labels


def leave_one_out(answerable: Sequence[float], unanswerable: Sequence[float], rule: Rule) -> ErrorRates:
    """The error rates when each query is judged by the threshold of all others; scores in rising order.

    NaN for a class with fewer than two queries. Where the others are too few for the rule's target, nothing is
    answered.
    """
    refused = sum(
        score < _threshold(_without(answerable, place), unanswerable, rule) for place, score in enumerate(answerable)
    )
    wrong = sum(
        score >= _threshold(answerable, _without(unanswerable, place), rule) for place, score in enumerate(unanswerable)
    )
    return ErrorRates(
        _share(refused, len(answerable)) if len(answerable) > 1 else math.nan,
        _share(wrong, len(unanswerable)) if len(unanswerable) > 1 else math.nan,
    )


def _threshold(answerable: Sequence[float], unanswerable: Sequence[float], rule: Rule) -> float:
    placed = place_sorted(answerable, unanswerable, rule)
    return math.inf if isinstance(placed, Shortfall) else placed.threshold


def _without(scores: Sequence[float], place: int) -> list[float]:
    return [*scores[:place], *scores[place + 1 :]]


def _promise(rule: Rule) -> tuple[float, float]:
    match rule:
        case Midgap():
            return TARGET, CONFIDENCE
        case Conformal():
            return float(rule.alpha), CONFIDENCE
        case Bounded():
            return float(rule.alpha), float(1 - rule.delta)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan


def _slice(samples: Sequence[Sample], threshold: float) -> tuple[Slice, ...]:
    """The unanswerable queries by kind, those that say none last; nothing where none says one."""
    unanswerable = [sample for sample in samples if not sample.answerable]
    names = [sample.kind.value if sample.kind is not None else "" for sample in unanswerable]
    if not any(names):
        return ()
    answered = Counter(name for name, each in zip(names, unanswerable, strict=True) if each.score >= threshold)
    counted = Counter(names)
    return tuple(
        Slice(name, answered[name], counted[name]) for name in sorted(counted, key=lambda name: (not name, name))
    )
