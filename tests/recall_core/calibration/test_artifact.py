"""An artifact as JSON: its checksum, and that it is the same everywhere."""

import copy
import json
import math
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from recall_core.calibration.artifact import Artifact
from recall_core.calibration.artifact_json import artifact_from_json, artifact_to_json, is_sealed, seal
from recall_core.calibration.rule import parse_rule
from recall_core.calibration.sample import Sample
from recall_core.errors import UsageError


def test_every_field_of_the_reference_is_there(artifact: Artifact) -> None:
    written = artifact_to_json(artifact)
    assert set(written) == {
        "version", "id", "checksum", "binding", "query_set_digest", "rule", "placement", "certificate", "evidence",
        "admission", "samples", "created_at", "actor", "tool",
    }  # fmt: skip
    assert written["version"] == 2
    assert written["created_at"] == "2026-03-01T12:30:00.250000Z"
    assert set(written["binding"]) == {
        "tenant", "generation", "embedder", "dimension", "pipeline_fingerprint", "corpus_fingerprint",
    }  # fmt: skip
    assert written["certificate"]["separability"]["answerable"] == 30


@pytest.mark.parametrize("rule", ["midgap", "conformal:0.05", "bounded:0.1,0.1"])
def test_what_is_written_is_read_back(build: Callable[..., Artifact], measured: list[Sample], rule: str) -> None:
    artifact = build(measured, parse_rule(rule))
    assert artifact_from_json(json.loads(json.dumps(artifact_to_json(artifact)))) == artifact


def test_rejected_evidence_with_rates_that_are_unknown_is_read_back(artifact: Artifact) -> None:
    one = seal(replace(artifact, certificate=replace(artifact.certificate, leave_one_out=_unknown(artifact))))
    again = artifact_from_json(artifact_to_json(one))
    assert is_sealed(again)
    assert math.isnan(again.certificate.leave_one_out.false_answer)


def _unknown(artifact: Artifact) -> Any:
    return replace(artifact.certificate.leave_one_out, false_abstention=float("nan"), false_answer=float("nan"))


def test_the_id_follows_from_the_content(artifact: Artifact) -> None:
    assert artifact.id == f"cal_{artifact.checksum.removeprefix('sha256:')[:20]}"
    assert is_sealed(artifact)
    assert seal(artifact) == artifact
    assert not is_sealed(replace(artifact, actor="eve"))
    assert not is_sealed(replace(artifact, id="cal_0"))


def test_the_same_instant_in_another_zone_has_the_same_checksum(artifact: Artifact) -> None:
    elsewhere = artifact.created_at.astimezone(timezone(timedelta(hours=-7, minutes=-30)))
    assert seal(replace(artifact, created_at=elsewhere)).checksum == artifact.checksum
    assert artifact.created_at == datetime(2026, 3, 1, 12, 30, 0, 250_000, tzinfo=UTC)


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    match value:
        case dict():
            return [leaf for key, each in value.items() for leaf in _leaves(each, (*path, key))]
        case list() if value:
            return [leaf for at, each in enumerate(value[:2]) for leaf in _leaves(each, (*path, at))]
        case _:
            return [path]


def _changed(value: Any) -> list[Any]:
    match value:
        case bool():
            return [not value, None]
        case int():
            return [value + 1, float(value), str(value)]
        case float():
            return [value + 0.001, str(value), None]
        case str():
            return [value + "x", value[:-1], None, 1]
        case _:
            return [0, "x"]


def test_no_value_can_be_changed(artifact: Artifact) -> None:
    written = json.loads(json.dumps(artifact_to_json(artifact)))
    leaves = _leaves(written)
    assert len(leaves) > 60
    for path in leaves:
        holder = value = copy.deepcopy(written)
        for step in path[:-1]:
            holder = holder[step]
        for other in _changed(holder[path[-1]]):
            holder[path[-1]] = other
            with pytest.raises(UsageError):
                artifact_from_json(value)


@pytest.mark.parametrize("path", [(), ("binding",), ("placement",), ("certificate",), ("certificate", "coverage")])
def test_no_field_can_come_or_go(artifact: Artifact, path: tuple[str, ...]) -> None:
    for change in ("add", "remove"):
        holder = value = json.loads(json.dumps(artifact_to_json(artifact)))
        for step in path:
            holder = holder[step]
        if change == "add":
            holder["more"] = 1
        else:
            del holder[next(iter(holder))]
        with pytest.raises(UsageError):
            artifact_from_json(value)


@pytest.mark.parametrize("value", [None, [], "x", {}, {"version": 1}, {"version": 3}, {"version": 2}])
def test_what_is_no_artifact_is_refused(value: object) -> None:
    with pytest.raises(UsageError) as caught:
        artifact_from_json(value)
    assert caught.value.help


def test_a_checksum_that_was_made_anew_does_not_make_a_threshold_of_nothing(artifact: Artifact) -> None:
    for change in ({"scale": 0.0}, {"scale": -1.0}, {"threshold": float("nan")}):
        placement = replace(artifact.placement, **change)
        with pytest.raises(UsageError):
            artifact_from_json(artifact_to_json(seal(replace(artifact, placement=placement))))
