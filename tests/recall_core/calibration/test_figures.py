"""What a report draws, against a table worked out by hand."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from recall_core.calibration.artifact import Artifact
from recall_core.calibration.evidence import Evidence
from recall_core.calibration.figures import RiskPoint, build_figures
from recall_core.calibration.sample import Sample
from recall_core.calibration.words import tell_promise, tell_remedies, tell_verdict


def make(artifact: Artifact, *rows: tuple[float, bool]) -> Artifact:
    samples = tuple(
        Sample(f"sha256:{place}", answerable, score, score) for place, (score, answerable) in enumerate(rows)
    )
    return replace(artifact, samples=samples, placement=replace(artifact.placement, threshold=0.6, scale=0.1))


def test_the_curve_answers_queries_of_one_score_together(artifact: Artifact) -> None:
    figures = build_figures(make(artifact, (0.9, True), (0.8, False), (0.8, True), (0.2, False)))
    assert figures.curve == (RiskPoint(0.25, 0.0), RiskPoint(0.75, 1 / 3), RiskPoint(1.0, 0.5))
    assert figures.aurc == pytest.approx((0 + 1 / 3 + 1 / 3 + 1 / 2) / 4)
    assert figures.chosen == RiskPoint(0.75, 1 / 3)


def test_a_threshold_that_answers_nothing_has_no_point(artifact: Artifact) -> None:
    assert build_figures(make(artifact, (0.1, True), (0.2, False))).chosen is None


def test_every_query_stands_in_one_bin(artifact: Artifact) -> None:
    figures = build_figures(artifact)
    assert sum(each.answerable for each in figures.scores) == 30
    assert sum(each.unanswerable for each in figures.scores) == 30
    assert sum(each.queries for each in figures.confidences) == 60
    same = build_figures(make(artifact, (0.5, True), (0.5, False)))
    assert sum(each.answerable + each.unanswerable for each in same.scores) == 2


def test_confidence_one_half_is_the_threshold(artifact: Artifact) -> None:
    (only,) = build_figures(make(artifact, (0.6, True), (0.6, False))).confidences
    assert (only.confidence, only.answerable, only.queries) == (0.5, 0.5, 2)


def test_the_worst_of_either_side_come_first(artifact: Artifact) -> None:
    figures = build_figures(make(artifact, (0.9, False), (0.3, False), (0.8, True), (0.1, True)))
    assert [sample.score for sample in figures.answered] == [0.9, 0.3]
    assert [sample.score for sample in figures.refused] == [0.1, 0.8]


def test_the_words_say_what_is_promised_and_what_is_missing(
    artifact: Artifact, build: Callable[..., Artifact], overlapping: list[Sample]
) -> None:
    assert tell_verdict(artifact).startswith("certified: the classes are apart")
    limit = artifact.certificate.false_answers
    assert f"at most {100 * limit.limit:.1f} % of unanswerable questions" in tell_promise(artifact)
    assert f"{limit.events} of {limit.trials} here" in tell_promise(artifact)
    assert "signals move" not in tell_promise(artifact)
    moved = replace(artifact, evidence=Evidence("signals-1", (0.0,), (1.0,)))
    assert "which signals move for each query" in tell_promise(moved)
    missing = artifact.certificate.missing_labels
    assert missing
    assert tell_remedies(artifact)[0].startswith(f"{missing} more unanswerable labels, all refused")
    rejected = build(overlapping)
    assert tell_verdict(rejected).startswith("not certified: the classes overlap")
    assert "a wrong label" in tell_remedies(rejected)[0]
