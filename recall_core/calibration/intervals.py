"""Exact limits for shares, and intervals for the area under a ROC curve."""

import math
from dataclasses import dataclass
from statistics import NormalDist

_TINY = 1e-300
_MOST_TERMS = 100_000


@dataclass(frozen=True, slots=True)
class Interval:
    """From `low` to `high`, both included."""

    low: float
    high: float


def hanley_mcneil(auroc: float, positives: int, negatives: int, level: float = 0.95) -> Interval:
    """The interval for an AUROC from itself and the two counts, within 0 and 1; no width at 0 and at 1.

    Hanley and McNeil 1982, "The meaning and use of the area under a receiver operating characteristic (ROC) curve",
    equations 1 and 2. Both counts are at least 1.
    """
    higher = auroc / (2 - auroc)
    lower = 2 * auroc * auroc / (1 + auroc)
    square = auroc * auroc
    variance = (auroc * (1 - auroc) + (positives - 1) * (higher - square) + (negatives - 1) * (lower - square)) / (
        positives * negatives
    )
    half = _normal_quantile(level) * math.sqrt(max(variance, 0.0))
    return Interval(max(0.0, auroc - half), min(1.0, auroc + half))


def logit_interval(auroc: float, error: float, level: float = 0.95) -> Interval | None:
    """The interval for an AUROC with this standard error, made on the logit scale; None at 0 and at 1.

    With DeLong's error this is the logit interval of Pepe 2003, "The Statistical Evaluation of Medical Tests for
    Classification and Prediction", section 5.2.5.
    """
    if not 0 < auroc < 1:
        return None
    middle = math.log(auroc / (1 - auroc))
    half = _normal_quantile(level) * error / (auroc * (1 - auroc))
    return Interval(_logistic(middle - half), _logistic(middle + half))


def upper_limit(events: int, trials: int, confidence: float) -> float:
    """The one-sided Clopper-Pearson upper limit of a share (Clopper and Pearson 1934); 1 without any trial."""
    if events >= trials:
        return 1.0
    return beta_quantile(confidence, events + 1, trials - events)


def lower_limit(events: int, trials: int, confidence: float) -> float:
    """The one-sided Clopper-Pearson lower limit of a share; 0 without any event."""
    return 1 - upper_limit(trials - events, trials, confidence) if events else 0.0


def binomial_cdf(events: int, trials: int, share: float) -> float:
    """The probability of at most so many events in so many trials."""
    if events < 0:
        return 0.0
    if events >= trials:
        return 1.0
    return beta_cdf(1 - share, trials - events, events + 1)


def beta_quantile(probability: float, a: float, b: float) -> float:
    """Where the distribution function of Beta(a, b) reaches `probability`, by bisection to the last bit."""
    low, high = 0.0, 1.0
    while low < (middle := (low + high) / 2) < high:
        if beta_cdf(middle, a, b) < probability:
            low = middle
        else:
            high = middle
    return high


def beta_cdf(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b), for a and b above 0.

    By its continued fraction (NIST Digital Library of Mathematical Functions, 8.17.22), evaluated by the modified
    method of Lentz (Thompson and Barnett 1986), on the side of the mean where it converges quickly.
    """
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_cdf(1 - x, b, a)
    logarithm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    return math.exp(logarithm) / (a * _beta_fraction(x, a, b))


def _beta_fraction(x: float, a: float, b: float) -> float:
    """1 + d1/(1 + d2/(1 + …)) with the coefficients of DLMF 8.17.23."""
    value = upper = 1.0
    lower = 0.0
    for term in range(1, _MOST_TERMS):
        half = term // 2
        if term % 2:
            step = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            step = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        upper = _away_from_zero(1 + step / upper)
        lower = 1 / _away_from_zero(1 + step * lower)
        value *= upper * lower
        if abs(upper * lower - 1) < 1e-15:
            break
    return value


def _away_from_zero(number: float) -> float:
    return number if abs(number) > _TINY else _TINY


def _normal_quantile(level: float) -> float:
    return NormalDist().inv_cdf((1 + level) / 2)


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))
