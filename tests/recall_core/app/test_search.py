"""Searching: the gate comes first, and what was retrieved is judged as of the instants that were asked for."""

from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from recall_core.app.answer import Refused, SearchResult
from recall_core.app.embed import describe_pipeline
from recall_core.app.search import SearchRequest, Tools, search
from recall_core.calibration.artifact import State
from recall_core.calibration.artifact_json import seal
from recall_core.calibration.evidence import Evidence
from recall_core.calibration.signals import NAMES, VERSION
from recall_core.calibration.status import Record
from recall_core.errors import EmbedderError, EntailerError, StoreError, UsageError
from recall_core.frontmatter.read import read_memo
from recall_core.generation.chunk import chunk_memo
from recall_core.model.hit import HitVerdict
from recall_core.ports.store import BuildPlan, MemoRow
from recall_core.trust.entail import Decision
from recall_core.trust.grounds import TrustState
from recall_core.trust.policy import CalibrationStatus, FailureCode, TrustPolicy
from recall_core.trust.threshold import Threshold

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
    tools = Tools(lambda: store, lambda: embedder, asked.pop("pipeline", pipeline_of), asked.get("entailer"))
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
        asked.get("threshold"),
    )
    return search(request, tools, now=NOW)


class Untouchable:
    """A store that answers what it holds, and raises on every question about a memo."""

    def __init__(self, store) -> None:
        self._store = store

    def generation(self, tenant, generation):
        return self._store.generation(tenant, generation)

    def generations(self, tenant):
        return self._store.generations(tenant)

    @contextmanager
    def snapshot(self, tenant, generation=None):
        with self._store.snapshot(tenant, generation) as pinned:
            yield None if pinned is None else UntouchableSnapshot(pinned)

    def __getattr__(self, name):
        raise AssertionError(f"the gate was not passed, and `{name}` was called")


class UntouchableSnapshot:
    """Gives its generation and the calibrations of it, and raises on every question about a memo."""

    def __init__(self, pinned) -> None:
        self.generation, self.calibrations = pinned.generation, pinned.calibrations

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


# with a calibration


@pytest.fixture
def limits(store, embedder):
    """A memo in the words of the question, its successor in others, and one that has expired."""
    rows = [
        row(embedder, "old.md", "# Limits\n\nten requests a minute\n", NOW - timedelta(days=90)),
        row(embedder, "new.md", "---\nsupersedes: old\n---\n# Bucket\n\ntokens, refilled\n", NOW - timedelta(days=9)),
        row(embedder, "freeze.md", "---\nvalid_until: 2026-01-06\n---\n# Freeze\n\nno deployment at Christmas\n"),
        row(embedder, "cats.md", "# Cats\n\nthe cat sat on the mat\n"),
    ]
    fill(store, embedder, rows)
    return store.active("default")


def certify(store, record):
    store.records = [record]
    return record


STANDINGS = [
    (State.DRAFT, FailureCode.CALIBRATION_UNCERTIFIED, CalibrationStatus.DRAFT),
    (State.REJECTED, FailureCode.CALIBRATION_UNCERTIFIED, CalibrationStatus.REJECTED),
    (State.LEGACY_UNBOUND, FailureCode.CALIBRATION_UNCERTIFIED, CalibrationStatus.LEGACY),
    (None, FailureCode.CALIBRATION_UNCERTIFIED, CalibrationStatus.UNKNOWN),
    (State.SUPERSEDED, FailureCode.CALIBRATION_STALE, CalibrationStatus.SUPERSEDED),
]


@pytest.mark.parametrize("standing", STANDINGS, ids=lambda standing: standing[2].value)
def test_each_standing_has_its_code_before_any_retrieval(limits, store, embedder, measure, standing):
    """G3, G5: the store's query methods raise."""
    state, code, status = standing
    certify(store, measure(limits, state=state))
    found = ask(Untouchable(store), Deaf(embedder), policy=STRICT)
    assert isinstance(found, Refused)
    assert (found.refusal.failure_code, found.refusal.calibration_status) == (code, status)
    assert found.refusal.generation_id == limits.id
    assert found.detail
    assert found.refusal.advice.startswith("No trustworthy decision was possible")


