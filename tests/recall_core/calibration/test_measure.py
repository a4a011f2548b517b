"""From a measured query set to an artifact."""

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import pytest

from recall_core.calibration.artifact import Artifact, Binding, State
from recall_core.calibration.measure import Maker, build_artifact, find_contradiction, remeasure, take_sample
from recall_core.calibration.queryset import QuerySet
from recall_core.calibration.rule import Midgap, parse_rule
from recall_core.calibration.sample import Sample
from recall_core.calibration.signals import NAMES
from recall_core.calibration.threshold import Shortfall, place_threshold


def test_without_admission_the_artifact_is_the_seeds(artifact: Artifact, measured: list[Sample]) -> None:
    scores = [[each.cosine for each in measured if each.answerable is label] for label in (True, False)]
    assert artifact.placement == place_threshold(scores[0], scores[1], Midgap())
    assert artifact.evidence is None
    assert artifact.threshold_for((1.0,) * len(NAMES)) == artifact.threshold
    assert artifact.certificate.certified is True
    assert artifact.first_state is State.DRAFT


def test_overlapping_classes_give_rejected_evidence(build: Callable[..., Artifact], overlapping: list[Sample]) -> None:
    """H2, in part: what is not certified begins, and ends, as rejected."""
    assert build(overlapping).certificate.certified is False
    assert build(overlapping).first_state is State.REJECTED


def test_admitted_signals_move_the_threshold_of_a_query(
    build: Callable[..., Artifact], overlapping: list[Sample]
) -> None:
    told = NAMES.index("coverage_of_best")
    chance = random.Random(9)
    samples = []
    for sample in overlapping:
        signals = [chance.random() for _ in NAMES]
        signals[told] += sample.answerable
        samples.append(replace(sample, signals=tuple(signals)))
    artifact = build(samples)
    assert artifact.evidence is not None
    centre = artifact.evidence.centres
    covered = tuple(value + 0.5 * (at == told) for at, value in enumerate(centre))
    assert artifact.threshold_for(centre) == pytest.approx(artifact.threshold)
    assert artifact.threshold_for(covered) < artifact.threshold
    # New searches are scored by the model that exists, and none is fitted.
    again = remeasure(artifact, samples)
    assert [each.score >= artifact.threshold for each in again] == [
        each.cosine >= artifact.threshold_for(each.signals) for each in samples
    ]
    assert find_contradiction(artifact) == ""


def test_the_order_of_the_samples_is_nothing(build: Callable[..., Artifact], measured: list[Sample]) -> None:
    assert build(measured[::-1]) == build(measured)


def test_a_target_without_enough_labels_makes_nothing(
    queries: QuerySet, measured: list[Sample], binding: Binding, maker: Maker
) -> None:
    assert build_artifact(queries, measured, parse_rule("bounded:0.05,0.1"), binding, maker) == Shortfall(45, 15)


@pytest.mark.parametrize("change", ["missing", "twice", "another", "label"])
def test_there_is_one_sample_for_each_label(
    change: str, queries: QuerySet, measured: list[Sample], binding: Binding, maker: Maker
) -> None:
    match change:
        case "missing":
            samples = measured[1:]
        case "twice":
            samples = [*measured, measured[0]]
        case "another":
            samples = [*measured[1:], replace(measured[0], entry="sha256:other")]
        case _:
            samples = [*measured[1:], replace(measured[0], answerable=not measured[0].answerable)]
    with pytest.raises(ValueError, match="one sample for each"):
        build_artifact(queries, samples, Midgap(), binding, maker)


def test_an_instant_without_a_zone_is_refused(
    queries: QuerySet, measured: list[Sample], binding: Binding, maker: Maker
) -> None:
    with pytest.raises(ValueError, match="time zone"):
        build_artifact(queries, measured, Midgap(), binding, replace(maker, at=datetime(2026, 3, 1)))  # noqa: DTZ001


def test_a_search_without_a_hit_is_the_lowest_score(queries: QuerySet) -> None:
    assert take_sample(queries.entries[0], None).score == -1
    with pytest.raises(ValueError, match="finite"):
        take_sample(queries.entries[0], float("nan"))


def test_numbers_that_do_not_follow_from_the_scores_are_found(artifact: Artifact, overlapping: list[Sample]) -> None:
    assert find_contradiction(artifact) == ""
    lower = replace(artifact, placement=replace(artifact.placement, threshold=0.1))
    assert "threshold" in find_contradiction(lower)
    moved = tuple(replace(sample, score=sample.score, cosine=sample.cosine - 0.1) for sample in artifact.samples)
    assert "cosines" in find_contradiction(replace(artifact, samples=moved))
    wide = place_threshold(
        [each.score for each in overlapping if each.answerable],
        [each.score for each in overlapping if not each.answerable],
        Midgap(),
    )
    assert not isinstance(wide, Shortfall)
    claimed = replace(artifact, samples=tuple(overlapping), placement=wide)
    assert "certificate" in find_contradiction(claimed)
