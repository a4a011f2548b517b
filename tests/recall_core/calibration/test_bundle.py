"""An export: two checksums, and what an import refuses (H5, H6)."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.calibration.artifact import Artifact, Binding, State
from recall_core.calibration.artifact_json import seal
from recall_core.calibration.bundle import Bundle, check_import, parse_bundle, render_bundle
from recall_core.calibration.measure import Maker, build_artifact, take_sample
from recall_core.calibration.queryset import QuerySet, build_query_set
from recall_core.calibration.rule import Midgap
from recall_core.calibration.sample import Sample
from recall_core.errors import RefusedError, UsageError


@pytest.fixture
def bundle(artifact: Artifact, queries: QuerySet) -> Bundle:
    return Bundle(artifact, queries)


def test_an_export_is_read_back_and_goes_in_as_a_draft(bundle: Bundle, binding: Binding) -> None:
    """H5."""
    text = render_bundle(bundle)
    assert parse_bundle(text) == bundle
    assert parse_bundle(text).state is State.DRAFT
    check_import(parse_bundle(text), binding)
    written = json.loads(text)
    assert written["artifact_checksum"] == written["artifact"]["checksum"] == bundle.artifact.checksum
    assert written["bundle_checksum"].startswith("sha256:")
    assert text.isascii()


def test_rejected_evidence_goes_in_as_rejected(
    build: Callable[..., Artifact], overlapping: list[Sample], queries: QuerySet
) -> None:
    """H5."""
    assert parse_bundle(render_bundle(Bundle(build(overlapping), queries))).state is State.REJECTED


def test_any_changed_byte_is_refused(binding: Binding, maker: Maker) -> None:
    """H5: every byte of a small export turned into another one, one more, and one less."""
    queries = build_query_set([{"query": "Who?", "answerable": True}, {"query": "Why?", "answerable": False}])
    samples = [take_sample(entry, 0.5) for entry in queries]
    artifact = build_artifact(queries, samples, Midgap(), binding, maker)
    assert isinstance(artifact, Artifact)
    text = render_bundle(Bundle(artifact, queries))
    assert parse_bundle(text)
    for at, sign in enumerate(text):
        other = "x" if sign != "x" else "y"
        for changed in (text[:at] + other + text[at + 1 :], text[:at] + text[at + 1 :], text[:at] + " " + text[at:]):
            with pytest.raises((RefusedError, UsageError)):
                parse_bundle(changed)


def test_a_checksum_that_was_made_anew_does_not_cover_the_other_one(bundle: Bundle) -> None:
    """H5: both are checked."""
    written = json.loads(render_bundle(bundle))
    for field in ("artifact_checksum", "bundle_checksum"):
        changed = {**written, field: written[field][:-1] + ("0" if written[field][-1] != "0" else "1")}
        with pytest.raises(RefusedError, match="changed"):
            parse_bundle(json.dumps(changed, indent=1, sort_keys=True) + "\n")


def test_labels_cannot_be_exchanged(bundle: Bundle, binding: Binding) -> None:
    """H6."""
    other = Bundle(bundle.artifact, build_query_set([{"query": "Who?", "answerable": True}]))
    relabelled = Bundle(seal(replace(bundle.artifact, query_set_digest=other.queries.digest)), other.queries)
    for exchanged in (other, relabelled):
        with pytest.raises(RefusedError, match="labels"):
            check_import(parse_bundle(render_bundle(exchanged)), binding)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"tenant": "other"}, "another tenant"),
        ({"generation": "gen_2"}, "another generation"),
        ({"embedder": "model@sha256:01"}, "another embedder"),
        ({"dimension": 768}, "another dimension"),
        ({"pipeline_fingerprint": "sha256:x"}, "another pipeline"),
        ({"corpus_fingerprint": "sha256:x"}, "another corpus"),
    ],
)
def test_evidence_about_something_else_is_refused(
    bundle: Bundle, binding: Binding, change: dict[str, Any], said: str
) -> None:
    """H6."""
    with pytest.raises(RefusedError, match=said) as caught:
        check_import(bundle, replace(binding, **change))
    assert "recall calibrate" in caught.value.help


def test_a_forged_certificate_is_refused(bundle: Bundle, binding: Binding, overlapping: list[Sample]) -> None:
    """Sealed anew, with the placement and certificate of other scores."""
    ordered = tuple(sorted(overlapping, key=lambda sample: sample.entry))
    forged = Bundle(seal(replace(bundle.artifact, samples=ordered)), bundle.queries)
    with pytest.raises(RefusedError, match="contradicts itself"):
        check_import(parse_bundle(render_bundle(forged)), binding)


def test_a_hostile_name_cannot_speak_to_the_terminal(bundle: Bundle, binding: Binding) -> None:
    with pytest.raises(RefusedError) as caught:
        check_import(bundle, replace(binding, tenant="a\x1b[2Jb\u202e"))
    assert "\x1b" not in caught.value.message
    assert "\u202e" not in caught.value.message


@given(st.text() | st.recursive(st.none() | st.text() | st.integers(), st.lists).map(json.dumps))
def test_what_is_no_export_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_bundle(text)


@pytest.mark.parametrize("text", ["[" * 100_000, "9" * 5000, '{"format": "recall-calibration", "artifact": NaN}'])
def test_what_breaks_readers_is_refused(text: str) -> None:
    with pytest.raises((UsageError, RefusedError)):
        parse_bundle(text)


_PROGRAM = """
import locale, random, sys
from datetime import datetime
try:
    locale.setlocale(locale.LC_ALL, "")
