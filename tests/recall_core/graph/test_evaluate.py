"""Verdicts (BEHAVIOURS B1 to B5, C3 to C13, D1) and the vectors of Validity Frontmatter 1.0, in the pure evaluator."""

import json
from datetime import UTC, date, datetime, time, timedelta, timezone

import pytest

from recall_core.frontmatter.dates import last_instant
from recall_core.graph.evaluate import Evaluation, as_utc
from recall_core.model.verdict import Verdict

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def instant(day):
    return last_instant(date.fromisoformat(day))


def recorded_on(**days):
    """Recorded times at the first instant of a day, by stem."""
    return {f"{stem}.md": datetime.combine(date.fromisoformat(day), time.min, UTC) for stem, day in days.items()}


def verdicts(corpus, at=NOON, **options):
    evaluation = Evaluation(corpus, at=at, **options)
    return {memo.path: evaluation.verdict(memo) for memo in corpus.memos}


def superseded_by(corpus, path, **options):
    evaluation = Evaluation(corpus, at=NOON, **options)
    return list(evaluation.superseded_by(corpus.memo(path)))


def pytest_generate_tests(metafunc):
    if "vector" in metafunc.fixturenames:
        metafunc.parametrize("vector", range(1, 12), ids=lambda number: f"vector-{number}")


def test_c13_conformance_vector(shared, corpus_of, vector):
    table = json.loads((shared / "conformance" / "validity-frontmatter-1.0.json").read_text("utf-8"))
    assert len(table["vectors"]) == 11
    row = table["vectors"][vector - 1]
    assert row["n"] == vector
    files = table["corpora"][row["corpus"]]
    corpus = corpus_of({path: file["text"] for path, file in files.items()})
    recorded = {path: instant(file["recorded"]) for path, file in files.items() if "recorded" in file}
    known_at = row["known_at"] and instant(row["known_at"])
    evaluation = Evaluation(corpus, at=instant(row["at"]), known_at=known_at, recorded=recorded)
    memo = corpus.memo(row["document"])
    assert evaluation.verdict(memo).value == row["verdict"]
    assert evaluation.superseded_by(memo) == ((row["successor"],) if row["successor"] else ())


def test_c3_a_dangling_reference_demotes_nobody(corpus_of):
    corpus = corpus_of({"base.md": "", "new.md": "supersedes: bass"})
    assert set(verdicts(corpus).values()) == {Verdict.OK}


def test_c4_a_self_claim_declares_nothing(corpus_of):
    assert verdicts(corpus_of({"new.md": "supersedes: new"})) == {"new.md": Verdict.OK}


def test_c5_same_names_that_an_edge_names_are_all_ambiguous_and_the_declarer_is_not(corpus_of):
    corpus = corpus_of({"a/policy.md": "", "b/policy.md": "", "new.md": "supersedes: policy"})
    ambiguous = Verdict.AMBIGUOUS_SUPERSESSION
    assert verdicts(corpus) == {"a/policy.md": ambiguous, "b/policy.md": ambiguous, "new.md": Verdict.OK}
    assert superseded_by(corpus, "a/policy.md") == []


def test_c5_ambiguity_counts_only_what_was_known(corpus_of):
    corpus = corpus_of({"a/policy.md": "", "b/policy.md": "", "new.md": "supersedes: policy"})
    recorded = {
        "a/policy.md": instant("2026-01-01"),
        "b/policy.md": instant("2026-03-01"),
        "new.md": instant("2026-02-01"),
    }
    found = verdicts(corpus, known_at=instant("2026-02-15"), recorded=recorded)
    assert found == {"a/policy.md": Verdict.SUPERSEDED, "b/policy.md": Verdict.NOT_YET_KNOWN, "new.md": Verdict.OK}


def test_c7_same_names_that_nobody_names_stay_ok(corpus_of):
    assert set(verdicts(corpus_of({"a/policy.md": "", "b/policy.md": ""})).values()) == {Verdict.OK}


def test_c8_two_claims_do_not_make_the_declarer_ambiguous(corpus_of):
    found = verdicts(corpus_of({"a.md": "", "b.md": "", "new.md": "supersedes: [a, b]"}))
    assert found == {"a.md": Verdict.SUPERSEDED, "b.md": Verdict.SUPERSEDED, "new.md": Verdict.OK}