@pytest.mark.parametrize("what", ["corpus", "labels", "lineage", "checksum"])
def test_a_published_one_that_no_longer_serves_is_stale(limits, store, embedder, measure, what):
    record = certify(store, measure(limits))
    if what == "corpus":
        certify(store, measure(limits, corpus_fingerprint="sha256:other"))
    elif what == "labels":
        certify(store, Record(State.PUBLISHED, record.artifact, "sha256:other"))
    elif what == "checksum":
        certify(store, Record(State.PUBLISHED, None, record.labels))
    else:
        certify(store, measure(limits, pipeline_fingerprint="sha256:other"))
    found = ask(Untouchable(store), Deaf(embedder), policy=STRICT)
    expected = FailureCode.LINEAGE_MISMATCH if what == "lineage" else FailureCode.CALIBRATION_STALE
    assert found.refusal.failure_code is expected
    assert found.refusal.calibration_status is CalibrationStatus.STALE


def test_a_certified_calibration_makes_a_trusted_answer_with_its_identities(limits, store, embedder, measure):
    """G12."""
    artifact = certify(store, measure(limits, 0.3)).artifact
    found = ask(store, embedder, "cat on the mat", policy=STRICT)
    judged = found.judged
    assert judged.hits[0].path == "cats.md"
    assert judged.hits[0].verdict is HitVerdict.OK
    assert judged.hits[0].confidence > 0.5
    assert (judged.trust_state, judged.is_calibrated) == (TrustState.TRUSTED, True)
    assert (judged.grounds.calibration_id, judged.grounds.generation_id) == (artifact.id, limits.id)
    assert judged.grounds.query_set_digest == artifact.query_set_digest
    assert (judged.threshold.value, judged.threshold.rule) == (artifact.threshold, "midgap")


def test_the_successor_of_a_near_hit_is_fetched_by_key(limits, store, embedder, measure):
    """On top of k, in the place of the memo it replaces, with its own cosine."""
    certify(store, measure(limits, 0.7))
    found = ask(store, embedder, "ten requests a minute", policy=STRICT, k=1)
    first, second = found.judged.hits
    assert (first.path, first.verdict, first.promoted_from) == ("new.md", HitVerdict.OK, "old.md")
    assert first.cosine < 0.7 < second.cosine
    assert (second.path, second.verdict) == ("old.md", HitVerdict.SUPERSEDED)
    assert not found.judged.abstained


def test_before_the_successor_was_known_the_old_memo_answers(limits, store, embedder, measure):
    certify(store, measure(limits, 0.5))
    found = ask(store, embedder, "ten requests a minute", policy=STRICT, k=1, known_at=NOW - timedelta(days=30))
    (hit,) = found.judged.hits
    assert (hit.path, hit.verdict, hit.superseded_by) == ("old.md", HitVerdict.OK, ())


def test_a_successor_fetched_at_a_knowledge_instant_is_the_one_of_then(store, embedder, measure):
    early, late = NOW - timedelta(days=90), NOW - timedelta(days=10)
    rows = [
        row(embedder, "old.md", "# Limits\n\nten requests a minute\n", early),
        row(embedder, "first.md", "---\nsupersedes: old\n---\n# Bucket\n\ntokens\n", early),
        row(embedder, "second.md", "---\nsupersedes: first\n---\n# Window\n\nsliding\n", late),
    ]
    fill(store, embedder, rows)
    certify(store, measure(store.active("default"), 0.5))
    then = ask(store, embedder, "ten requests a minute", policy=STRICT, k=1, known_at=NOW - timedelta(days=30))
    assert [(hit.path, hit.verdict) for hit in then.judged.ok_hits] == [("first.md", HitVerdict.OK)]
    now = ask(store, embedder, "ten requests a minute", policy=STRICT, k=1)
    assert [hit.path for hit in now.judged.ok_hits] == ["second.md"]


