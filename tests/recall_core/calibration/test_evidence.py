"""The model of the signals, and whether it is admitted."""

import random

import numpy as np
import pytest
from scipy import optimize

from recall_core.calibration.admission import admit_signals, assign_folds
from recall_core.calibration.confidence import scale_confidence
from recall_core.calibration.evidence import LEAST_WEIGHT, Evidence, fit_evidence, is_current
from recall_core.calibration.logistic import fit_logistic
from recall_core.calibration.sample import Sample
from recall_core.calibration.signals import NAMES, VERSION

TOLD = NAMES.index("coverage_of_best")


def draw(labels: int, seed: int, *, told: float) -> list[Sample]:
    """As many samples of either class whose cosines say a little, and one signal says more where `told` is above 0."""
    chance = random.Random(seed)
    samples = []
    for number in range(2 * labels):
        answerable = number % 2 == 0
        signals = [chance.gauss(0, 1) for _ in NAMES]
        signals[TOLD] += told * answerable
        cosine = chance.gauss(0.5 + 0.1 * answerable, 0.1)
        samples.append(Sample(f"e{number}", answerable, cosine, cosine, None, tuple(signals)))
    return samples


@pytest.mark.parametrize("balance", [0.5, 0.1])
@pytest.mark.parametrize("ridge", [0.1, 3.0, 30.0])
def test_the_fit_is_the_minimum_that_scipy_finds(balance: float, ridge: float) -> None:
    chance = np.random.default_rng(3)
    labels = (np.arange(80) < 80 * balance).astype(float)
    rows = chance.normal(size=(80, 4)) + labels[:, None] * [1.0, 0.5, 0.0, -0.5]
    weights = np.where(labels > 0, 1 / labels.mean(), 1 / (1 - labels.mean())) / 2

    def loss(found: np.ndarray) -> float:
        evidence = found[0] + rows @ found[1:]
        entropy = np.logaddexp(0, evidence) - labels * evidence
        return float((weights * entropy).sum() + ridge / 2 * (found[1:] ** 2).sum())

    expected = optimize.minimize(loss, np.zeros(5), tol=1e-12).x
    assert fit_logistic(rows, labels, ridge, 0.0) == pytest.approx(expected, abs=1e-4)


def test_the_weight_of_the_cosine_is_positive_even_where_the_labels_say_otherwise() -> None:
    chance = np.random.default_rng(4)
    labels = np.tile([0.0, 1.0], 40)
    rows = chance.normal(size=(80, 3)) - labels[:, None] * [2.0, 0.0, 1.0]
    found = fit_logistic(rows, labels, 3.0, LEAST_WEIGHT)
    assert found[1] == LEAST_WEIGHT

    def loss(rest: np.ndarray) -> float:
        evidence = rest[0] + rows @ np.array([LEAST_WEIGHT, *rest[1:]])
        return float((np.logaddexp(0, evidence) - labels * evidence).sum() + 1.5 * (rest[1:] ** 2).sum())

    expected = optimize.minimize(loss, np.zeros(3), tol=1e-12).x
    assert [found[0], *found[2:]] == pytest.approx(expected, abs=1e-4)


def test_a_model_needs_both_classes() -> None:
    with pytest.raises(ValueError, match="both classes"):
        fit_logistic(np.ones((3, 1)), np.ones(3), 3.0, 0.1)


def test_classes_that_are_wholly_apart_have_a_model() -> None:
    found = fit_evidence(
        [0.9] * 20 + [0.1] * 20, [(1.0,) * len(NAMES)] * 20 + [(0.0,) * len(NAMES)] * 20, [True] * 20 + [False] * 20
    )
    assert all(np.isfinite(found.slopes))


def test_signals_that_never_vary_move_nothing() -> None:
    found = fit_evidence([0.9, 0.8, 0.1, 0.2], [(1.0, 2.0)] * 4, [True, True, False, False])
    assert found.slopes == (0.0, 0.0)
    assert found.shift((5.0, -5.0)) == 0


def test_equal_cosines_give_no_unit_to_move_by() -> None:
    found = fit_evidence([0.5] * 4, [(1.0,), (0.9,), (0.1,), (0.2,)], [True, True, False, False])
    assert found.slopes == (0.0,)


