"""Verdicts of a stored generation, through the search: the conformance vectors, and cases learned from public reports.

C13 and issue 6: memo identity keeps its directory, and vector 4's row is written straight to the store.
"""

import json
import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from recall_core.app.answer import Refused
from recall_core.app.search import SearchRequest, Tools, search
from recall_core.calibration.bundle import Bundle
from recall_core.calibration.measure import Maker, build_artifact, take_sample
from recall_core.calibration.queryset import build_query_set
from recall_core.calibration.rule import Midgap
from recall_core.calibration.stored import Origin
from recall_core.errors import StoreError
from recall_core.frontmatter.dates import last_instant
from recall_core.frontmatter.read import read_memo
from recall_core.generation.chunk import chunk_memo
from recall_core.ports.store import MemoRow
from recall_core.trust.policy import TrustPolicy
from recall_core.trust.threshold import Threshold

ANSWERED = [
    "01-replaced-preference-both-returned",
    "02-contradiction-must-not-erase",
    "04-history-arrives-late",
    "05-last-valid-day-is-inclusive",
    "06-as-of-before-expiry",
    "08-same-stem-in-two-folders",
    "10-two-spellings-of-one-title",
    "11-no-memory-about-it",
    "16-one-correction-retires-five",
]
NOW = datetime(2026, 8, 19, tzinfo=UTC)
QUERIES = build_query_set(
    [{"query": f"answered {number}", "answerable": True} for number in range(25)]
    + [{"query": f"unknown {number}", "answerable": False} for number in range(25)]
)


class Words:
    """The model that the rows of these tests are made with; `vector` is what it makes of any query, if given."""

    id, dimension, max_tokens, is_fused = "words@1", 64, 256, True

    def __init__(self, embed, vector=None) -> None:
        self._embed, self._vector = embed, vector

    def embed_queries(self, texts):
        return np.array([self._embed(text) if self._vector is None else self._vector for text in texts], np.float32)


def publish(shelf, generation, threshold) -> None:
    """A certified calibration with this threshold and a scale of 0.1, stored and published."""
    samples = [take_sample(each, threshold + (0.2 if each.answerable else -0.2)) for each in QUERIES]
    artifact = build_artifact(QUERIES, samples, Midgap(), generation.binding, Maker("ada", NOW, "1.0"))
    stored = shelf.store.calibrations.save(shelf.tenant, Bundle(artifact, QUERIES), origin=Origin.MEASURED, actor="ada")
    shelf.store.calibrations.publish(shelf.tenant, stored.id, actor="ada")


def ask(shelf, model, pipeline, query, *, at, known_at=None, threshold=None, k=50):
    """Strict by what is published; with a threshold, in development mode by that."""
    policy = TrustPolicy.strict() if threshold is None else TrustPolicy.development()
    request = SearchRequest(
        query, k, at, "", known_at, None, None, shelf.tenant, policy, timedelta(days=9999), threshold
    )
    return search(request, Tools(lambda: shelf.store, lambda: model, lambda _: pipeline), now=NOW)


def instant(day: str) -> datetime:
    return last_instant(date.fromisoformat(day))


@pytest.mark.parametrize("number", range(1, 12))
def test_conformance_vector(shelf, rows, shared, number):
    table = json.loads((shared / "conformance/validity-frontmatter-1.0.json").read_text("utf-8"))
    (vector,) = [each for each in table["vectors"] if each["n"] == number]
    corpus = table["corpora"][vector["corpus"]]
    recorded = {
        path: datetime.fromisoformat(each["recorded"]).replace(tzinfo=UTC)
        for path, each in corpus.items()
        if "recorded" in each
    }
    texts = {path: each["text"] for path, each in corpus.items()}
    generation = shelf.serve(texts, recorded=recorded)
    known_at = instant(vector["known_at"]) if vector["known_at"] else None
    (chunk,) = chunk_memo(texts[vector["document"]], title=Path(vector["document"]).stem)
    asked = {"at": instant(vector["at"]), "known_at": known_at}
    found = [
        ask(shelf, Words(rows.embed), rows.build_pipeline(), chunk.passage, threshold=Threshold(0.5, 0.1), **asked)
    ]
    if known_at is None:  # a calibration of today does not serve an instant in the past
        publish(shelf, generation, 0.5)
        found.append(ask(shelf, Words(rows.embed), rows.build_pipeline(), chunk.passage, **asked))
    for result in found:
        (hit,) = [each for each in result.judged.hits if each.path == vector["document"]]
        assert hit.cosine == pytest.approx(1, abs=1e-3)
        assert hit.verdict.value == vector["verdict"]
        assert list(hit.superseded_by) == ([vector["successor"]] if vector["successor"] else [])


