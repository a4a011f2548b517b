"""`from recall_core import …`: the library has the gate of the command (issue 6, item 7; E8, F, G1)."""

import asyncio
import json
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import recall_core
from recall_core import Calibration, SearchRefusedError, TrustPolicy, api, load_calibration, trusted_search, wiring
from recall_core.app.embed import describe_pipeline
from recall_core.errors import UsageError
from recall_core.frontmatter.read import read_memo
from recall_core.generation.chunk import chunk_memo
from recall_core.model.hit import HitVerdict
from recall_core.ports.store import BuildPlan, MemoRow
from recall_core.trust.lexical_span import LexicalSpanEntailer
from recall_core.trust.policy import FailureCode

DEVELOPMENT = TrustPolicy.development()
OLD = "# Limits\n\nten requests a minute\n"
NEW = "---\nsupersedes: old\nvalid_from: 2026-01-01\n---\n# Bucket\n\ntokens, refilled\n"


@pytest.fixture
def served(store, embedder):
    """Two memos, one of which replaces the other, indexed and served."""
    rows = []
    for path, text in (("old.md", OLD), ("new.md", NEW)):
        chunks = chunk_memo(text, title=path)
        vectors = embedder.embed_queries([chunk.passage for chunk in chunks])
        rows.append(MemoRow(read_memo(path, text.encode()), f"sha256:{path}", None, chunks, vectors))
    pipeline = describe_pipeline(embedder, text_search=wiring.TEXT_SEARCH, schema=wiring.SCHEMA)
    with store.build("default", BuildPlan(pipeline, "/memos", "folder", "ada")) as build:
        build.add(rows)
        generation = build.finish()
    store.promote("default", generation.id, expected=None, actor="ada")
    return store.active("default")


def test_leaving_the_policy_out_cannot_open_the_gate(served, store, embedder):
    """G1, G2."""
    with pytest.raises(SearchRefusedError) as caught:
        trusted_search(store, embedder, "ten requests a minute")
    refusal = caught.value.refusal
    assert (refusal.failure_code, refusal.generation_id) == (FailureCode.CALIBRATION_MISSING, served.id)
    assert "recall calibrate" in refusal.advice
    assert "ten requests" not in f"{caught.value} {caught.value.__notes__} {refusal.to_json()}"
    assert store.searches == []


def test_a_certified_calibration_gives_the_successor(served, store, embedder, measure):
    store.records = [measure(served, 0.6)]
    result = trusted_search(store, embedder, "ten requests a minute", k=1)
    assert [(hit.path, hit.promoted_from) for hit in result.ok_hits] == [("new.md", "old.md")]
    assert result.is_calibrated
    before = trusted_search(store, embedder, "ten requests a minute", k=1, at=datetime(2025, 12, 31, 23, 59))  # noqa: DTZ001 - naive on purpose
    assert before.abstained
    assert "not yet valid" in before.reason


def test_async_is_the_same_answer(served, store, embedder, measure):
    store.records = [measure(served, 0.6)]
    found = asyncio.run(recall_core.trusted_search_async(store, embedder, "ten requests a minute", k=1))
    assert [hit.path for hit in found.ok_hits] == ["new.md"]
    with pytest.raises(SearchRefusedError):
        asyncio.run(recall_core.trusted_search_async(store, embedder, "q", tenant="other"))


def test_a_calibration_of_ones_own_serves_development_alone(served, store, embedder):
    """G11."""
    own = Calibration(0.6, 0.05, embedder.id)
    result = trusted_search(store, embedder, "ten requests a minute", policy=DEVELOPMENT, calibration=own)
    assert result.hits[0].verdict is HitVerdict.OK
    assert not result.is_calibrated
    with pytest.raises(UsageError, match="strict policy"):
        trusted_search(store, embedder, "q", calibration=own)
    with pytest.raises(UsageError, match="cosines are not those"):
        trusted_search(store, embedder, "q", policy=DEVELOPMENT, calibration=Calibration(0.6, 0.05, "another"))


def test_an_entailer_demotes(served, store, embedder, measure):
    store.records = [measure(served, 0.6)]
    result = trusted_search(
        store, embedder, "ten requests a minute by Zorro", k=1, entailer=LexicalSpanEntailer(), max_age=timedelta(1)
    )
    assert result.reason_code == "not_entailed"
    plain = trusted_search(store, embedder, "ten requests a minute by Zorro", k=1)
    assert recall_core.apply_entailment(plain, "by Zorro", recall_core.open_entailer("lexical")).abstained