def test_the_usual_query_keeps_the_threshold() -> None:
    samples = draw(40, 1, told=2.0)
    found = fit_evidence(
        [sample.cosine for sample in samples],
        [sample.signals for sample in samples],
        [sample.answerable for sample in samples],
    )
    assert found.shift(found.centres) == 0
    assert found.slopes[TOLD] > 0
    assert is_current(found)
    assert not is_current(Evidence("signals-0", found.centres, found.slopes))
    with pytest.raises(ValueError, match="longer"):
        found.shift((1.0,))


def test_a_signal_that_tells_is_admitted() -> None:
    judged = admit_signals(draw(40, 1, told=2.0))
    assert judged.admission.admitted
    assert judged.evidence is not None
    assert judged.evidence.version == VERSION
    assert judged.admission.gain is not None
    assert judged.admission.error is not None
    assert judged.admission.gain > judged.admission.error > 0
    assert "beats" in judged.admission.reason
    assert any(sample.score != sample.cosine for sample in judged.samples)


def test_without_admission_every_score_is_the_cosine() -> None:
    """So that the artifact is the seed's."""
    samples = draw(40, 2, told=0.0)
    judged = admit_signals(samples)
    assert not judged.admission.admitted
    assert judged.evidence is None
    assert [sample.score for sample in judged.samples] == [sample.cosine for sample in samples]
    assert not any(sample.signals for sample in judged.samples)
    assert "does not beat" in judged.admission.reason


def test_a_gain_within_its_error_is_not_admitted() -> None:
    found = [admit_signals(draw(25, seed, told=1.0)).admission for seed in range(30)]
    gains = [(each.gain or 0.0, each.error or 0.0, each.admitted) for each in found]
    assert all(admitted == (gain > error) for gain, error, admitted in gains)
    assert any(0 < gain <= error for gain, error, _ in gains)
    assert any(admitted for _, _, admitted in gains)


def test_noise_is_seldom_admitted() -> None:
    admitted = sum(admit_signals(draw(40, seed, told=0.0)).admission.admitted for seed in range(60))
    assert admitted <= 6


@pytest.mark.parametrize("samples", [[], draw(19, 1, told=3.0), [Sample("a", True, 0.5, 0.5)] * 40])
def test_without_signals_or_with_few_queries_none_are_tried(samples: list[Sample]) -> None:
    judged = admit_signals(samples)
    assert not judged.admission.admitted
    assert judged.admission.gain is None


def test_each_query_is_scored_by_a_model_that_has_not_seen_it() -> None:
    """Turning the label of one query round leaves its own score alone but for the model's other folds."""
    samples = draw(40, 1, told=2.0)
    folds = assign_folds(samples, 10)
    assert max(folds) == 9
    changed = [
        Sample(each.entry, each.answerable, each.cosine + 0.5, each.cosine + 0.5, None, each.signals)
        if fold == 3
        else each
        for each, fold in zip(samples, folds, strict=True)
    ]
    before = admit_signals(samples).samples
    after = admit_signals(changed).samples
    assert admit_signals(changed).admission.admitted
    for old, new, fold in zip(before, after, folds, strict=True):
        moved = (new.score - new.cosine) - (old.score - old.cosine)
        assert (abs(moved) < 1e-12) == (fold == 3)


def test_folds_depend_on_the_entries_and_keep_both_classes() -> None:
    samples = draw(25, 5, told=0.0)
    folds = dict(zip([sample.entry for sample in samples], assign_folds(samples, 10), strict=True))
    turned = samples[::-1]
    assert dict(zip([sample.entry for sample in turned], assign_folds(turned, 10), strict=True)) == folds
    for fold in range(10):
        labels = [sample.answerable for sample in samples if folds[sample.entry] == fold]
        assert len(labels) == 5
        assert 2 <= sum(labels) <= 3


def test_two_samples_of_one_entry_stay_together() -> None:
    pair = [Sample("same", True, 0.5, 0.5), Sample("same", False, 0.4, 0.4)]
    folds = assign_folds([*draw(20, 1, told=0.0), *pair], 10)
    assert folds[-1] == folds[-2]


def test_confidence_with_a_moved_threshold_is_the_same_comparison() -> None:
    """cos >= b - shift exactly when cos + shift >= b, and one half where they are equal."""
    evidence = Evidence(VERSION, (0.0,) * len(NAMES), (0.125, *(0.0,) * (len(NAMES) - 1)))
    threshold = 0.5 - evidence.shift((1.0, *(0.0,) * (len(NAMES) - 1)))
    assert threshold == 0.375
    assert scale_confidence(0.375, threshold, 0.05) == 0.5
