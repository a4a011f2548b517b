"""The area under the ROC curve: how often an answerable query scores above an unanswerable one."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Auroc:
    """An AUROC and DeLong's standard error of it, which is not a number under two scores in either class."""

    area: float
    error: float


@dataclass(frozen=True, slots=True)
class Gain:
    """By how much one score's AUROC exceeds another's on the same queries, and the paired standard error of that."""

    difference: float
    error: float


def measure_auroc(answerable: Sequence[float], unanswerable: Sequence[float]) -> Auroc:
    """The AUROC of a score, ties counted half, with its error (DeLong, DeLong and Clarke-Pearson 1988, section 2).

    By ranks, as Sun and Xu 2014 compute it, in the time that sorting takes. Raises ValueError where a class is empty.
    """
    above, below = _placements(answerable, unanswerable)
    return Auroc(float(above.mean()), math.sqrt(_variance(above) + _variance(below)))


def measure_gain(
    first: tuple[Sequence[float], Sequence[float]], second: tuple[Sequence[float], Sequence[float]]
) -> Gain:
    """The AUROC of `first` less that of `second`; each is the scores of the answerable and of the unanswerable.

    The queries stand in the same order in both (DeLong et al. 1988, equation 5). The error is 0 where the two scores
    put every query in the same place.
    """
    above, below = _placements(*first)
    other_above, other_below = _placements(*second)
    # The difference of two AUROCs is one mean of differences, so its variance needs no covariance matrix.
    above, below = above - other_above, below - other_below
    return Gain(float(above.mean()), math.sqrt(_variance(above) + _variance(below)))


def _placements(answerable: Sequence[float], unanswerable: Sequence[float]) -> tuple[Numbers, Numbers]:
    """For each answerable score the share of unanswerable ones below it; for each of these the answerable above it."""
    positives, negatives = np.asarray(answerable, np.float64), np.asarray(unanswerable, np.float64)
    if not positives.size or not negatives.size:
        raise ValueError("there is no AUROC without scores of both classes")
    return _share_below(positives, np.sort(negatives)), 1 - _share_below(negatives, np.sort(positives))


def _share_below(scores: Numbers, ordered: Numbers) -> Numbers:
    below = np.searchsorted(ordered, scores, "left")
    not_above = np.searchsorted(ordered, scores, "right")
    share: Numbers = (below + not_above) / (2.0 * ordered.size)
    return share


def _variance(placements: Numbers) -> float:
    """The part of the variance that one class brings in."""
    if placements.size < 2:
        return math.nan
    return float(placements.var(ddof=1)) / placements.size
