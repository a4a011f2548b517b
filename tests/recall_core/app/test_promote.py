"""Promotion: beside somebody else who promotes, and what production demands of it (I11)."""

from datetime import UTC, datetime

import pytest

from recall_core.app.embed import describe_pipeline
from recall_core.app.promote import name_some, promote
from recall_core.calibration.bundle import Bundle
from recall_core.calibration.measure import Maker, build_artifact, take_sample
from recall_core.calibration.queryset import build_query_set
from recall_core.calibration.rule import Midgap
from recall_core.calibration.stored import Origin
from recall_core.errors import ConflictError, RefusedError
from recall_core.generation.states import State
from recall_core.ports.store import BuildPlan
from recall_core.trust.policy import TrustPolicy


def build(store, embedder) -> str:
    pipeline = describe_pipeline(embedder, text_search="english", schema=1)
    with store.build("default", BuildPlan(pipeline, "/memos", "folder", "someone")) as making:
        return making.finish().id


def test_whoever_comes_second_is_told_and_changes_nothing(store, embedder, monkeypatch):
    mine, theirs = build(store, embedder), build(store, embedder)
    seen = store.active

    def look(tenant):
        found = seen(tenant)
        monkeypatch.setattr(store, "active", seen)
        store.promote("default", theirs, expected=None, actor="another")
        return found

    monkeypatch.setattr(store, "active", look)
    with pytest.raises(ConflictError):
        promote(store, "default", mine, policy=TrustPolicy.development(), actor="someone")
    assert store.active("default").id == theirs


def test_strict_mode_promotes_once_a_certified_calibration_is_published(store, embedder):  # I11
    name = build(store, embedder)
    queries = build_query_set([{"query": f"q{number}", "answerable": number % 2 == 0} for number in range(60)])
    samples = [take_sample(entry, 0.8 if entry.answerable else 0.2) for entry in queries]
    maker = Maker("someone", datetime(2026, 3, 1, tzinfo=UTC), "1.0")
    artifact = build_artifact(queries, samples, Midgap(), store.generation("default", name).binding, maker)
    draft = store.calibrations.save("default", Bundle(artifact, queries), origin=Origin.MEASURED, actor="someone")
    with pytest.raises(RefusedError, match="nobody has published it") as caught:
        promote(store, "default", name, policy=TrustPolicy.strict(), actor="someone")
    assert "RECALL_TRUST_MODE=development" in caught.value.help
    assert store.active("default") is None
    store.calibrations.publish("default", draft.id, actor="someone")
    promoted = promote(store, "default", name, policy=TrustPolicy.strict(), actor="someone")
    assert (promoted.id, promoted.state) == (name, State.ACTIVE)


def test_many_names_are_counted_after_the_fifth():
    assert name_some(("a", "b")) == "`a`, `b`"
    assert name_some(tuple("abcdefg")) == "`a`, `b`, `c`, `d`, `e` and 2 more"