def serve_with_cosines(shelf, pipeline, folder, cosines):
    """The memos of a case, each so near to the query's vector as the case says."""
    made = []
    for place, (path, cosine) in enumerate(cosines.items(), 1):
        vector = np.zeros(64, np.float32)
        vector[0], vector[place] = cosine, np.sqrt(1 - cosine**2)
        text = (folder / path).read_bytes()
        chunks = chunk_memo(text.decode(), title=Path(path).stem)
        vectors = np.tile(vector, (len(chunks), 1))
        made.append(MemoRow(read_memo(path, text), f"sha256:{place:064}", None, chunks, vectors))
    with shelf.begin(pipeline=pipeline) as build:
        build.add(made)
        generation = build.finish()
    shelf.promote(generation)
    publish(shelf, generation, 0.6)


def read_expectation(text):
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")
    ][1:]
    clock = re.search(r"Clock \(UTC\): `([^`]+)`", text)[1]
    asked = re.search(r"As-of date asked for: `([^`]+)`", text)
    query = re.search(r"Query: `([^`]+)`", text)[1]
    days = [asked[1], clock] if asked else [clock]
    times = [datetime.fromisoformat(day) if "T" in day else instant(day) for day in days]
    return query, times, rows, "abstained: **true**" in text


@pytest.mark.parametrize("k", [5, 50])
@pytest.mark.parametrize("name", ANSWERED)
def test_case(shelf, rows, shared, name, k):
    case = shared / "cases" / "trust" / name
    query, times, table, abstains = read_expectation((case / "expect.md").read_text("utf-8"))
    serve_with_cosines(shelf, rows.build_pipeline(), case, {path: float(cosine) for path, cosine, _, _ in table})
    axis = np.eye(64, dtype=np.float32)[0]
    for number, at in enumerate(times):
        judged = ask(shelf, Words(rows.embed, axis), rows.build_pipeline(), query, at=at, k=k).judged
        assert judged.is_calibrated
        hits = {hit.path: hit for hit in judged.hits}
        assert len(hits) == len(table)  # a successor that is needed comes on top of k
        for path, cosine, verdict, successor in table:
            hit, expected = hits[path], verdict.split(";")[number if ";" in verdict else 0]
            assert hit.verdict.value == expected.split("(")[0].strip()
            assert hit.cosine == pytest.approx(float(cosine), abs=1e-3)
            assert (hit.promoted_from is not None) == ("promoted" in expected or hit.is_fetched)
            assert list(hit.superseded_by) == ([successor] if successor else [])
        assert judged.abstained is abstains
        if "no-memory" in name:
            assert judged.gap_warning
        if "same-stem" in name:
            assert "disambiguate the corpus" in judged.reason


def test_every_case_is_tried(shared):
    found = {path.parent.name for path in (shared / "cases" / "trust").glob("*/expect.md")}
    assert found == {*ANSWERED, "13-wrong-dimension-is-not-no-result"}


def test_a_second_after_the_last_day_the_window_is_the_reason(shelf, rows, shared):
    case = shared / "cases" / "trust" / "05-last-valid-day-is-inclusive"
    serve_with_cosines(shelf, rows.build_pipeline(), case, {"freeze.md": 0.83})
    model, pipeline = Words(rows.embed, np.eye(64, dtype=np.float32)[0]), rows.build_pipeline()
    judged = ask(shelf, model, pipeline, "the freeze code", at=datetime(2027, 2, 1, tzinfo=UTC)).judged
    assert (judged.hits[0].verdict.value, judged.reason_code) == ("expired", "outside_window")


def test_another_model_and_an_outage_are_refusals_and_no_empty_result(shelf, rows, shared, monkeypatch):
    """Case 13."""
    case = shared / "cases" / "trust" / "13-wrong-dimension-is-not-no-result"
    serve_with_cosines(shelf, rows.build_pipeline(), case, {"retries.md": 0.8})
    asked = {"query": "what did we decide about retries?", "at": NOW}
    for pipeline in (rows.build_pipeline(embedder="other@1"), rows.build_pipeline(dimension=32)):
        found = ask(shelf, Words(rows.embed), pipeline, **asked)
        assert isinstance(found, Refused)
        assert found.refusal.failure_code.value == "LINEAGE_MISMATCH"
        assert "retries" not in json.dumps(found.refusal.to_json()) + found.detail

    def fail(*_):
        raise StoreError("the server is gone")

    monkeypatch.setattr(type(shelf.store), "snapshot", fail)
    found = ask(shelf, Words(rows.embed), rows.build_pipeline(), **asked)
    assert found.refusal.failure_code.value == "DEPENDENCY_UNAVAILABLE"