def test_a_successor_that_is_not_in_force_is_named_with_the_reason(store, embedder, measure):
    rows = [
        row(embedder, "old.md", "# Limits\n\nten requests a minute\n"),
        row(embedder, "new.md", "---\nsupersedes: old\nvalid_from: 2027-01-01\n---\n# Bucket\n\ntokens\n"),
    ]
    fill(store, embedder, rows)
    certify(store, measure(store.active("default"), 0.5))
    judged = ask(store, embedder, "ten requests a minute", policy=STRICT, k=1).judged
    assert judged.abstained
    assert judged.reason_code == "superseded"
    assert "`new.md`, which is not yet valid: it holds from 2027-01-01" in judged.reason
    assert [hit.path for hit in judged.hits] == ["old.md"]


def test_an_expired_memo_is_an_abstention_unless_the_day_is_an_earlier_one(limits, store, embedder, measure):
    certify(store, measure(limits, 0.3))
    judged = ask(store, embedder, "deployment at Christmas", policy=STRICT).judged
    assert (judged.abstained, judged.reason_code) == (True, "outside_window")
    before = ask(store, embedder, "deployment at Christmas", policy=STRICT, at=datetime(2026, 1, 6, 23, tzinfo=UTC))
    assert [hit.path for hit in before.judged.ok_hits] == ["freeze.md"]


def test_a_calibration_published_later_does_not_serve_an_earlier_instant(limits, store, embedder):
    store.records = []
    found = ask(store, embedder, policy=STRICT, known_at=NOW - timedelta(days=30))
    assert found.refusal.failure_code is FailureCode.CALIBRATION_MISSING
    assert "as it was at 2026-05-16" in found.detail


class Judge:
    """An entailer that answers what it was told, and remembers what it was shown."""

    def __init__(self, *answers: bool) -> None:
        self.answers, self.shown = answers, []

    def entail(self, _query, texts):
        self.shown.append(list(texts))
        return [Decision(answer, float(answer)) for answer in self.answers]


def test_an_entailer_sees_ok_hits_alone_and_only_demotes(limits, store, embedder, measure):
    """F1-F3, F6."""
    certify(store, measure(limits, 0.3))
    judge = Judge(False)
    judged = ask(store, embedder, "ten requests a minute", policy=STRICT, k=1, entailer=lambda: judge).judged
    assert [(hit.path, hit.verdict) for hit in judged.hits] == [
        ("new.md", HitVerdict.NOT_ENTAILED),
        ("old.md", HitVerdict.SUPERSEDED),
    ]
    assert (judged.abstained, judged.reason_code) == (True, "not_entailed")
    assert len(judge.shown) == 1
    assert "tokens, refilled" in judge.shown[0][0]
    assert not ask(store, embedder, "ten requests a minute", policy=STRICT, k=1).judged.abstained


def test_an_entailer_is_not_asked_where_nothing_holds(limits, store, embedder, measure):
    certify(store, measure(limits, 0.9))
    judge = Judge()
    judged = ask(store, embedder, "zebra", policy=STRICT, entailer=lambda: judge).judged
    assert (judged.abstained, judge.shown) == (True, [])
    assert ask(store, embedder, "cat", entailer=lambda: judge).judged.hits
    assert judge.shown == []


@pytest.mark.parametrize("when", ["opened", "asked", "answering too little"])
def test_an_entailer_that_fails_is_an_outage(limits, store, embedder, measure, when):
    certify(store, measure(limits, 0.3))

    def fail(*_):
        raise EntailerError("the judge is gone")

    judge = Judge()
    if when == "asked":
        judge.entail = fail
    found = ask(store, embedder, "cat mat", policy=STRICT, entailer=fail if when == "opened" else lambda: judge)
    assert isinstance(found, Refused)
    assert found.refusal.failure_code is FailureCode.DEPENDENCY_UNAVAILABLE


