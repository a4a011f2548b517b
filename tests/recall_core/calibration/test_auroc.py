"""The AUROC and DeLong's error of it (E7)."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from recall_core.calibration.auroc import measure_auroc, measure_gain

SCORES = st.lists(st.integers(0, 12).map(lambda step: step / 12), min_size=2, max_size=25)


def kernel(high: float, low: float) -> float:
    return 1.0 if high > low else 0.5 if high == low else 0.0


@given(SCORES, SCORES)
def test_the_area_and_its_error_by_every_pair(answerable: list[float], unanswerable: list[float]) -> None:
    """DeLong et al. 1988, section 2, written out: structural components and their sample variances."""
    above = [np.mean([kernel(high, low) for low in unanswerable]) for high in answerable]
    below = [np.mean([kernel(high, low) for high in answerable]) for low in unanswerable]
    variance = np.var(above, ddof=1) / len(above) + np.var(below, ddof=1) / len(below)
    found = measure_auroc(answerable, unanswerable)
    assert found.area == pytest.approx(np.mean(above), abs=1e-12)
    assert found.error == pytest.approx(math.sqrt(variance), abs=1e-9)


@given(SCORES, SCORES)
def test_the_area_is_that_of_the_rank_sum_test_of_scipy(answerable: list[float], unanswerable: list[float]) -> None:
    statistic = stats.mannwhitneyu(answerable, unanswerable, method="asymptotic").statistic
    area = measure_auroc(answerable, unanswerable).area
    assert area == pytest.approx(statistic / (len(answerable) * len(unanswerable)), abs=1e-12)


def test_a_tie_counts_half() -> None:
    """E7."""
    assert measure_auroc([0.5, 0.5], [0.5, 0.5, 0.5]).area == 0.5
    assert measure_auroc([0.5, 0.9], [0.5]).area == 0.75


def test_apart_and_turned_round() -> None:
    """E7: at an AUROC of 1 the error is 0."""
    assert measure_auroc([0.8, 0.9], [0.1, 0.2]).area == 1
    assert measure_auroc([0.8, 0.9], [0.1, 0.2]).error == 0
    assert measure_auroc([0.1, 0.2], [0.8, 0.9]).area == 0


def test_one_score_in_a_class_has_an_area_and_no_error() -> None:
    found = measure_auroc([0.9], [0.1, 0.2])
    assert found.area == 1
    assert math.isnan(found.error)
    with pytest.raises(ValueError, match="both classes"):
        measure_auroc([], [0.1])


@given(st.integers(0, 10_000))
def test_the_gain_by_the_covariance_matrix(seed: int) -> None:
    """DeLong et al. 1988, equation 5: the variances of both and twice their covariance."""
    chance = np.random.default_rng(seed)
    ours, theirs = chance.normal(size=(2, 40)), chance.normal(size=(2, 30))
    ours[1] += ours[0]
    theirs[1] += theirs[0]
    above = np.array([[np.mean([kernel(high, low) for low in theirs[i]]) for high in ours[i]] for i in range(2)])
    below = np.array([[np.mean([kernel(high, low) for high in ours[i]]) for low in theirs[i]] for i in range(2)])
    matrix = np.cov(above) / 40 + np.cov(below) / 30
    found = measure_gain((ours[0].tolist(), theirs[0].tolist()), (ours[1].tolist(), theirs[1].tolist()))
    assert found.difference == pytest.approx(above[0].mean() - above[1].mean(), abs=1e-12)
    assert found.error == pytest.approx(math.sqrt(matrix[0, 0] + matrix[1, 1] - 2 * matrix[0, 1]), abs=1e-9)


def test_the_same_scores_gain_nothing_without_error() -> None:
    scores = ([0.4, 0.5, 0.9], [0.1, 0.45])
    found = measure_gain(scores, scores)
    assert (found.difference, found.error) == (0, 0)


def test_the_error_of_a_gain_is_right_by_simulation() -> None:
    """The spread of the gains over many draws is what their errors say on average."""
    chance = np.random.default_rng(20260301)
    gains, errors = [], []
    for _ in range(600):
        high, low = chance.normal(1, 1, 60), chance.normal(0, 1, 60)
        other_high, other_low = high + chance.normal(0, 0.7, 60), low + chance.normal(0, 0.7, 60)
        found = measure_gain((high.tolist(), low.tolist()), (other_high.tolist(), other_low.tolist()))
        gains.append(found.difference)
        errors.append(found.error)
    assert np.mean(errors) == pytest.approx(np.std(gains), rel=0.1)