GOOD = {"embedder": "stand-in", "threshold": 0.4, "scale": 0.05}


@pytest.mark.parametrize(
    "content",
    [
        None, b"", b"\xff\xfe", b"[]", b"{", b"[" * 100_000, json.dumps({**GOOD, "embedder": "other"}).encode(),
        json.dumps({**GOOD, "threshold": float("nan")}).encode(), json.dumps({**GOOD, "scale": 0}).encode(),
        json.dumps({**GOOD, "threshold": 7}).encode(), json.dumps({**GOOD, "scale": -1}).encode(),
        json.dumps({**GOOD, "threshold": True}).encode(),
    ],
)  # fmt: skip
def test_a_file_that_does_not_fit_is_ignored_and_the_reason_said(tmp_path, embedder, served, store, content):
    """E8: nothing in it can disable abstention or crash a search."""
    path = tmp_path / "calibration.json"
    if content is not None:
        path.write_bytes(content)
    found = load_calibration(str(path), embedder)
    assert (found.threshold, found.scale) == (0.5, 0.05)
    assert found.reason
    result = trusted_search(store, embedder, "zebra", policy=DEVELOPMENT, calibration=found)
    assert (result.abstained, result.is_calibrated) == (True, False)


def test_a_file_that_fits_is_used(tmp_path, embedder):
    (tmp_path / "c.json").write_text(json.dumps(GOOD))
    assert load_calibration(str(tmp_path / "c.json"), "stand-in") == Calibration(0.4, 0.05, "stand-in")
    assert load_calibration("\0", "stand-in").reason


@pytest.mark.parametrize(("threshold", "scale"), [(float("nan"), 0.1), (float("inf"), 0.1), (0.5, 0.0), (0.5, -1)])
def test_a_calibration_that_could_disable_abstention_is_none(threshold, scale):
    with pytest.raises(ValueError, match="finite"):
        Calibration(threshold, scale, "m")


def test_the_store_is_closed_at_the_end(monkeypatch, store):
    closed = []
    monkeypatch.setattr(wiring, "open_store", lambda *_, **__: store)
    monkeypatch.setattr(type(store), "close", lambda _self: closed.append(True), raising=False)
    with recall_core.open_store("host=nobody.invalid") as opened:
        assert opened is store
        assert closed == []
    assert closed == [True]


def test_what_is_offered_is_what_the_stub_says():
    stub = (wiring.os.path.dirname(recall_core.__file__), "__init__.pyi")
    with open(wiring.os.path.join(*stub), encoding="utf-8") as file:
        named = {line.split(" as ")[1].strip() for line in file if " as " in line}
    assert named == set(api.__all__) == set(recall_core._OFFERED)
    assert recall_core.open_embedder is api.open_embedder
    with pytest.raises(AttributeError):
        recall_core.nothing_of_the_kind  # noqa: B018 - asking is the test


def test_the_example_of_the_manual_runs(served, store, measure, monkeypatch, request):
    served_by, capsys = request.getfixturevalue("embedder"), request.getfixturevalue("capsys")
    page = Path(__file__).parent.parent.parent / "docs" / "python.md"
    (example, _) = re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), flags=re.DOTALL)
    monkeypatch.setattr(wiring, "open_store", lambda *_, **__: store)
    monkeypatch.setattr(wiring, "open_embedder", lambda *_, **__: served_by)
    monkeypatch.setenv("RECALL_SERVING_DSN", "host=nobody.invalid")
    program = compile(example.replace("how long are backups kept", "ten requests a minute"), str(page), "exec")
    exec(program, {})
    assert "CALIBRATION_MISSING No trustworthy" in capsys.readouterr().out
    store.records = [measure(served, 0.6)]
    exec(program, {})
    assert "new.md:5 # Bucket" in capsys.readouterr().out


def test_importing_the_package_loads_nothing_of_a_search():
    program = (
        "import recall_core, sys; print(sorted(m for m in sys.modules if m.startswith(('recall', 'numpy', 'psy'))))"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "['recall_core']"


def test_clocks_are_aware(served, store, embedder):
    result = trusted_search(store, embedder, "q", policy=DEVELOPMENT)
    assert result.instants.clock.tzinfo is UTC