def test_c9_a_web_address_reaches_no_memo(corpus_of):
    corpus = corpus_of({"docs/base.md": "", "new.md": "supersedes: https://example.org/docs/base.md"})
    assert set(verdicts(corpus).values()) == {Verdict.OK}


def test_c10_a_chain_reports_its_end(corpus_of):
    corpus = corpus_of({"a.md": "", "b.md": "supersedes: a", "c.md": "supersedes: b"})
    assert superseded_by(corpus, "a.md") == superseded_by(corpus, "b.md") == ["c.md"]
    assert superseded_by(corpus, "c.md") == []


def test_c11_members_of_a_cycle_resolve_to_their_direct_successors(corpus_of):
    two = corpus_of({"a.md": "supersedes: b", "b.md": "supersedes: a"})
    assert superseded_by(two, "a.md") == ["b.md"]
    assert superseded_by(two, "b.md") == ["a.md"]
    three = corpus_of({"a.md": "supersedes: c", "b.md": "supersedes: a", "c.md": "supersedes: b"})
    assert [superseded_by(three, path) for path in ("a.md", "b.md", "c.md")] == [["b.md"], ["c.md"], ["a.md"]]
    assert set(verdicts(three).values()) == {Verdict.SUPERSEDED}


def test_c12_every_claimant_is_stated_the_last_asserted_first_and_undated_last(corpus_of):
    names = ("early", "late", "undated-b", "undated-a", "same-b", "same-a")
    corpus = corpus_of({"base.md": ""} | {f"{name}.md": "supersedes: base" for name in names})
    days = {"early": "2026-01-01", "late": "2026-03-01", "same-b": "2026-02-01", "same-a": "2026-02-01"}
    found = superseded_by(corpus, "base.md", recorded=recorded_on(**days))
    assert found == ["late.md", "same-a.md", "same-b.md", "early.md", "undated-a.md", "undated-b.md"]


def test_c12_an_undated_claim_applies(corpus_of):
    corpus = corpus_of({"a.md": "", "b.md": "supersedes: a"})
    found = verdicts(corpus, known_at=instant("2026-02-01"), recorded=recorded_on(a="2026-01-01"))
    assert found["a.md"] is Verdict.SUPERSEDED


def test_c12_a_microsecond_decides(corpus_of):
    corpus = corpus_of({"base.md": "", "x.md": "supersedes: base", "y.md": "supersedes: base"})
    recorded = {"x.md": NOON, "y.md": NOON + timedelta(microseconds=1)}
    assert superseded_by(corpus, "base.md", recorded=recorded) == ["y.md", "x.md"]


def test_c13_edges_are_filtered_at_each_step(corpus_of):
    corpus = corpus_of({"a.md": "", "b.md": "supersedes: a", "c.md": "supersedes: b"})
    recorded = recorded_on(a="2026-01-01", b="2026-02-01", c="2026-03-01")
    seen = [
        superseded_by(corpus, "a.md", known_at=instant(day), recorded=recorded)
        for day in ("2026-01-15", "2026-02-15", "2026-03-15")
    ]
    assert seen == [[], ["b.md"], ["c.md"]]


def test_c13_the_instant_of_recording_is_known(corpus_of):
    corpus = corpus_of({"a.md": ""})
    for shift, expected in ((0, Verdict.OK), (-1, Verdict.NOT_YET_KNOWN)):
        known_at = NOON + timedelta(microseconds=shift)
        assert verdicts(corpus, known_at=known_at, recorded={"a.md": NOON}) == {"a.md": expected}


def test_d1_precedence(corpus_of):
    """Each memo has every defect that comes after its own; taking one away shows the next."""
    expired = "valid_until: 2026-01-31"
    files = {
        "bad/x.md": "valid_from: tomorrow",
        "later/x.md": expired,
        "here/x.md": expired,
        "ambiguous.md": "supersedes: x",
        "replaced.md": expired,
        "replacing.md": "supersedes: replaced",
        "old.md": expired,
        "young.md": "valid_from: 2026-12-01",
        "plain.md": "",
    }
    recorded = {"bad/x.md": instant("2026-06-30"), "later/x.md": instant("2026-06-30")}
    corpus = corpus_of(files)
    assert verdicts(corpus, known_at=NOON, recorded=recorded) == {
        "bad/x.md": Verdict.INVALID_METADATA,
        "later/x.md": Verdict.NOT_YET_KNOWN,
        "here/x.md": Verdict.SUPERSEDED,  # the others of its name are not known yet
        "ambiguous.md": Verdict.OK,
        "replaced.md": Verdict.SUPERSEDED,
        "replacing.md": Verdict.OK,
        "old.md": Verdict.EXPIRED,
        "young.md": Verdict.NOT_YET_VALID,
        "plain.md": Verdict.OK,
    }
    everything_known = verdicts(corpus)
    assert everything_known["bad/x.md"] is Verdict.INVALID_METADATA
    assert everything_known["later/x.md"] is everything_known["here/x.md"] is Verdict.AMBIGUOUS_SUPERSESSION


