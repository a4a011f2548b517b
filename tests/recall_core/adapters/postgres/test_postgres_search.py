"""What only a server with an approximate index can get wrong."""

import numpy as np
import psycopg
import pytest

from recall_core.adapters.postgres import dense
from recall_core.ports.store import Query
from recall_core.retrieval.postings import unpack

MEMOS = 1500


@pytest.fixture
def indexed(store, fill, rows, monkeypatch: pytest.MonkeyPatch):
    """A generation with an approximate index, although it is small."""
    monkeypatch.setattr("recall_core.adapters.postgres.build.EXACT_ROWS", 100)
    monkeypatch.setattr(dense, "EXACT_ROWS", 100)
    return fill(store, [rows(f"m{each:04}.md", f"word{each} common") for each in range(MEMOS)])


def test_the_index_is_there_and_is_used(database, store, indexed) -> None:
    with store._session.snapshot("one") as connection:
        dense.ask_settings(connection, 50)
        plan = connection.execute(
            "EXPLAIN SELECT e.number FROM recall.embedding e WHERE e.tenant_id = 'one' AND e.generation_id = %s"
            " ORDER BY e.embedding::halfvec(16) <#> %s::halfvec(16) LIMIT 50",
            [indexed.id, "[" + ",".join(["1"] * 16) + "]"],
        ).fetchall()
    assert "hnsw" in "\n".join(row[0] for row in plan)


@pytest.mark.parametrize("limit", [1, 40, 41, 101, 400, 1000])
def test_as_many_rows_as_are_asked_for_come(store, indexed, rows, limit: int) -> None:
    # I3: past the width of the index, which is 40 by default and 200 here.
    with store.snapshot("one") as snapshot:
        answer = snapshot.search(Query("", rows("x", "anything").vectors, limit))
    assert len(answer.hits) == limit
    assert len({(hit.memo.memo.path, hit.chunk.ordinal) for hit in answer.hits}) == limit


@pytest.mark.parametrize("every", [3, 30, 500])
def test_a_filter_never_costs_rows(store, indexed, rows, every: int) -> None:
    # I3: a filtered scan of an approximate index gives too few, and says nothing.
    paths = frozenset(f"m{each:04}.md" for each in range(0, MEMOS, every))
    with store.snapshot("one") as snapshot:
        answer = snapshot.search(Query("common", rows("x", "anything").vectors, 50, paths=paths))
    assert len(answer.hits) == min(50, len(paths))
    assert {hit.memo.memo.path for hit in answer.hits} <= paths


def test_what_the_index_finds_carries_true_cosines(store, indexed, rows) -> None:
    # D15: the index holds half precision, the answer does not.
    vector = rows("x", "word77 common").vectors
    with store.snapshot("one") as snapshot:
        answer = snapshot.search(Query("word77", vector, 20))
        best = snapshot.best_chunks(["m0077.md"], vector)
    assert answer.hits[0].memo.memo.path == "m0077.md"
    assert answer.hits[0].cosine == pytest.approx(1.0, abs=1e-6)
    assert best["m0077.md"].cosine == pytest.approx(1.0, abs=1e-6)
    for hit in answer.hits:
        number = int(hit.memo.memo.path[1:5])
        expected = float((rows("x", f"word{number} common").vectors @ vector.T)[0, 0])
        assert hit.cosine == pytest.approx(expected, abs=1e-5)
    assert list(answer.dense_cosines) == sorted(answer.dense_cosines, reverse=True)


def test_the_successor_of_a_hit_comes_without_another_round_trip(store, fill, rows) -> None:
    fill(store, [rows("old.md", "the old way"), rows("new.md", "quite different", "old")])
    vector = rows("x", "the old way").vectors
    with store.snapshot("one") as snapshot:
        snapshot.search(Query("old way", vector, 1))
        snapshot._connection.execute("SELECT 1")
        asked: list[object] = []
        execute = snapshot._connection.execute
        snapshot._connection.execute = lambda *each, **more: asked.append(each) or execute(*each, **more)
        assert set(snapshot.best_chunks(["new.md"], vector)) == {"new.md"}
        assert set(snapshot.memos(["new.md", "old.md"])) == {"new.md", "old.md"}
    assert asked == []


