"""What a certificate says (E5, E6, E10), and how often it is right."""

import math
from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from recall_core.calibration.certificate import Certificate, Ground, Slice
from recall_core.calibration.certify import certify, count_missing, leave_one_out, measure_separability
from recall_core.calibration.intervals import upper_limit
from recall_core.calibration.queryset import Kind
from recall_core.calibration.rule import Midgap, parse_rule
from recall_core.calibration.sample import Sample
from recall_core.calibration.threshold import Placement, place_threshold


def samples_of(answerable: Sequence[float], unanswerable: Sequence[float], kind: Kind | None = None) -> list[Sample]:
    return [Sample(f"a{number}", True, score, score) for number, score in enumerate(answerable)] + [
        Sample(f"u{number}", False, score, score, kind) for number, score in enumerate(unanswerable)
    ]


def certify_scores(answerable: Sequence[float], unanswerable: Sequence[float], rule: str = "midgap") -> Certificate:
    parsed = parse_rule(rule)
    placed = place_threshold(answerable, unanswerable, parsed)
    assert isinstance(placed, Placement)
    return certify(samples_of(answerable, unanswerable), placed, parsed)


HIGH = [0.6 + step / 100 for step in range(20)]
LOW = [0.1 + step / 100 for step in range(20)]


@pytest.mark.parametrize(
    ("answerable", "unanswerable", "ground", "certified"),
    [
        ([], [], Ground.ONE_CLASS, None),
        (HIGH, [], Ground.ONE_CLASS, None),
        ([], LOW, Ground.ONE_CLASS, None),
        (HIGH[:19], LOW, Ground.TOO_FEW, False),
        (HIGH, LOW[:19], Ground.TOO_FEW, False),
        (HIGH[:1], LOW[:1], Ground.TOO_FEW, False),
        (HIGH, [*LOW[:15], *HIGH[:5]], Ground.OVERLAP, False),
        (LOW, HIGH, Ground.OVERLAP, False),
        (HIGH, LOW, Ground.SEPARATE, True),
    ],
)
def test_the_decision(
    answerable: list[float], unanswerable: list[float], ground: Ground, certified: bool | None
) -> None:
    """E5."""
    found = measure_separability(sorted(answerable), sorted(unanswerable))
    assert found.ground is ground
    assert found.certified is certified


def test_every_reason_is_another_one() -> None:
    """E5."""
    cases = [([], []), (HIGH, []), ([], LOW), (HIGH[:19], LOW), (LOW, HIGH), (HIGH, LOW)]
    reasons = [measure_separability(answerable, unanswerable).reason for answerable, unanswerable in cases]
    assert len(set(reasons)) == len(reasons)


def test_at_an_area_of_one_hanley_and_mcneil_decide_alone() -> None:
    found = measure_separability(HIGH, LOW)
    assert found.logit_delong is None
    assert found.hanley_mcneil is not None
    assert found.hanley_mcneil.low == 1


def test_both_intervals_have_to_reach_the_bar() -> None:
    """Here Hanley and McNeil's lower end is above 0.90 and logit-DeLong's is not: one far outlier makes the area."""
    answerable = sorted([*HIGH[:-1], 0.05])
    found = measure_separability(answerable, LOW)
    assert found.hanley_mcneil is not None
    assert found.logit_delong is not None
    assert found.logit_delong.low < 0.90
    assert found.certified is False


def test_certification_is_wrong_no_more_often_than_it_says() -> None:
    """At a true AUROC of 0.90 and 20 labels a class, Hanley and McNeil alone are wrong 9 % of the time."""
    chance = np.random.default_rng(20260301)
    apart = math.sqrt(2) * stats.norm.ppf(0.90)
    wrong, alone = 0, 0
    for _ in range(2000):
        found = measure_separability(sorted(chance.normal(apart, 1, 20)), sorted(chance.normal(0, 1, 20)))
        assert found.hanley_mcneil is not None
        wrong += found.certified is True and found.auroc != 1
        alone += found.hanley_mcneil.low >= 0.90
    assert wrong / 2000 <= 0.04
    assert alone / 2000 >= 0.06


def test_certification_moves_neither_threshold_nor_scale() -> None:
    """E6: the certificate is made from the placement, and holds none of its own."""
    placed = place_threshold(HIGH, LOW, Midgap())
    assert isinstance(placed, Placement)
    certify(samples_of(HIGH, LOW), placed, Midgap())
    assert placed == place_threshold(HIGH, LOW, Midgap())


def test_the_limits_stand_at_the_threshold() -> None:
    certificate = certify_scores(HIGH, [*LOW[:18], 0.65, 0.7], "midgap")
    placed = place_threshold(HIGH, [*LOW[:18], 0.65, 0.7], Midgap())
    assert isinstance(placed, Placement)
    wrong = sum(score >= placed.threshold for score in [*LOW[:18], 0.65, 0.7])
    answered = len(HIGH) - bisect_left(HIGH, placed.threshold)
    assert (certificate.false_answers.events, certificate.false_answers.trials) == (wrong, 20)
    assert certificate.false_answers.rate == wrong / 20
    high = stats.binomtest(wrong, 20, alternative="less").proportion_ci(0.9, method="exact").high
    assert certificate.false_answers.limit == pytest.approx(high)
    low = stats.binomtest(answered, 20, alternative="greater").proportion_ci(0.9, method="exact").low
    assert certificate.coverage.limit == pytest.approx(low)


