"""Drift (H16)."""

import math
from collections.abc import Callable
from dataclasses import replace

import pytest

from recall_core.calibration.artifact import Artifact, Binding
from recall_core.calibration.artifact_json import seal
from recall_core.calibration.drift import Finding, compare_binding, measure_drift
from recall_core.calibration.evidence import Evidence
from recall_core.calibration.rule import parse_rule
from recall_core.calibration.sample import Sample


def moved(samples: list[Sample], by: Callable[[Sample], float]) -> list[Sample]:
    return [replace(each, cosine=each.cosine + by(each), score=each.cosine + by(each)) for each in samples]


def test_without_a_calibration_it_is_unknown_and_not_stable(measured: list[Sample], binding: Binding) -> None:
    """H16."""
    for found in (measure_drift(None, measured), measure_drift(None, []), compare_binding(None, binding)):
        assert found.finding is Finding.UNKNOWN
        assert not found.needs_attention
        assert found.certificate is None


def test_identities_alone_can_only_recommend(artifact: Artifact, binding: Binding) -> None:
    """H16: a folder that has changed says nothing of the scores."""
    assert compare_binding(artifact, binding).finding is Finding.STABLE
    for change in ({"generation": "gen_2"}, {"corpus_fingerprint": "x"}, {"embedder": "x"}):
        found = compare_binding(artifact, replace(binding, **change))
        assert found.finding is Finding.RECOMMENDED
        assert not found.needs_attention


def test_labels_are_never_made_up(artifact: Artifact, measured: list[Sample]) -> None:
    """H16."""
    turned = replace(measured[0], answerable=not measured[0].answerable)
    for samples in ([], measured[1:], [*measured, measured[0]], [turned, *measured[1:]]):
        with pytest.raises(ValueError, match="one for each query"):
            measure_drift(artifact, samples)


def test_the_same_scores_are_stable(artifact: Artifact, measured: list[Sample]) -> None:
    found = measure_drift(artifact, measured[::-1])
    assert found.finding is Finding.STABLE
    assert (found.answerable_change, found.unanswerable_change) == (0, 0)
    assert found.certificate == artifact.certificate


def test_classes_that_run_into_each_other_have_drifted(artifact: Artifact, measured: list[Sample]) -> None:
    found = measure_drift(artifact, moved(measured, lambda each: -0.3 if each.answerable else 0.0))
    assert found.finding is Finding.DRIFTED
    assert found.needs_attention
    assert "overlap" in found.reason
    assert found.answerable_change == pytest.approx(-0.3)
    assert found.unanswerable_change == 0


@pytest.mark.parametrize("rule", ["conformal:0.05", "bounded:0.1,0.1"])
def test_more_wrong_answers_than_the_rule_allows_have_drifted(
    build: Callable[..., Artifact], measured: list[Sample], rule: str
) -> None:
    """All scores rise together: the classes are as far apart as before, and the threshold is too low."""
    artifact = build(measured, parse_rule(rule))
    risen = moved(measured, lambda _: 0.3)
    found = measure_drift(artifact, risen)
    assert found.certificate is not None
    assert found.certificate.certified
    assert found.finding is Finding.DRIFTED
    assert rule in found.reason
    assert measure_drift(build(measured), risen).finding is Finding.STABLE


def test_a_proof_that_midgap_had_and_has_no_longer(build: Callable[..., Artifact], measured: list[Sample]) -> None:
    """With 30 labels 0.05 cannot be proven at 0.90; a certificate that says it was is made by hand here."""
    artifact = build(measured)
    assert not artifact.certificate.is_bound_proven
    proven = seal(replace(artifact, certificate=replace(artifact.certificate, missing_labels=0)))
    found = measure_drift(proven, moved(measured, lambda _: 0.3))
    assert found.finding is Finding.DRIFTED
    assert "no longer proven" in found.reason


def test_signals_of_another_version_cannot_be_held_to_it(artifact: Artifact, measured: list[Sample]) -> None:
    old = seal(replace(artifact, evidence=Evidence("signals-0", (0.0,), (0.0,))))
    assert measure_drift(old, measured).finding is Finding.RECOMMENDED


def test_one_class_alone_has_no_change_of_the_other(artifact: Artifact) -> None:
    alone = tuple(sample for sample in artifact.samples if sample.answerable)
    found = measure_drift(replace(artifact, samples=alone), alone)
    assert found.unanswerable_change is not None
    assert math.isnan(found.unanswerable_change)
    assert found.finding is Finding.DRIFTED
