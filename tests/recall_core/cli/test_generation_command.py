"""`recall generation`: which generations there are, and which of them is served."""

from datetime import UTC, datetime

import pytest

from recall_core.generation.states import State


@pytest.fixture
def two(memos, recall, store):
    """Two generations that are ready, the newer first."""
    memos.write("a.md", "# A\n")
    recall("index")
    memos.write("b.md", "# B\n")
    recall("index")
    return [each.id for each in store.generations("default")]


def test_all_are_listed_the_newest_first(two, recall, conforms):
    result = recall("generation", "list")
    assert [line.split()[:2] for line in result.out.splitlines()] == [["ready", two[0]], ["ready", two[1]]]
    found = recall("generation", "list", "--format", "json").json
    assert conforms(found, "generation")
    assert [each["id"] for each in found["generations"]] == two


def test_an_empty_tenant_says_what_to_type(memos, recall, conforms):
    assert "`recall index` builds one" in recall("generation", "list").out
    assert recall("generation", "list", "--format", "json").json["generations"] == []


def test_one_is_shown_by_the_beginning_of_its_id(two, recall, conforms):
    result = recall("generation", "show", two[0])
    assert f"id: {two[0]}\n" in result.out
    assert "embedder: stand-in\n" in result.out
    assert conforms(recall("generation", "show", two[0], "--format", "json").json, "generation")
    ambiguous = recall("generation", "show", "gen_")
    assert ambiguous.status == 2
    assert "several generations" in ambiguous.err
    assert recall("generation", "show", "gen_zz").status == 2


def test_promotion_rollback_and_retirement(two, recall, store, development):  # I11
    newer, older = two
    assert recall("generation", "promote", older).status == 0
    assert recall("generation", "promote", newer).out == f"{newer} is served\n"
    assert recall("generation", "rollback").out == f"{older} is served again\n"
    assert store.active("default").id == older
    assert recall("generation", "retire", older).status == 2
    assert recall("generation", "retire", newer).status == 0
    assert store.generation("default", newer).state is State.RETIRED
    assert store.rows[newer] == []


def test_promoting_what_is_served_changes_nothing(two, recall, store, development):
    recall("generation", "promote", two[0])
    assert recall("generation", "promote", two[0]).status == 0
    assert store.active("default").id == two[0]


@pytest.mark.usefixtures("two", "development")
def test_a_failed_generation_is_not_promoted(memos, recall, store, embedder):  # I11
    memos.write("c.md", "# C\n")
    embedder.fails_after = len(embedder.texts)
    recall("index")
    failed = store.generations("default")[0]
    assert failed.state is State.FAILED
    result = recall("generation", "promote", failed.id)
    assert result.status == 2
    assert "only one that is ready" in result.err
    assert store.active("default") is None


def test_strict_mode_promotes_none_without_a_calibration(two, recall, store):  # I11
    result = recall("generation", "promote", two[0])
    assert result.status == 2
    assert "no certified calibration" in result.err
    assert store.active("default") is None


def test_a_rollback_is_never_refused_by_the_mode(two, recall, store, monkeypatch):  # I11
    monkeypatch.setenv("RECALL_TRUST_MODE", "development")
    recall("generation", "promote", two[1])
    recall("generation", "promote", two[0])
    monkeypatch.delenv("RECALL_TRUST_MODE")
    assert recall("generation", "rollback").status == 0
    assert store.active("default").id == two[1]


def test_a_rollback_to_nothing_exits_2(two, recall):
    assert recall("generation", "rollback").status == 2


def test_times_are_told_in_utc(two, recall):
    found = recall("generation", "show", two[0], "--format", "json").json["generations"][0]
    assert datetime.fromisoformat(found["created_at"]).tzinfo == UTC
    assert found["promoted_at"] is None