@pytest.mark.parametrize(
    ("rule", "target", "confidence"),
    [("midgap", 0.05, 0.9), ("conformal:0.1", 0.1, 0.9), ("bounded:0.2,0.05", 0.2, 0.95)],
)
def test_the_certificate_proves_what_the_rule_aims_at(rule: str, target: float, confidence: float) -> None:
    certificate = certify_scores(HIGH, LOW, rule)
    assert certificate.target == target
    assert certificate.false_answers.confidence == certificate.coverage.confidence == confidence


@pytest.mark.parametrize(
    ("wrong", "labels", "missing"),
    [(0, 20, 25), (0, 44, 1), (0, 45, 0), (0, 0, 45), (1, 45, 32), (5, 200, 0), (20, 20, 518)],
)
def test_the_labels_that_are_missing(wrong: int, labels: int, missing: int) -> None:
    found = count_missing(wrong, labels, 0.05, 0.9)
    if missing:
        assert upper_limit(wrong, labels + found, 0.9) <= 0.05 < upper_limit(wrong, labels + found - 1, 0.9)
    assert found == missing


def test_a_bounded_rule_that_could_be_placed_is_proven() -> None:
    low = [0.1 + step / 1000 for step in range(100)]
    assert certify_scores(HIGH, low, "bounded:0.05,0.1").is_bound_proven
    assert not certify_scores(HIGH, low[:40], "midgap").is_bound_proven


def test_leaving_one_out_by_hand() -> None:
    """E10."""
    rates = leave_one_out([0.5, 0.9], [0.2, 0.4], Midgap())
    # 0.5 left out: (0.9 + 0.4) / 2 = 0.65 refuses it. 0.9 left out: (0.5 + 0.4) / 2 = 0.45 answers it.
    assert rates.false_abstention == 0.5
    # 0.4 left out: (0.5 + 0.2) / 2 = 0.35 answers it. 0.2 left out: 0.45 refuses it.
    assert rates.false_answer == 0.5


def test_the_rates_in_sample_stand_beside() -> None:
    """E10."""
    certificate = certify_scores([0.5, 0.9], [0.2, 0.4])
    assert (certificate.in_sample.false_abstention, certificate.in_sample.false_answer) == (0, 0)
    assert (certificate.leave_one_out.false_abstention, certificate.leave_one_out.false_answer) == (0.5, 0.5)


@pytest.mark.parametrize("scores", [[], [0.5]])
def test_under_two_samples_nothing_can_be_left_out(scores: list[float]) -> None:
    """E10."""
    rates = leave_one_out(scores, scores, Midgap())
    assert math.isnan(rates.false_abstention)
    assert math.isnan(rates.false_answer)


def test_where_the_others_are_too_few_for_the_target_nothing_is_answered() -> None:
    rates = leave_one_out(HIGH, LOW[:19], parse_rule("conformal:0.05"))
    assert (rates.false_abstention, rates.false_answer) == (0, 0)


def test_kinds_are_counted_apart() -> None:
    placed = place_threshold(HIGH, LOW, Midgap())
    assert isinstance(placed, Placement)
    near = [Sample("n", False, 0.7, 0.7, Kind.NEAR), Sample("m", False, 0.1, 0.1, Kind.NEAR)]
    samples = [*samples_of(HIGH, LOW, Kind.FAR), *near, Sample("x", False, 0.1, 0.1)]
    assert certify(samples, placed, Midgap()).slices == (Slice("far", 0, 20), Slice("near", 1, 2), Slice("", 0, 1))
    assert certify(samples_of(HIGH, LOW), placed, Midgap()).slices == ()


@pytest.mark.parametrize("rule", ["conformal:0.05", "bounded:0.05,0.1"])
def test_a_target_keeps_its_promise_by_simulation(rule: str) -> None:
    """Normal scores whose false-answer rate at a threshold is known; 100 labels a class, 1,000 draws."""
    chance = np.random.default_rng(20260301)
    rates, limits_hold = [], 0
    for _ in range(1000):
        answerable, unanswerable = chance.normal(0.7, 0.1, 100).tolist(), chance.normal(0.4, 0.1, 100).tolist()
        placed = place_threshold(answerable, unanswerable, parse_rule(rule))
        assert isinstance(placed, Placement)
        rate = stats.norm.sf(placed.threshold, 0.4, 0.1)
        rates.append(rate)
        wrong = sum(score >= placed.threshold for score in unanswerable)
        limits_hold += upper_limit(wrong, 100, 0.9) >= rate
    assert np.mean(rates) <= 0.05
    if rule.startswith("bounded"):
        assert np.mean(np.array(rates) > 0.05) <= 0.12
    assert limits_hold / 1000 >= 0.88