except locale.Error:
    pass
from recall_core.calibration.artifact import Binding
from recall_core.calibration.bundle import Bundle, render_bundle
from recall_core.calibration.measure import Maker, build_artifact, take_sample
from recall_core.calibration.queryset import build_query_set
from recall_core.calibration.rule import parse_rule
from recall_core.calibration.signals import NAMES
noise = random.Random(1)
entries = [
    {"query": f"Gr\\u00fc\\u00dfe {n}?", "answerable": n % 2 == 0, "relevant_ids": list({f"{n}.md", "b.md", "c.md"})}
    for n in range(120)
]
queries = build_query_set(entries)
samples = []
for each in queries:
    signals = [noise.random() + each.answerable for _ in NAMES]
    samples.append(take_sample(each, noise.gauss(0.6 if each.answerable else 0.4, 0.1), tuple(signals)))
samples = list({sample.entry: sample for sample in samples}.values())
at = datetime.fromisoformat("2026-03-29T01:30:00+00:00").astimezone()
binding = Binding("t\\u00e9nant", "gen_1", "m", 384, "p", "c")
artifact = build_artifact(queries, samples, parse_rule("conformal:0.05"), binding, Maker("a", at, "1"))
assert artifact.evidence is not None
sys.stdout.buffer.write(render_bundle(Bundle(artifact, queries)).encode())
"""


def test_an_export_is_the_same_in_every_process_zone_and_locale() -> None:
    """With signals that were admitted, so that the model is the same too; both sides of a change of clocks."""
    places = [
        {"TZ": "UTC", "LC_ALL": "C", "PYTHONHASHSEED": "0"},
        {"TZ": "Asia/Kathmandu", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "1"},
        {"TZ": "Europe/Berlin", "LC_ALL": "de_DE.UTF-8", "PYTHONHASHSEED": "4294967295"},
        {"TZ": "America/St_Johns", "LC_ALL": "tr_TR.UTF-8", "PYTHONUTF8": "0", "PYTHONHASHSEED": "77"},
    ]
    exports = {
        subprocess.run(
            [sys.executable, "-c", _PROGRAM], env={**os.environ, **place}, capture_output=True, check=True
        ).stdout
        for place in places
    }
    assert len(exports) == 1
    assert parse_bundle(exports.pop().decode()).artifact.created_at.isoformat() == "2026-03-29T01:30:00+00:00"
