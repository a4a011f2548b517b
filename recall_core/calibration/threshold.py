"""Where the threshold lies between the scores of answerable and of unanswerable queries."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never

from recall_core.calibration.intervals import binomial_cdf
from recall_core.calibration.rule import Bounded, Conformal, Midgap, Rule

_STEPS = 1000
"""A threshold is a multiple of one thousandth."""
_NOISE = 1e-9
"""The part of a step by which a sum of decimals may miss a multiple that it means."""
NO_SCORES = 0.5
"""The threshold that nothing was measured for."""
SPARSE_SCALE = 0.05
LEAST_SCALE = 0.01


@dataclass(frozen=True, slots=True)
class Placement:
    """A threshold: a query is answered when its best score is at least `threshold`. `scale` is that of confidence.

    `midgap` is where the rule of that name alone puts it; a target never goes below.
    """

    threshold: float
    scale: float
    midgap: float

    @property
    def is_stricter(self) -> bool:
        """Whether a target moved it."""
        return self.threshold > self.midgap


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A target that no threshold can be shown to keep: `needed` unanswerable labels would do, `missing` more."""

    needed: int
    missing: int

    def __str__(self) -> str:
        return (
            f"this target needs at least {self.needed} unanswerable labels, whatever the threshold; "
            f"{self.missing} are missing"
        )


def place_threshold(answerable: Sequence[float], unanswerable: Sequence[float], rule: Rule) -> Placement | Shortfall:
    """The threshold for these scores, of the best hit of each labelled query, in any order.

    A target (`conformal`, `bounded`) gives the stricter of its own threshold and of midgap's. Both are multiples of
    0.001: midgap is rounded down, a target up, past the score that it must refuse. Raises ValueError for a score that
    is not finite.
    """
    if not all(map(math.isfinite, (*answerable, *unanswerable))):
        raise ValueError("a score is a finite number")
    return place_sorted(sorted(answerable), sorted(unanswerable), rule)


def place_sorted(answerable: Sequence[float], unanswerable: Sequence[float], rule: Rule) -> Placement | Shortfall:
    """As `place_threshold`, for finite scores in rising order."""
    midgap = _round_down(_middle(answerable, unanswerable))
    scale = _scale(answerable, unanswerable)
    if isinstance(rule, Midgap):
        return Placement(midgap, scale, midgap)
    allowed = allowed_errors(len(unanswerable), rule)
    if allowed < 0:
        needed = least_labels(rule)
        return Shortfall(needed, needed - len(unanswerable))
    if allowed >= len(unanswerable):
        return Placement(midgap, scale, midgap)
    refused = unanswerable[len(unanswerable) - 1 - allowed]
    return Placement(max(midgap, _round_past(refused)), scale, midgap)


def allowed_errors(labels: int, rule: Conformal | Bounded) -> int:
    """How many of so many unanswerable queries may be answered for the rule to keep its target; -1 where not even none.

    Conformal: the largest k with (k + 1) / (n + 1) <= alpha (conformal risk control; Angelopoulos et al. 2024,
    section 2.1). Bounded: the largest k whose Clopper-Pearson upper limit at 1 - delta is at most alpha. The steps are
    walked from the strictest threshold on and the walk ends at the first that fails, so looking at several costs
    nothing (fixed-sequence testing; Angelopoulos et al. 2021, "Learn then Test", section 2.3).
    """
    match rule:
        case Conformal():
            return math.floor(Fraction(rule.alpha) * (labels + 1)) - 1
        case Bounded():
            alpha, delta = float(rule.alpha), float(rule.delta)
            kept = -1
            while kept < labels and binomial_cdf(kept + 1, labels, alpha) <= delta:
                kept += 1
            return kept
        case _:
            assert_never(rule)


def least_labels(rule: Conformal | Bounded) -> int:
    """The number of unanswerable labels below which the rule can promise nothing, were all of them refused."""
    match rule:
        case Conformal():
            return math.ceil(1 / Fraction(rule.alpha)) - 1
        case Bounded():
            needed = max(1, math.floor(math.log(rule.delta) / math.log1p(-float(rule.alpha))))
            while allowed_errors(needed, rule) < 0:
                needed += 1
            return needed
        case _:
            assert_never(rule)


def quantile(ordered: Sequence[float], share: float) -> float:
    """The element at index floor(share * n) of numbers in rising order, of which there is at least one."""
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def _middle(answerable: Sequence[float], unanswerable: Sequence[float]) -> float:
    """Between the low end of the answerable and the high end of the unanswerable, each without its outliers."""
    if not answerable and not unanswerable:
        return NO_SCORES
    if not unanswerable:
        return quantile(answerable, 0.05)
    if not answerable:
        return quantile(unanswerable, 0.95)
    return (quantile(answerable, 0.05) + quantile(unanswerable, 0.95)) / 2


def _scale(answerable: Sequence[float], unanswerable: Sequence[float]) -> float:
    if min(len(answerable), len(unanswerable)) < 2:
        return SPARSE_SCALE
    return max((quantile(answerable, 0.25) - quantile(unanswerable, 0.75)) / 4, LEAST_SCALE)


def _round_down(score: float) -> float:
    return math.floor(score * _STEPS + _NOISE) / _STEPS


def _round_past(score: float) -> float:
    """The least multiple above the score."""
    step = math.floor(score * _STEPS)
    while step / _STEPS <= score:
        step += 1
    return step / _STEPS
