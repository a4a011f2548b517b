"""Promotion beside somebody else who promotes."""

import pytest

from recall_core.app.embed import describe_pipeline
from recall_core.app.promote import name_some, promote
from recall_core.errors import ConflictError
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


def test_many_names_are_counted_after_the_fifth():
    assert name_some(("a", "b")) == "`a`, `b`"
    assert name_some(tuple("abcdefg")) == "`a`, `b`, `c`, `d`, `e` and 2 more"
