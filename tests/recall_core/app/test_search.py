"""Searching: the gate comes first, and what was retrieved is judged as of the instants that were asked for."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from recall_core.app.answer import Refused, SearchResult
from recall_core.app.embed import describe_pipeline
from recall_core.app.search import SearchRequest, Tools, search
from recall_core.errors import EmbedderError, StoreError, UsageError
from recall_core.frontmatter.read import read_memo
from recall_core.generation.chunk import chunk_memo
from recall_core.model.hit import HitVerdict
from recall_core.ports.store import BuildPlan, MemoRow
from recall_core.trust.policy import FailureCode, TrustPolicy

NOW = datetime(2026, 6, 15, 12, 0, tzinfo=UTC)
DEVELOPMENT, STRICT = TrustPolicy.development(), TrustPolicy.strict()


def pipeline_of(embedder, *, schema=1):
    return describe_pipeline(embedder, text_search="english", schema=schema)


def row(embedder, path: str, text: str, recorded: datetime | None = NOW) -> MemoRow:
    memo = read_memo(path, text.encode())
    chunks = chunk_memo(text, title=memo.title or memo.key)
    return MemoRow(memo, f"sha256:{path}", recorded, chunks, embedder.embed_queries([each.passage for each in chunks]))


def fill(store, embedder, rows, *, promote=True) -> str:
    plan = BuildPlan(pipeline_of(embedder), "/memos", "folder", "someone")
    with store.build("default", plan) as build:
        build.add(rows)
        generation = build.finish()
    if promote:
        store.promote("default", generation.id, expected=None, actor="someone")
    return generation.id


def ask(store, embedder, query="limits", *, policy=DEVELOPMENT, at=NOW, known_at=None, **asked):
    tools = Tools(lambda: store, lambda: embedder, asked.pop("pipeline", pipeline_of))
    request = SearchRequest(
        query,
        asked.get("k", 5),
        at,
        at.isoformat(),
        known_at,
        known_at.isoformat() if known_at is not None else None,
        asked.get("generation"),
        asked.get("tenant", "default"),
        policy,
        timedelta(days=30),
    )
    return search(request, tools, now=NOW)


class Untouchable:
    """A store that answers what it holds, and raises on every question about a memo."""

    def __init__(self, store) -> None:
        self._store = store

    def active(self, tenant):
        return self._store.active(tenant)

    def generation(self, tenant, generation):
        return self._store.generation(tenant, generation)

    def generations(self, tenant):
        return self._store.generations(tenant)

    def __getattr__(self, name):
        raise AssertionError(f"the gate was not passed, and `{name}` was called")


class Deaf:
    """A model that has an identity and embeds nothing."""

    def __init__(self, embedder) -> None:
        self.id, self.dimension, self.max_tokens = embedder.id, embedder.dimension, embedder.max_tokens
        self.is_fused = embedder.is_fused

    def embed_queries(self, _texts):
        raise AssertionError("the gate was not passed, and a query was embedded")


@pytest.fixture
def filled(store, embedder):
    fill(store, embedder, [row(embedder, "a.md", "# Limits\n\nten a minute\n")])
    return store


def test_the_strict_gate_comes_before_any_retrieval(filled, embedder):
    found = ask(Untouchable(filled), Deaf(embedder), policy=STRICT)
    assert isinstance(found, Refused)
    assert found.refusal.failure_code is FailureCode.CALIBRATION_MISSING
    assert found.refusal.generation_id == filled.active("default").id


@pytest.mark.parametrize("policy", [STRICT, DEVELOPMENT], ids=["strict", "development"])
def test_without_an_active_generation_nothing_is_asked_for(store, embedder, policy):
    fill(store, embedder, [row(embedder, "a.md", "# A\n")], promote=False)
    found = ask(Untouchable(store), Deaf(embedder), policy=policy)
    assert isinstance(found, Refused)
    assert (found.refusal.failure_code, found.refusal.generation_id) == (FailureCode.INDEX_NOT_READY, None)


@pytest.mark.parametrize(
    ("name", "schema", "told"), [("another", 1, "embedder stand-in"), ("stand-in", 2, "another version (schema)")]
)
def test_another_pipeline_is_refused_by_the_strict_gate(filled, make_embedder, name, schema, told):
    model = make_embedder(name=name)
    found = ask(Untouchable(filled), Deaf(model), policy=STRICT, pipeline=lambda each: pipeline_of(each, schema=schema))
    assert isinstance(found, Refused)
    assert found.refusal.failure_code is FailureCode.LINEAGE_MISMATCH
    assert told in found.detail


def test_an_unreachable_store_comes_before_everything_else(embedder):
    def fail():
        raise StoreError("the server is gone", help="`recall db start`")

    tools = Tools(fail, lambda: embedder, pipeline_of)
    request = SearchRequest("q", 5, NOW, "", None, None, None, "default", STRICT, timedelta(days=30))
    found = search(request, tools, now=NOW)
    assert isinstance(found, Refused)
    assert found.refusal.failure_code is FailureCode.DEPENDENCY_UNAVAILABLE
    assert found.detail == "the server is gone; `recall db start`"
    assert "gone" not in str(found.refusal.to_json())


@pytest.mark.parametrize(
    "rows", [np.zeros((1, 31), np.float32), np.ones((1, 32), np.float32), np.full((1, 32), np.nan, np.float32)]
)
def test_a_model_that_answers_nonsense_is_an_outage(filled, embedder, monkeypatch, rows):
    monkeypatch.setattr(embedder, "embed_queries", lambda _texts: rows)
    found = ask(filled, embedder)
    assert isinstance(found, Refused)
    assert found.refusal.failure_code is FailureCode.DEPENDENCY_UNAVAILABLE


def test_an_outage_in_the_middle_of_retrieval_is_no_empty_answer(filled, embedder, monkeypatch):
    def fail(*_):
        raise EmbedderError("gone")

    monkeypatch.setattr(type(filled), "snapshot", fail)
    assert isinstance(ask(filled, embedder), Refused)


def test_without_a_calibration_every_hit_is_unverified_with_its_successors(store, embedder):
    rows = [
        row(embedder, "old.md", "# Limits\n\nten a minute\n"),
        row(embedder, "new.md", "---\nsupersedes: old\n---\n# Limits\n\ntwenty a minute\n"),
    ]
    fill(store, embedder, rows)
    found = ask(store, embedder, "ten a minute")
    assert isinstance(found, SearchResult)
    assert {hit.verdict for hit in found.judged.hits} == {HitVerdict.UNVERIFIED}
    assert {hit.path: hit.superseded_by for hit in found.judged.hits} == {"old.md": ("new.md",), "new.md": ()}
    assert found.judged.abstention is None
    assert found.judged.threshold is None
    assert not found.judged.is_calibrated


def test_known_at_finds_the_second_way_round_and_forgets_a_later_ambiguity(store, embedder):
    """A memo that was replaced twice: what is known early has another end, and no second memo of its name."""
    early, late = NOW - timedelta(days=90), NOW - timedelta(days=10)
    rows = [
        row(embedder, "old.md", "# Limits\n\nten a minute\n", early),
        row(embedder, "first.md", "---\nsupersedes: old\n---\n# First\n\ntwenty\n", early),
        row(embedder, "second.md", "---\nsupersedes: [old, first]\n---\n# Second\n\nthirty\n", late),
        row(embedder, "eu/place.md", "# Place\n\nFrankfurt\n", early),
        row(embedder, "us/place.md", "# Place\n\nOhio\n", late),
        row(embedder, "all.md", "---\nsupersedes: place\n---\n# All\n\neverywhere\n", early),
    ]
    fill(store, embedder, rows)
    now = {hit.path: hit for hit in ask(store, embedder, "minute Frankfurt Ohio", k=50).judged.hits}
    assert now["old.md"].superseded_by == ("second.md",)
    assert now["eu/place.md"].candidate.memo.ambiguous
    then = ask(store, embedder, "minute Frankfurt Ohio", k=50, known_at=NOW - timedelta(days=30))
    before = {hit.path: hit for hit in then.judged.hits}
    assert before["old.md"].superseded_by == ("first.md",)
    assert before["eu/place.md"].superseded_by == ("all.md",)
    assert not before["eu/place.md"].candidate.memo.ambiguous
    assert before["us/place.md"].superseded_by == ()


def test_an_unknown_time_counts_as_known(store, embedder):
    rows = [
        row(embedder, "old.md", "# Limits\n", None),
        row(embedder, "new.md", "---\nsupersedes: old\n---\n# Fees\n", None),
    ]
    fill(store, embedder, rows)
    found = ask(store, embedder, known_at=NOW - timedelta(days=3000))
    assert found.judged.hits[0].superseded_by == ("new.md",)


def test_vectors_of_another_model_are_not_used_and_that_is_said(filled, make_embedder):
    found = ask(filled, make_embedder(name="another"))
    assert isinstance(found, SearchResult)
    assert filled.searches[-1].vector is None
    assert [hit.cosine for hit in found.judged.hits] == [None]
    assert found.judged.grounds.failure_code is FailureCode.LINEAGE_MISMATCH
    assert any("another is chosen now" in note for note in found.notes)


def test_a_generation_that_is_not_complete_is_not_searched(store, embedder):
    with pytest.raises(ZeroDivisionError), store.build("default", BuildPlan(pipeline_of(embedder), "/m", "f", "a")):
        raise ZeroDivisionError
    (failed,) = store.generations("default")
    with pytest.raises(UsageError, match="failed"):
        ask(store, embedder, generation=failed.id)


def test_another_tenant_sees_nothing(filled, embedder):
    found = ask(filled, embedder, tenant="other")
    assert isinstance(found, Refused)
    with pytest.raises(UsageError, match="there is no generation"):
        ask(filled, embedder, tenant="other", generation=filled.active("default").id)
