"""Where a threshold is placed (E2, E3, E4), and what a target does to it."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.calibration.rule import Bounded, Conformal, Midgap, parse_rule
from recall_core.calibration.threshold import (
    Placement,
    Shortfall,
    allowed_errors,
    least_labels,
    place_threshold,
)

COSINES = st.lists(st.floats(-1, 1), max_size=80)
TARGETS = st.sampled_from(["conformal:0.05", "conformal:0.2", "bounded:0.05,0.1", "bounded:0.3,0.1"]).map(parse_rule)


def place(answerable: list[float], unanswerable: list[float], rule: str = "midgap") -> Placement:
    placed = place_threshold(answerable, unanswerable, parse_rule(rule))
    assert isinstance(placed, Placement)
    return placed


def steps(first: int, last: int) -> list[float]:
    return [step / 1000 for step in range(first, last + 1)]


def test_midgap_lies_between_the_two_quantiles_and_not_at_the_least_answerable_score() -> None:
    """E2: of 100 scores each, the sixth answerable one and the 96th unanswerable one; by hand (0.605 + 0.395) / 2."""
    placed = place(steps(600, 699), steps(300, 399))
    assert placed.threshold == 0.5
    assert placed.threshold != 0.6


@pytest.mark.parametrize(
    ("answerable", "unanswerable", "threshold"),
    [
        ([0.7], [0.4], 0.55),
        ([0.7001], [0.4008], 0.55),
        ([0.702], [0.4015], 0.551),
        ([-0.2], [-0.3005], -0.251),
        ([0.57], [0.57], 0.57),
        ([0.29], [0.29], 0.29),
    ],
    ids=["exact", "down", "down again", "down below zero", "a decimal that floats miss", "another"],
)
def test_midgap_is_rounded_down(answerable: list[float], unanswerable: list[float], threshold: float) -> None:
    """E2. A decimal that a float represents a little too low is not pushed a step lower."""
    assert place(answerable, unanswerable).threshold == threshold


def test_one_class_and_no_scores_fall_back() -> None:
    """E3: the floor of the answerable, the ceiling of the unanswerable, one half."""
    assert place(steps(600, 699), []).threshold == 0.605
    assert place([], steps(300, 399)).threshold == 0.395
    assert place([], []) == Placement(0.5, 0.05, 0.5)


@pytest.mark.parametrize(
    ("answerable", "unanswerable", "scale"),
    [
        ([0.7], [0.4, 0.3], 0.05),
        ([0.7, 0.8], [0.4], 0.05),
        ([], [], 0.05),
        # q25 is the second of four, q75 the fourth of four: (0.7 - 0.4) / 4.
        ([0.6, 0.7, 0.8, 0.9], [0.1, 0.2, 0.3, 0.4], 0.075),
        ([0.5, 0.5], [0.5, 0.5], 0.01),
        ([0.1, 0.2], [0.8, 0.9], 0.01),
    ],
)
def test_the_scale(answerable: list[float], unanswerable: list[float], scale: float) -> None:
    """E4."""
    assert place(answerable, unanswerable).scale == pytest.approx(scale, abs=1e-12)


@given(COSINES, COSINES, TARGETS)
def test_a_target_is_only_ever_stricter_and_keeps_what_it_allows(
    answerable: list[float], unanswerable: list[float], rule: Conformal | Bounded
) -> None:
    placed = place_threshold(answerable, unanswerable, rule)
    allowed = allowed_errors(len(unanswerable), rule)
    if isinstance(placed, Shortfall):
        assert allowed < 0
        return
    midgap = place_threshold(answerable, unanswerable, Midgap())
    assert isinstance(midgap, Placement)
    assert placed.threshold >= midgap.threshold == placed.midgap
    assert placed.scale == midgap.scale
    assert sum(score >= placed.threshold for score in unanswerable) <= allowed
    assert placed.is_stricter == (placed.threshold > midgap.threshold)
    assert round(placed.threshold * 1000) / 1000 == placed.threshold
    # It is no stricter than it has to be, by a step of rounding.
    if placed.is_stricter:
        assert sum(score >= placed.threshold - 0.0011 for score in unanswerable) > allowed


@given(COSINES, COSINES, TARGETS | st.just(Midgap()), st.randoms(use_true_random=False))
def test_the_order_of_the_scores_is_nothing(
    answerable: list[float], unanswerable: list[float], rule: Conformal | Bounded | Midgap, chance
) -> None:
    before = place_threshold(answerable, unanswerable, rule)
    chance.shuffle(answerable)
    chance.shuffle(unanswerable)
    assert place_threshold(answerable, unanswerable, rule) == before


@pytest.mark.parametrize(
    ("labels", "rule", "allowed"),
    [
        # Conformal: (k + 1) / (n + 1) <= 0.05.
        (18, "conformal:0.05", -1),
        (19, "conformal:0.05", 0),
        (38, "conformal:0.05", 0),
        (39, "conformal:0.05", 1),
        (99, "conformal:0.05", 4),
        (9, "conformal:0.1", 0),
        # Bounded, by a table of the binomial distribution: 0.95^44 = 0.1047, 0.95^45 = 0.0994.
        (44, "bounded:0.05,0.1", -1),
        (45, "bounded:0.05,0.1", 0),
        (100, "bounded:0.05,0.1", 1),
        (200, "bounded:0.05,0.1", 5),
        (200, "bounded:0.05,0.05", 4),
    ],
)
def test_how_many_errors_a_target_allows(labels: int, rule: str, allowed: int) -> None:
    parsed = parse_rule(rule)
    assert not isinstance(parsed, Midgap)
    assert allowed_errors(labels, parsed) == allowed


@pytest.mark.parametrize("alpha", ["0.05", "0.07", "0.1", "0.001", "0.29", "0.57", "0.999"])
def test_the_conformal_count_is_exact_where_floats_are_not(alpha: str) -> None:
    rule = parse_rule(f"conformal:{alpha}")
    assert isinstance(rule, Conformal)
    for labels in range(3000):
        allowed = allowed_errors(labels, rule)
        assert Fraction(allowed + 1, labels + 1) <= Fraction(alpha) < Fraction(allowed + 2, labels + 1)


@pytest.mark.parametrize(
    ("rule", "needed"),
    [
        ("conformal:0.05", 19),
        ("conformal:0.1", 9),
        ("conformal:0.5", 1),
        ("bounded:0.05,0.1", 45),
        ("bounded:0.9,0.9", 1),
    ],
)
def test_too_few_labels_are_counted_and_nothing_infinite_is_made(rule: str, needed: int) -> None:
    parsed = parse_rule(rule)
    assert not isinstance(parsed, Midgap)
    assert least_labels(parsed) == needed
    short = place_threshold([0.9], [0.1] * (needed - 1), parsed)
    assert short == Shortfall(needed, 1)
    assert f"at least {needed} unanswerable labels" in str(short)
    assert isinstance(place_threshold([0.9], [0.1] * needed, parsed), Placement)


def test_a_target_is_rounded_up_past_the_score_that_it_refuses() -> None:
    """The seed rounds down, which would let the refused score in again."""
    unanswerable = [0.1] * 18 + [0.61234]
    assert place([0.3] * 20, unanswerable, "conformal:0.05").threshold == 0.613
    assert place([0.3] * 20, [0.1] * 18 + [0.612], "conformal:0.05").threshold == 0.613


@pytest.mark.parametrize("rule", ["conformal:0.05", "bounded:0.05,0.1"])
def test_a_target_that_is_laxer_than_midgap_moves_nothing(rule: str) -> None:
    placed = place([0.9] * 60, [0.1] * 60, rule)
    assert placed == place([0.9] * 60, [0.1] * 60)
    assert not placed.is_stricter


def test_scores_that_tie_are_refused_together() -> None:
    unanswerable = [0.1] * 30 + [0.5] * 9
    assert place([0.9] * 20, unanswerable, "conformal:0.05").threshold >= 0.501


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("place_of_it", [0, 1, 2])
def test_a_score_that_is_no_number_is_refused(score: float, place_of_it: int) -> None:
    scores = [0.2, 0.3]
    scores.insert(place_of_it, score)
    with pytest.raises(ValueError, match="finite"):
        place_threshold(scores, [0.1], Midgap())