def test_development_with_a_threshold_of_ones_own_keeps_verdicts_and_stays_degraded(limits, store, embedder):
    """G11."""
    store.records = []
    judged = ask(store, embedder, "cat on the mat", threshold=Threshold(0.3, 0.05)).judged
    assert judged.hits[0].verdict is HitVerdict.OK
    assert (judged.trust_state, judged.is_calibrated) == (TrustState.DEGRADED, False)
    assert judged.grounds.failure_code is FailureCode.CALIBRATION_MISSING
    assert isinstance(ask(store, embedder, policy=STRICT, threshold=Threshold(0.3, 0.05)), Refused)


@pytest.mark.parametrize("state", [State.DRAFT, State.REJECTED, State.SUPERSEDED])
def test_development_judges_by_nothing_that_is_not_published(limits, store, embedder, measure, state):
    """A store need not give the artifact of a calibration that is not published: none of them is judged by."""
    certify(store, measure(limits, 0.3, state=state))
    judged = ask(store, embedder, "cat on the mat").judged
    assert judged.threshold is None
    assert {hit.verdict for hit in judged.hits} == {HitVerdict.UNVERIFIED}


def test_development_judges_by_what_was_measured_and_claims_nothing(limits, store, embedder, measure):
    """G13: what is not certified is used, and said to be none."""
    record = certify(store, measure(limits, 0.3, corpus_fingerprint="sha256:other"))
    judged = ask(store, embedder, "cat on the mat").judged
    assert judged.hits[0].verdict is HitVerdict.OK
    assert judged.threshold.calibration_id == record.artifact.id
    assert (judged.is_calibrated, judged.trust_state) == (False, TrustState.DEGRADED)
    assert judged.grounds.failure_code is not None


def test_development_never_uses_a_threshold_of_another_model(limits, store, embedder, make_embedder, measure):
    """G8."""
    certify(store, measure(limits, 0.3))
    judged = ask(store, make_embedder(name="another"), "cat on the mat").judged
    assert judged.threshold is None
    assert {hit.verdict for hit in judged.hits} == {HitVerdict.UNVERIFIED}


def test_a_stale_index_is_said_whatever_its_hits_are(limits, store, embedder, measure):
    certify(store, measure(limits, 0.3))
    tools = Tools(lambda: store, lambda: embedder, pipeline_of)
    request = SearchRequest("cat mat", 5, NOW, "", None, None, None, "default", STRICT, timedelta(days=30))
    found = search(request, tools, now=NOW + timedelta(days=31))
    assert found.judged.staleness.is_stale
    assert found.judged.ok_hits


def test_a_purely_lexical_match_still_warns_of_a_gap(limits, store, embedder, measure):
    """D13."""
    certify(store, measure(limits, 0.75))
    judged = ask(store, embedder, "mat zebra giraffe lion", policy=STRICT).judged
    assert judged.hits[0].path == "cats.md"
    assert judged.gap_warning
    assert judged.reason_code == "low_confidence"


@pytest.mark.parametrize("slope", [0.4, -0.4])
def test_signals_that_were_admitted_move_the_threshold_of_the_query(limits, store, embedder, measure, slope):
    """The share of the query's words in the best hits counts for it or against it; confidence is held against that."""
    record, verdict = measure(limits, 0.85), HitVerdict.OK if slope > 0 else HitVerdict.LOW_CONFIDENCE
    slopes = tuple(slope if name == "coverage_of_best" else 0.0 for name in NAMES)
    evidence = Evidence(VERSION, (0.5,) * len(NAMES), slopes)
    moved = seal(replace(record.artifact, id="", checksum="", evidence=evidence))
    certify(store, Record(State.PUBLISHED, moved, record.labels))
    judged = ask(store, embedder, "the cat sat on the mat", policy=STRICT).judged
    first = next(hit for hit in judged.hits if hit.path == "cats.md")
    assert first.verdict is verdict
    assert judged.threshold.value == pytest.approx(0.85 - 0.5 * slope, abs=0.002)
    assert judged.threshold.published == moved.threshold
    assert (first.confidence >= 0.5) is (verdict is HitVerdict.OK)
    assert store.searches[-1].observes
