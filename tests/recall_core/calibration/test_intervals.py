"""Limits and intervals against scipy, against published figures, and by simulation with a fixed seed (E7)."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from recall_core.calibration.auroc import measure_auroc
from recall_core.calibration.intervals import (
    Interval,
    beta_cdf,
    beta_quantile,
    binomial_cdf,
    hanley_mcneil,
    logit_interval,
    lower_limit,
    upper_limit,
)

SEED = 20260301


@given(st.floats(0, 1), st.floats(0.5, 3000), st.floats(0.5, 3000))
def test_the_beta_distribution_is_that_of_scipy(x: float, a: float, b: float) -> None:
    assert beta_cdf(x, a, b) == pytest.approx(stats.beta.cdf(x, a, b), rel=1e-8, abs=1e-12)


@given(st.floats(0.001, 0.999), st.integers(1, 2000), st.integers(1, 2000))
def test_its_quantile_is_that_of_scipy(probability: float, a: int, b: int) -> None:
    assert beta_quantile(probability, a, b) == pytest.approx(stats.beta.ppf(probability, a, b), rel=1e-8)


@given(st.integers(0, 400), st.integers(0, 400), st.floats(0.001, 0.999))
def test_the_binomial_distribution_is_that_of_scipy(events: int, trials: int, share: float) -> None:
    assert binomial_cdf(events, trials, share) == pytest.approx(stats.binom.cdf(events, trials, share), abs=1e-10)


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.99])
@pytest.mark.parametrize(("events", "trials"), [(0, 1), (0, 20), (1, 20), (5, 200), (19, 20), (250, 500), (3, 10_000)])
def test_clopper_pearson_is_that_of_scipy(events: int, trials: int, confidence: float) -> None:
    test = stats.binomtest(events, trials, alternative="less").proportion_ci(confidence, method="exact")
    assert upper_limit(events, trials, confidence) == pytest.approx(test.high, rel=1e-9)
    test = stats.binomtest(events, trials, alternative="greater").proportion_ci(confidence, method="exact")
    assert lower_limit(events, trials, confidence) == pytest.approx(test.low, rel=1e-9)


@pytest.mark.parametrize(("trials", "limit"), [(20, 0.109), (30, 0.074), (45, 0.050), (100, 0.023), (200, 0.011)])
def test_the_limit_without_an_error_by_hand(trials: int, limit: float) -> None:
    """1 - 0.1^(1/n)."""
    assert upper_limit(0, trials, 0.9) == pytest.approx(limit, abs=5e-4)
    assert upper_limit(0, trials, 0.9) == pytest.approx(1 - 0.1 ** (1 / trials), rel=1e-9)


def test_the_ends_of_a_share() -> None:
    assert upper_limit(0, 0, 0.9) == upper_limit(5, 5, 0.9) == 1
    assert lower_limit(0, 0, 0.9) == lower_limit(0, 5, 0.9) == 0


@pytest.mark.parametrize("share", [0.03, 0.05, 0.3])
@pytest.mark.parametrize("trials", [20, 45, 200])
def test_the_limits_hold_as_often_as_they_say(share: float, trials: int) -> None:
    """By the exact distribution of what is seen, which is a simulation without its noise."""
    chances = stats.binom.pmf(range(trials + 1), trials, share)
    above = sum(chance for events, chance in enumerate(chances) if upper_limit(events, trials, 0.9) >= share)
    below = sum(chance for events, chance in enumerate(chances) if lower_limit(events, trials, 0.9) <= share)
    assert above >= 0.9
    assert below >= 0.9


def test_hanley_and_mcneil_in_the_figures_of_the_seed() -> None:
    """E7."""
    found = hanley_mcneil(0.753, 470, 30)
    assert (round(found.low, 3), round(found.high, 3)) == (0.680, 0.826)
    assert hanley_mcneil(1.0, 20, 20) == Interval(1, 1)
    assert hanley_mcneil(0.0, 20, 20) == Interval(0, 0)


def test_hanley_and_mcneil_by_hand() -> None:
    """0.893 over 51 and 58: Q1 0.80668, Q2 0.84252; (0.09555 + 50 · 0.00923 + 57 · 0.04507) / 2958 = 0.03251²."""
    found = hanley_mcneil(0.893, 51, 58)
    assert (0.893 - found.low) / stats.norm.ppf(0.975) == pytest.approx(0.03251, abs=2e-5)


def test_the_logit_interval_by_hand() -> None:
    """ln 9 ± 1.96 · 0.03 / 0.09."""
    found = logit_interval(0.9, 0.03)
    assert found is not None
    for end, sign in ((found.low, -1), (found.high, 1)):
        assert math.log(end / (1 - end)) == pytest.approx(math.log(9) + sign * 1.959964 / 3, abs=1e-6)
    assert logit_interval(1.0, 0.0) is None
    assert logit_interval(0.0, 0.0) is None


@pytest.mark.parametrize(("labels", "least"), [(20, 0.91), (50, 0.93), (200, 0.935)])
def test_the_logit_interval_covers_by_simulation(labels: int, least: float) -> None:
    """Normal scores of a known AUROC, 0.90; nominally 0.95 of the intervals hold it."""
    chance = np.random.default_rng(SEED)
    apart = math.sqrt(2) * stats.norm.ppf(0.90)
    rounds, held, low_is_wrong = 1500, 0, 0
    for _ in range(rounds):
        found = measure_auroc(chance.normal(apart, 1, labels).tolist(), chance.normal(0, 1, labels).tolist())
        interval = logit_interval(found.area, found.error) or Interval(found.area, found.area)
        held += interval.low <= 0.90 <= interval.high
        low_is_wrong += interval.low > 0.90
    assert held / rounds >= least
    # What certification rests on is the lower end: nominally wrong 0.025 of the time.
    assert low_is_wrong / rounds <= 0.045


def test_hanley_and_mcneil_cover_by_simulation() -> None:
    chance = np.random.default_rng(SEED)
    apart = math.sqrt(2) * stats.norm.ppf(0.90)
    held = 0
    for _ in range(1500):
        found = measure_auroc(chance.normal(apart, 1, 50).tolist(), chance.normal(0, 1, 50).tolist())
        interval = hanley_mcneil(found.area, 50, 50)
        held += interval.low <= 0.90 <= interval.high
    assert held / 1500 >= 0.92