def test_words_of_the_corpus_are_data(store, fill, rows) -> None:
    hostile = ["'; DROP TABLE recall.chunk; --", "a & b | !c <-> (d", "100% %s %(x)s {paths}", "\\x00\\", "Ω≈ç√ 日本語"]
    fill(store, [rows(f"m{place}.md", text) for place, text in enumerate(hostile)])
    with store.snapshot("one") as snapshot:
        for text in hostile:
            snapshot.search(Query(text, rows("x", text).vectors, 5))
        assert len(snapshot.search(Query("", rows("x", "y").vectors, 9)).hits) == len(hostile)


def test_postings_agree_with_the_words_of_the_chunks(database, store, fill, rows) -> None:
    made = fill(store, [rows("a.md", "run runs running fox"), rows("b.md", "fox " * 300), rows("c.md", "the of and")])
    with store._session.snapshot("one") as connection:
        found = connection.cursor(binary=True).execute("SELECT lexeme, numbers, counts FROM recall.posting").fetchall()
        lengths = connection.cursor(binary=True).execute("SELECT lengths FROM recall.document_length").fetchone()[0]
        terms = connection.execute("SELECT terms FROM recall.generation WHERE id = %s", [made.id]).fetchone()[0]
    held = {
        lexeme: dict(zip(*(each.tolist() for each in (unpack(n, c).numbers, unpack(n, c).counts)), strict=True))
        for lexeme, n, c in found
    }
    assert held == {"run": {0: 3}, "fox": {0: 1, 1: 255}}
    # PostgreSQL keeps 255 places of a lexeme.
    assert np.frombuffer(lengths, ">i4").tolist() == [4, 255, 0]
    assert terms == 259


def test_postings_ascend_over_segments_and_when_memory_is_short(
    store, fill, rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recall_core.adapters.postgres.postings._MEMORY", "64kB")
    for module in ("build", "postings"):
        monkeypatch.setattr(f"recall_core.adapters.postgres.{module}.SEGMENT", 1000)
    fill(store, [rows(f"m{each:04}.md", f"common w{each} w{each // 2} w{each // 3}") for each in range(2500)])
    held: dict[str, list[int]] = {}
    with store._session.snapshot("one") as connection:
        found = connection.cursor(binary=True).execute(
            "SELECT lexeme, segment, numbers, counts FROM recall.posting ORDER BY lexeme, segment"
        )
        for lexeme, segment, numbers, counts in found:
            part = unpack(numbers, counts).numbers.tolist()
            assert {number // 1000 for number in part} == {segment}
            held.setdefault(lexeme, []).extend(part)
        lengths = (
            connection.cursor(binary=True)
            .execute("SELECT lengths FROM recall.document_length ORDER BY segment")
            .fetchall()
        )
    assert held["common"] == list(range(2500))
    assert all(numbers == sorted(set(numbers)) for numbers in held.values())
    assert sum(len(each[0]) for each in lengths) == 4 * 2500
    with store.snapshot("one") as snapshot:
        assert snapshot.search(Query("w2499", None, 5)).hits[0].memo.memo.path == "m2499.md"


def test_what_was_forgotten_is_in_no_table(database, store, fill, rows) -> None:
    fill(store, [rows("a.md", "alpha secretword"), rows("b.md", "alpha beta")])
    store.forget("one", ["a.md"], actor="tester", dry_run=False)
    with psycopg.connect(database.superuser_dsn) as connection:
        for table in ("memo", "chunk", "embedding", "posting", "terminal", "document_length"):
            text = connection.execute(f"SELECT coalesce(string_agg(t::text, ' '), '') FROM recall.{table} t").fetchone()
            assert "secretword" not in text[0]
            assert "a.md" not in text[0]
        assert connection.execute("SELECT terms, chunks FROM recall.generation").fetchone() == (2, 1)