def test_d1_ambiguous_comes_before_superseded(corpus_of):
    files = {"d#1/b.md": "", "e/b.md": "", "one.md": 'supersedes: "d#1/b"', "two.md": "supersedes: b"}
    assert verdicts(corpus_of(files))["d#1/b.md"] is Verdict.AMBIGUOUS_SUPERSESSION


def test_d3_the_same_inputs_give_the_same_output(corpus_of):
    corpus = corpus_of({"a.md": "", "b.md": "supersedes: a", "c.md": "supersedes: a"})
    assert verdicts(corpus) == verdicts(corpus)
    assert superseded_by(corpus, "a.md") == superseded_by(corpus, "a.md")


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (datetime(2026, 2, 28, 23, 59, 59, 999999, UTC), Verdict.NOT_YET_VALID),
        (datetime(2026, 3, 1, tzinfo=UTC), Verdict.OK),  # B1
        (datetime(2026, 3, 31, 23, 59, 59, 999999, UTC), Verdict.OK),  # B2
        (datetime(2026, 4, 1, tzinfo=UTC), Verdict.EXPIRED),  # B2
        (datetime(2026, 4, 1, 1, tzinfo=timezone(timedelta(hours=2))), Verdict.OK),
        (datetime(2026, 3, 31, 23, tzinfo=timezone(-timedelta(hours=2))), Verdict.EXPIRED),
        (datetime(2026, 3, 1), Verdict.OK),  # noqa: DTZ001 - B5: naive is UTC
    ],
)
def test_b1_b2_b5_a_window_is_whole_days_of_utc(corpus_of, at, expected):
    corpus = corpus_of({"a.md": "valid_from: 2026-03-01\nvalid_until: 2026-03-31"})
    assert verdicts(corpus, at) == {"a.md": expected}


def test_b8_either_end_stands_alone(corpus_of):
    corpus = corpus_of({"from.md": "valid_from: 2026-06-01", "until.md": "valid_until: 2026-06-01"})
    assert set(verdicts(corpus).values()) == {Verdict.OK}


def test_b4_an_empty_window_is_invalid(corpus_of):
    assert verdicts(corpus_of({"a.md": "valid_from: 2026-03-02\nvalid_until: 2026-03-01"})) == {
        "a.md": Verdict.INVALID_METADATA
    }


def test_an_edge_holds_though_its_declarer_has_a_bad_date(corpus_of):
    corpus = corpus_of({"a.md": "", "b.md": "supersedes: a\nvalid_from: soon"})
    assert verdicts(corpus) == {"a.md": Verdict.SUPERSEDED, "b.md": Verdict.INVALID_METADATA}


def test_an_unreadable_declarer_replaces_nobody(corpus_of):
    corpus = corpus_of({"a.md": "", "b.md": "---\nsupersedes: a\ntitle: [\n---\n"})
    assert verdicts(corpus) == {"a.md": Verdict.OK, "b.md": Verdict.INVALID_METADATA}


def test_only_an_ok_memo_is_in_force(corpus_of):
    corpus = corpus_of({"a.md": "", "b.md": "supersedes: a", "c.md": "valid_until: 2026-01-01"})
    evaluation = Evaluation(corpus, at=NOON)
    assert [evaluation.is_in_force(memo) for memo in corpus.memos] == [False, True, False]


def test_an_instant_behind_the_calendar_is_its_end():
    assert as_utc(datetime(9999, 12, 31, 23, 59, tzinfo=timezone(-timedelta(hours=5)))).date() == date.max
    assert as_utc(datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5)))).date() == date.min
