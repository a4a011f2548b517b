"""Memos of a generation and what replaced each, on every store (BEHAVIOURS B6, C5, C6, C10 to C15, I4)."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, timezone

import pytest

from recall_core.frontmatter.dates import last_instant
from recall_core.frontmatter.read import read_memo
from recall_core.generation.stored import Successor
from recall_core.graph.corpus import Corpus
from recall_core.graph.evaluate import Evaluation
from recall_core.model.memo import Memo

JANUARY = datetime(2026, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def declaring(*targets: str) -> str:
    return f"---\nsupersedes: [{', '.join(targets)}]\n---\nText.\n" if targets else "Text.\n"


def declared(memo: Memo) -> Memo:
    """What of a memo a generation keeps: what it declares."""
    return replace(memo, problems=(), keys=())


def stored(shelf, generation) -> dict:
    return {each.memo.path: each for each in shelf.corpus(generation)}


def pytest_generate_tests(metafunc):
    if "vector" in metafunc.fixturenames:
        metafunc.parametrize("vector", range(1, 12), ids=lambda number: f"vector-{number}")


def test_c13_conformance_vector_over_a_stored_generation(shared, shelf, vector):
    table = json.loads((shared / "conformance" / "validity-frontmatter-1.0.json").read_text("utf-8"))
    assert len(table["vectors"]) == 11
    row = table["vectors"][vector - 1]
    files = table["corpora"][row["corpus"]]
    generation = shelf.build(
        {path: file["text"] for path, file in files.items()},
        # d.md of vector 4 is one that `recall index` would refuse: it is written to the store as it is.
        recorded={
            path: datetime.combine(date.fromisoformat(file["recorded"]), time.min, UTC)
            for path, file in files.items()
            if "recorded" in file
        },
    )
    memos = shelf.corpus(generation)
    evaluation = Evaluation(
        Corpus(each.memo for each in memos),
        at=last_instant(date.fromisoformat(row["at"])),
        known_at=row["known_at"] and last_instant(date.fromisoformat(row["known_at"])),
        recorded={each.memo.path: each.recorded for each in memos if each.recorded is not None},
    )
    memo = evaluation.corpus.memo(row["document"])
    assert evaluation.verdict(memo).value == row["verdict"]
    assert evaluation.superseded_by(memo) == ((row["successor"],) if row["successor"] else ())
    if row["known_at"] is None:
        # What the store resolved at the build says the same.
        (own,) = [each for each in memos if each.memo == memo]
        assert own.ambiguous == (row["verdict"] == "ambiguous_supersession")
        assert [each.path for each in own.successors] == ([row["successor"]] if row["successor"] else [])


def test_a_memo_comes_back_as_it_was_declared(shelf):
    text = (
        "---\ntitle: Größe \U0001f4cf\nlabel: ADR-7\nsupersedes: [\"[[old|alias]]\", 'dir/other.md', 'part#A']\n"
        "valid_from: 2026-02-01\nvalid_until: 2026-13-01\nvalidfrom: 2026-01-01\n---\nText.\n"
    )
    generation = shelf.build({"dir/Größe é.md": text})
    (found,) = shelf.corpus(generation)
    memo = read_memo("dir/Größe é.md", text.encode())
    assert declared(found.memo) == declared(memo)
    assert memo.supersedes[0].part == ""
    assert not found.memo.is_valid
    assert (found.recorded, found.ambiguous, found.successors) == (None, False, ())


def test_b6_a_malformed_date_in_one_memo_harms_no_other(shelf):
    generation = shelf.serve({"bad.md": "---\nvalid_from: 2026-2-1\n---\nZebra.\n", "good.md": "Zebra crossing.\n"})
    assert {path: each.memo.is_valid for path, each in stored(shelf, generation).items()} == {
        "bad.md": False,
        "good.md": True,
    }
    assert set(shelf.find("zebra")) == {"bad.md", "good.md"}


def test_c6_memos_of_one_name_keep_their_directories_and_are_ambiguous_where_an_edge_names_it(shelf):
    files = {"x/policy.md": "Zebra in x.\n", "y/policy.md": "Zebra in y.\n", "policies.md": "Text.\n"}
    generation = shelf.serve(files)
    assert not any(each.ambiguous for each in shelf.corpus(generation))
    assert set(shelf.find("zebra")) == {"x/policy.md", "y/policy.md"}
    generation = shelf.serve({**files, "new.md": declaring("policy")})
    found = stored(shelf, generation)
    assert {path for path, each in found.items() if each.ambiguous} == {"x/policy.md", "y/policy.md"}
    assert shelf.successors(generation) == {}
    # A hit says so too.
    assert all(hit.memo.ambiguous for hit in shelf.search("zebra", vector=None).hits)


def test_c5_an_ambiguous_name_leaves_the_other_edges_of_its_declarer(shelf):
    files = {"x/a.md": "", "y/a.md": "", "b.md": "", "new.md": declaring("a", "b")}
    generation = shelf.build({path: text or "Text.\n" for path, text in files.items()})
    assert shelf.successors(generation) == {"b.md": ["new.md"]}
    assert not stored(shelf, generation)["new.md"].ambiguous


def test_c10_a_chain_is_told_with_every_step(shelf):
    files = {"a.md": "Zebra.\n", "b.md": declaring("a"), "c.md": declaring("b")}
    generation = shelf.serve(files, recorded={"c.md": JANUARY})
    walked = (Successor("c.md", ("a.md", "b.md", "c.md"), JANUARY),)
    assert stored(shelf, generation)["a.md"].successors == walked
    (hit,) = shelf.search("zebra", vector=None).hits
    assert hit.memo.successors == walked
    with shelf.store.snapshot(shelf.tenant) as snapshot:
        assert snapshot.memos(["a.md"])["a.md"].successors == walked


def test_c11_cycles_end(shelf):
    generation = shelf.build({"a.md": declaring("b"), "b.md": declaring("a"), "t.md": "T.\n", "a2.md": declaring("t")})
    assert shelf.successors(generation) == {"a.md": ["b.md"], "b.md": ["a.md"], "t.md": ["a2.md"]}


def test_c12_every_claimant_is_told_the_last_asserted_first(shelf):
    claimants = ("e", "d", "c", "b", "a")
    recorded = {
        "a.md": JANUARY,
        "b.md": JANUARY + timedelta(microseconds=1),
        "d.md": JANUARY.astimezone(timezone(timedelta(hours=-11))),
    }
    generation = shelf.build(
        {"old.md": "Old.\n", **{f"{name}.md": declaring("old") for name in claimants}}, recorded=recorded
    )
    assert [(each.path, each.asserted_at) for each in stored(shelf, generation)["old.md"].successors] == [
        ("b.md", recorded["b.md"]),
        ("a.md", JANUARY),
        ("d.md", JANUARY),
        ("c.md", None),
        ("e.md", None),
    ]


def test_a_long_chain_is_resolved(shelf):
    count = 300
    generation = shelf.build(
        {f"m{each}.md": declaring(f"m{each - 1}") if each else "Start.\n" for each in range(count)}
    )
    (end,) = stored(shelf, generation)["m0.md"].successors
    assert end.steps == tuple(f"m{each}.md" for each in range(count))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param(JANUARY, None, JANUARY, id="unknown later"),
        pytest.param(JANUARY, JANUARY + DAY, JANUARY, id="later"),
        pytest.param(JANUARY, JANUARY - DAY, JANUARY - DAY, id="earlier"),
        pytest.param(None, JANUARY, JANUARY, id="unknown before"),
        pytest.param(None, None, None, id="never known"),
    ],
)
def test_c14_the_first_recorded_time_survives_another_indexing(shelf, first, second, expected):
    text = declaring("old")
    before = shelf.serve({"a.md": text, "old.md": "O.\n"}, recorded={"a.md": first} if first else {})
    assert stored(shelf, before)["a.md"].recorded == first
    # Another content, too: it is the same memo.
    after = shelf.serve({"a.md": f"{text}More.\n", "old.md": "O.\n"}, recorded={"a.md": second} if second else {})
    found = stored(shelf, after)
    assert found["a.md"].recorded == expected
    assert found["old.md"].successors == (Successor("a.md", ("old.md", "a.md"), expected),)
    third = shelf.build({"a.md": text}, recorded={"a.md": JANUARY + 30 * DAY})
    assert stored(shelf, third)["a.md"].recorded == (expected or JANUARY + 30 * DAY)


def test_c14_times_of_failed_builds_and_other_paths_do_not_count(shelf):
    with shelf.begin() as build:
        shelf.add(build, {"a.md": "A.\n"}, recorded={"a.md": JANUARY})
    generation = shelf.build({"a.md": "A.\n", "x/a.md": "A.\n"}, recorded={"a.md": JANUARY + DAY})
    assert {path: each.recorded for path, each in stored(shelf, generation).items()} == {
        "a.md": JANUARY + DAY,
        "x/a.md": None,
    }


def test_recorded_times_keep_their_microseconds_and_come_back_in_utc(shelf):
    instant = datetime(2026, 3, 29, 3, 30, 0, 123_457, tzinfo=timezone(timedelta(hours=5, minutes=45)))
    (found,) = shelf.corpus(shelf.build({"a.md": "A.\n"}, recorded={"a.md": instant}))
    assert found.recorded == instant
    assert found.recorded.utcoffset() == timedelta()


def test_c15_an_edge_that_comes_or_goes_is_seen_by_the_next_search(shelf):
    def replaced() -> list[str]:
        (hit,) = shelf.search("zebra", vector=None).hits
        return [each.path for each in hit.memo.successors]

    shelf.serve({"old.md": "Zebra.\n", "new.md": "Text.\n"})
    assert replaced() == []
    shelf.serve({"old.md": "Zebra.\n", "new.md": declaring("old")})
    assert replaced() == ["new.md"]
    shelf.serve({"old.md": "Zebra.\n", "new.md": "Text.\n"})
    assert replaced() == []
    shelf.rollback()
    assert replaced() == ["new.md"]


def test_i4_a_memo_that_shrinks_or_goes_leaves_nothing_behind(shelf):
    long = "# One\n\n" + "Zebra words here. " * 20 + "\n\n# Two\n\n" + "Giraffe talk there. " * 20 + "\n"
    before = shelf.serve({"a.md": long, "b.md": declaring("a"), "gone.md": "Okapi.\n"}, max_tokens=64)
    after = shelf.serve({"a.md": "Zebra.\n", "b.md": "Text.\n"}, max_tokens=64)
    assert before.chunks > after.chunks == 2
    assert (shelf.find("giraffe"), shelf.find("okapi"), shelf.find("zebra")) == ([], [], ["a.md"])
    assert len(shelf.search("giraffe", limit=100).hits) == 2
    assert shelf.successors(after) == {}
    with shelf.store.snapshot(shelf.tenant) as snapshot:
        assert dict(snapshot.memos(["gone.md"])) == {}
