"""`recall search`: what is printed, what is refused, and how it exits."""

import re
from datetime import timedelta

import pytest

from recall_core import wiring
from recall_core.adapters import clock
from recall_core.adapters.terminal import Screen
from recall_core.cli import search_text
from recall_core.errors import EmbedderError, StoreError

OLD = "---\nvalid_from: 2024-01-01\n---\n# Old limits\n\nA key may send 100 requests a minute.\n"
NEW = "---\nsupersedes: old\n---\n# New limits\n\nA bucket of tokens, refilled each second.\n"
GONE = "---\nvalid_until: 2026-01-06\n---\n# Freeze\n\nNothing is deployed over the holidays.\n"

REFUSAL = {"version", "refused", "failure_code", "calibration_status", "advice", "tenant_id", "generation_id"}


@pytest.fixture
def served(memos, recall, store, monkeypatch):
    """Three memos, indexed and promoted."""
    memos.write("old.md", OLD)
    memos.write("new.md", NEW)
    memos.write("freeze.md", GONE)
    monkeypatch.setenv("RECALL_TRUST_MODE", "development")
    assert recall("index", "--promote").status == 0
    monkeypatch.delenv("RECALL_TRUST_MODE")
    return store.active("default")


def test_development_mode_marks_everything_and_tells_successors(served, recall, development):
    result = recall("search", "requests a minute", "-k", "1")
    assert (result.status, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == "degraded (CALIBRATION_MISSING): nothing below is verified"
    assert lines[2].startswith("1. unverified  old.md:4-6  cosine 0.")
    assert lines[3] == "   replaced by new.md"
    assert "   valid from 2024-01-01" in lines
    assert "   | A key may send 100 requests a minute." in lines


def test_development_mode_tells_what_else_a_memo_declares(served, recall, development):
    result = recall("search", "deployed over the holidays", "-k", "1")
    assert "1. unverified  freeze.md" in result.out
    assert "   it has expired\n   valid until 2026-01-06\n" in result.out
    assert "has expired" not in recall("search", "deployed over the holidays", "-k", "1", "--at", "2026-01-06").out


def test_json_is_what_its_schema_says(served, recall, conforms, development):
    found = recall("search", "requests a minute", "--format", "json").json
    assert conforms(found, "search")
    assert list(found)[:9] == ["version", "query", "k", "at", "known_at", "mode", "abstained", "reason", "reason_code"]
    assert (found["mode"], found["trust_state"], found["failure_code"]) == (
        "development",
        "degraded",
        "CALIBRATION_MISSING",
    )
    assert (found["calibrated"], found["threshold"], found["calibration_id"]) == (False, None, None)
    assert found["generation_id"] == served.id
    first = found["hits"][0]
    assert (first["verdict"], first["confidence"]) == ("unverified", None)
    assert first["provenance"]["source"] == f"{served.root}@folder"
    assert first["validity"] == {"valid_from": "2024-01-01", "valid_until": None, "superseded_by": ["new.md"]}
    assert "why" not in first


def test_explain_lists_every_input_of_a_verdict(served, recall, conforms, development):
    found = recall("search", "requests a minute", "--explain", "--format", "json").json
    assert conforms(found, "search")
    why = found["hits"][0]["why"]
    assert why["edge_paths"] == [["old.md", "new.md"]]
    assert {"cosine", "threshold", "rule", "calibration_id", "clock", "recorded", "valid_from", "bm25"} <= why.keys()
    assert "   edge_path: old.md > new.md\n" in recall("search", "requests a minute", "--explain").out


def test_strict_mode_refuses_and_retrieves_nothing(served, recall, store, conforms):
    asked = len(store.searches)
    result = recall("search", "requests a minute", "--format", "json")
    assert result.status == 3
    assert conforms(result.json, "search")
    assert result.json.keys() == REFUSAL
    assert (result.json["failure_code"], result.json["calibration_status"]) == ("CALIBRATION_MISSING", "missing")
    assert "recall calibrate" in result.json["advice"]
    assert "recall: refused: CALIBRATION_MISSING: " in result.err
    assert len(store.searches) == asked
    text = recall("search", "requests a minute")
    assert (text.status, text.out) == (3, "")


@pytest.mark.parametrize("mode", ["strict", "development"])
def test_nothing_served_is_refused_with_what_to_type(memos, recall, monkeypatch, mode):
    monkeypatch.setenv("RECALL_TRUST_MODE", mode)
    result = recall("search", "anything", "--format", "json")
    assert (result.status, result.json["failure_code"]) == (3, "INDEX_NOT_READY")
    assert "recall index" in result.json["advice"]
    assert result.json["generation_id"] is None


@pytest.mark.parametrize("mode", ["strict", "development"])
@pytest.mark.parametrize("what", ["open_store", "open_embedder"])
def test_an_outage_is_a_refusal_and_never_an_empty_answer(served, recall, monkeypatch, mode, what):
    error = StoreError("the server is gone") if what == "open_store" else EmbedderError("the model is gone")

    def fail(*_, **__):
        raise error

    monkeypatch.setattr(wiring, what, fail)
    monkeypatch.setenv("RECALL_TRUST_MODE", mode)
    result = recall("search", "a secret question", "--format", "json")
    assert (result.status, result.json["failure_code"]) == (3, "DEPENDENCY_UNAVAILABLE")
    assert "a secret question" not in result.out + result.err
    assert "is gone" in result.err


def test_an_outage_during_retrieval_is_one_too(served, recall, embedder, monkeypatch, development):
    def fail(_texts):
        raise EmbedderError("the model went away")

    monkeypatch.setattr(embedder, "embed_queries", fail)
    result = recall("search", "requests")
    assert (result.status, result.out) == (3, "")
    assert "DEPENDENCY_UNAVAILABLE" in result.err


def test_another_model_is_refused_in_strict_mode_and_not_used_in_development(
    served, recall, store, make_embedder, monkeypatch
):
    monkeypatch.setattr(wiring, "open_embedder", lambda *_, **__: make_embedder(name="another"))
    result = recall("search", "requests a minute", "--format", "json")
    assert (result.status, result.json["failure_code"]) == (3, "LINEAGE_MISMATCH")
    assert "stand-in" in result.err
    monkeypatch.setenv("RECALL_TRUST_MODE", "development")
    result = recall("search", "requests a minute")
    assert result.status == 0
    assert result.out.startswith("degraded (LINEAGE_MISMATCH)")
    assert "note: searched by words alone" in result.out
    assert store.searches[-1].vector is None


def test_a_generation_can_be_named(served, memos, recall, store, development):
    memos.write("other.md", "# Other\n\nwords of its own\n")
    assert recall("index").status == 0
    newest = store.generations("default")[0]
    assert newest.id != served.id
    found = recall("search", "words of its own", "--generation", newest.id, "-k", "1", "--format", "json").json
    assert found["hits"][0]["provenance"]["path"] == "other.md"
    assert recall("search", "words", "--generation", "gen_none").status == 2


@pytest.mark.parametrize("arguments", [("",), (" \t",), ("a", "-k", "0"), ("a", "-k", "1001"), ("a", "--at", "soon")])
def test_what_is_no_question_exits_2(served, recall, store, arguments):
    asked = len(store.searches)
    result = recall("search", *arguments)
    assert (result.status, result.out) == (2, "")
    assert len(store.searches) == asked


def test_nothing_found_exits_1(memos, recall, make_embedder, monkeypatch, development):
    monkeypatch.setattr(wiring, "open_embedder", lambda *_, **__: make_embedder(dimension=0, name="none"))
    memos.write("a.md", "# A\n")
    recall("index", "--promote")
    result = recall("search", "zebra")
    assert (result.status, "nothing was found" in result.out) == (1, True)


def test_an_old_index_is_said(served, recall, store, monkeypatch, development):
    assert "days old" not in recall("search", "requests").out
    later = clock.now() + timedelta(days=31)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert "the index is 31 days old" in recall("search", "requests").out
    found = recall("search", "requests", "--format", "json").json["staleness"]
    assert (found["stale"], found["age_seconds"], found["max_age_seconds"]) == (True, 31 * 86400, 30 * 86400)


def test_no_text_of_a_memo_acts_on_a_terminal(memos, recall, conforms, development):
    memos.write("a.md", "# Red\x1b[31m\n\nrefund \x1b]0;title\x07 \u202etxet\u202c ##[group]\n")
    recall("index", "--promote")
    result = recall("search", "refund")
    for sign in ("\x1b", "\x07", "\u202e", "\u202c", "##[group]"):
        assert sign not in result.out
    assert "\\u202etxet" in result.out
    assert "\\x1b]0;title\\x07" in result.out
    assert conforms(recall("search", "refund", "--format", "json").json, "search")


def test_the_words_of_the_question_are_bold_where_there_is_colour(served, recall, development):
    plain = recall("search", "request per minute", "-k", "1").out
    painted = recall("search", "request per minute", "-k", "1", "--color", "always").out
    assert "\x1b[" not in plain
    assert "A key may send 100 \x1b[1mrequests\x1b[0m a \x1b[1mminute\x1b[0m." in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == plain


def test_known_at_shows_what_was_known(memos, recall, development):
    memos.git("init", "-q")
    memos.write("old.md", OLD)
    memos.commit("2026-01-05")
    memos.write("new.md", NEW)
    memos.commit("2026-03-05")
    recall("index", "--promote")
    arguments = ("search", "requests a minute", "-k", "1", "--format", "json")
    before = recall(*arguments, "--known-at", "2026-02-01").json
    assert before["known_at"] == "2026-02-01"
    assert before["hits"][0]["validity"]["superseded_by"] == []
    after = recall(*arguments, "--known-at", "2026-03-05").json
    assert after["hits"][0]["validity"]["superseded_by"] == ["new.md"]


def test_a_surrogate_in_a_query_is_no_crash(served, recall, conforms, development):
    result = recall("search", "requests \udcff \0 minute", "--format", "json")
    assert result.status == 0
    assert conforms(result.json, "search")


def test_a_password_in_a_dsn_is_never_shown(served, recall, monkeypatch):  # I16
    choices = wiring.Choices(serving_dsn="postgres://u:hunter2@h/d", migration_dsn="postgres://u:hunter3@h/d")
    assert "hunter" not in repr(choices)
    monkeypatch.setenv("RECALL_SERVING_DSN", "postgres://u:hunter4@h/d")
    assert "hunter" not in repr(wiring.Surroundings.read())


# with a certified calibration


@pytest.fixture
def certified(served, store, measure):
    store.records = [measure(served, 0.55)]
    return store


def test_a_trusted_answer_says_verdict_confidence_place_and_what_it_replaces(certified, recall, conforms):
    """Text a person reads in two seconds; the rest is counted in one line."""
    result = recall("search", "requests a minute", "-k", "1")
    assert (result.status, result.err) == (0, "")
    lines = result.out.splitlines()
    assert re.fullmatch(r"1\. ok  \u2588+\u2591* 0\.\d\d  new\.md:4-6  cosine 0\.\d{3}", lines[0])
    assert lines[1] == "   in the place of old.md, which it replaces"
    assert "   | A bucket of tokens, refilled each second." in lines
    assert lines[-1] == "not shown: 1 superseded (replaced by new.md); `--all` shows them"
    assert "degraded" not in result.out
    found = recall("search", "requests a minute", "-k", "1", "--format", "json", "--explain").json
    assert conforms(found, "search")
    assert (found["mode"], found["trust_state"], found["calibrated"]) == ("strict", "trusted", True)
    assert (found["hits"][0]["promoted_from"], found["hits"][0]["verdict"]) == ("old.md", "ok")
    assert found["calibration_id"] == certified.records[0].artifact.id
    assert found["hits"][0]["why"]["is_fetched"] is True


def test_all_shows_the_rest_and_colour_tells_them_apart(certified, recall):
    result = recall("search", "requests a minute", "-k", "1", "--all", "--color", "always")
    assert "1. \x1b[1;32mok\x1b[0m" in result.out
    assert "2. \x1b[1;33msuperseded\x1b[0m" in result.out
    assert "not shown" not in result.out


def test_an_abstention_and_a_refusal_are_unmistakable_and_different(certified, recall):
    """G14 and D11: an abstention is an answer on stdout, exit 1; a refusal stands on stderr, exit 3."""
    abstained = recall("search", "deployed over the holidays", "-k", "1")
    assert (abstained.status, abstained.err) == (1, "")
    assert abstained.out.startswith("no answer: the best match, `freeze.md`, expired: it was valid until 2026-01-06")
    certified.records = []
    refused = recall("search", "deployed over the holidays", "-k", "1", "--color", "always")
    assert (refused.status, refused.out) == (3, "")
    assert refused.err.startswith("recall: \x1b[1;31mrefused: CALIBRATION_MISSING\x1b[0m: No trustworthy decision")


def test_an_entailer_can_be_asked(certified, recall, conforms):
    arguments = ("search", "Nothing is deployed over the holidays by Zorro", "-k", "1", "--at", "2026-01-02")
    assert "freeze.md" in recall(*arguments).out
    found = recall(*arguments, "--entail", "lexical", "--format", "json").json
    assert conforms(found, "search")
    assert (found["reason_code"], found["hits"][0]["verdict"]) == ("not_entailed", "not_entailed")
    assert recall(*arguments, "--entail", "lexica").status == 2
    assert recall(*arguments, "--entail", "openai:m").status == 2


def test_development_prints_the_uncertified_threshold_it_uses(served, recall, store, measure, development):
    """G13."""
    store.records = [measure(served, 0.55, overlaps=True)]
    lines = recall("search", "requests a minute").out.splitlines()
    assert lines[:2] == [
        "degraded (CALIBRATION_UNCERTIFIED): nothing below is verified",
        "judged by an uncertified threshold, 0.550",
    ]
    store.records = [measure(served, 0.55)]
    lines = recall("search", "requests a minute").out.splitlines()
    assert lines[:2] == ["degraded (development mode): nothing below is verified", ""]


def test_a_screen_that_draws_no_blocks_gets_a_bar_of_signs():
    result = search_text._draw_bar(0.74, Screen(draws_blocks=False))
    assert result == "#######---"
