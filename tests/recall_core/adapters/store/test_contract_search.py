"""What a search finds, on every store (BEHAVIOURS I1, I2, I3, D15, D16, A9)."""

import numpy as np
import pytest

from recall_core.errors import UsageError
from recall_core.ports.store import MOST_ROWS
from recall_core.retrieval.fuse import fuse

FILES = {
    "limits.md": "# Rate limits\n\nThe gateway allows forty requests in a second.\n",
    "deploy.md": "# Deployment\n\nDeploying on Fridays is forbidden. The gateway restarts.\n",
    "backup.md": "# Backups\n\nBackups are kept for ninety days in another region.\n",
    "naming.md": "# Names\n\nA service is named after what it does.\n",
}
TOPICS = ("gateway", "cache", "queue", "backup", "tenant", "region", "schema")


def many(count: int) -> dict[str, str]:
    """Memos that all hold one word, and some of a few others each."""
    return {
        f"memo-{number:03}.md": f"Common ground, and {TOPICS[number % 7]} {TOPICS[number * 3 % 5]} number{number}.\n"
        for number in range(count)
    }


def paths(answer) -> list[str]:
    return [hit.memo.memo.path for hit in answer.hits]


def test_i1_words_are_alternatives_and_a_partial_match_is_found(shelf):
    shelf.serve(FILES)
    assert sorted(shelf.find("gateway zebra unheardof")) == ["deploy.md", "limits.md"]
    assert shelf.find("zebra") == []


def test_i1_words_are_compared_by_their_stems_in_any_case(shelf):
    shelf.serve(FILES)
    assert shelf.find("DEPLOYED") == ["deploy.md"]
    assert shelf.find("requesting") == ["limits.md"]
    assert shelf.find("What is a backup?") == ["backup.md"]


@pytest.mark.parametrize("text", ["", "   ", "the of and", "What is it?", "?!", "...", "-", "' OR ''"])
def test_i1_without_a_word_that_says_anything_the_lexical_leg_is_empty_and_no_error(shelf, text):
    shelf.serve(FILES)
    assert shelf.search(text, vector=None).hits == ()
    # The other leg answers all the same.
    assert len(shelf.search(text).hits) == len(FILES)


@pytest.mark.parametrize(
    "text", ["gateway & !| <-> :*", "gateway'); DROP TABLE recall.memo; --", "%gateway_%", "gateway \\ \u202e \x1b[31m"]
)
def test_what_a_query_holds_is_text_and_nothing_else(shelf, text):
    shelf.serve(FILES)
    assert set(shelf.find(text)) == {"limits.md", "deploy.md"}


def test_headings_are_searched_with_what_stands_under_them(shelf):
    shelf.serve({"a.md": "# Zebra crossing\n\nWait for the light.\n", "b.md": "# Other\n\nNothing.\n"})
    assert shelf.find("zebra") == ["a.md"]


def test_a9_the_frontmatter_is_not_searched(shelf):
    shelf.serve({"a.md": "---\ntags: zebra\nsupersedes: giraffe\n---\nThe text.\n"})
    assert shelf.find("zebra giraffe") == []
    assert shelf.find("text") == ["a.md"]


def test_more_of_a_rarer_word_comes_first(shelf):
    shelf.serve(
        {
            "twice.md": "Zebra zebra walk home today.\n",
            "once.md": "Zebra people walk home today.\n",
            "other.md": "Horse people walk home today.\n",
        }
    )
    assert shelf.find("zebra") == ["twice.md", "once.md"]
    assert shelf.find("zebra walk") == ["twice.md", "once.md", "other.md"]
    scores = [hit.lexical for hit in shelf.search("zebra walk", vector=None).hits]
    assert scores == sorted(scores, reverse=True)
    assert all(score > 0 for score in scores)


def test_a_hit_is_the_chunk_as_it_was_stored_with_its_memo(shelf, rows):
    generation = shelf.serve(FILES)
    (hit,) = shelf.search("ninety", vector=None).hits
    row = rows.build_row("backup.md", FILES["backup.md"])
    assert hit.chunk == row.chunks[0]
    assert hit.memo in shelf.corpus(generation)
    assert hit.memo.content_hash == row.content_hash
    assert hit.indexed_at == generation.created_at
    assert shelf.search("ninety").generation == shelf.store.active(shelf.tenant)


@pytest.mark.parametrize("limit", [0, -1, -1000, MOST_ROWS + 1, 10**9])
def test_d16_i3_a_limit_that_cannot_be_is_refused_by_name(shelf, limit):
    shelf.serve(FILES)
    with pytest.raises(UsageError, match=str(limit)) as refusal:
        shelf.search("gateway", limit=limit)
    assert str(MOST_ROWS) in refusal.value.message


@pytest.mark.parametrize("limit", [1, MOST_ROWS])
def test_d16_the_ends_of_the_range_are_no_error(shelf, limit):
    shelf.serve(FILES)
    assert len(shelf.search("gateway", limit=limit).hits) == min(limit, len(FILES))


@pytest.mark.parametrize("limit", [1, 40, 41, 130, 160])
def test_i3_as_many_rows_as_are_asked_for_come_when_they_exist(shelf, limit):
    shelf.serve(many(160))
    assert len(shelf.search("gateway region", limit=limit).hits) == limit
    assert len(shelf.search("common", limit=limit, vector=None).hits) == limit
    assert len(shelf.search("common", limit=limit, is_fused=False).hits) == limit


@pytest.mark.parametrize("kept", [1, 3, 80])
def test_i3_under_a_filter_too(shelf, kept):
    files = many(160)
    allowed = frozenset(list(files)[::2][:kept])
    shelf.serve(files)
    for options in ({}, {"vector": None}, {"depth": 1}):
        found = shelf.search("common gateway", limit=100, paths=allowed, **options)
        assert set(paths(found)) == allowed
        assert len(found.hits) == kept


def test_a_filter_of_nothing_or_of_unknown_memos_finds_nothing(shelf):
    shelf.serve(FILES)
    for allowed in (frozenset(), frozenset({"gone.md", "../limits.md"})):
        answer = shelf.search("gateway", paths=allowed)
        assert (answer.hits, answer.dense_cosines) == ((), ())


def test_a_filter_changes_no_score(shelf):
    shelf.serve(FILES)
    everything = {hit.memo.memo.path: (hit.cosine, hit.lexical) for hit in shelf.search("gateway requests").hits}
    (hit,) = shelf.search("gateway requests", paths=frozenset({"deploy.md"})).hits
    assert hit.cosine == pytest.approx(everything["deploy.md"][0], abs=1e-6)
    assert hit.lexical == pytest.approx(everything["deploy.md"][1], rel=1e-9)


def test_d15_every_hit_carries_its_true_cosine_a_lexical_one_too(shelf, rows):
    shelf.serve(many(120))
    text = "number7 cache"
    wanted = rows.embed(text)
    for options in ({"depth": 3, "limit": 3}, {"is_fused": False}, {"limit": 100}):
        answer = shelf.search(text, **options)
        assert answer.hits
        for hit in answer.hits:
            assert hit.cosine == pytest.approx(float(rows.embed(hit.chunk.passage) @ wanted), abs=1e-6)
    # A vector that points elsewhere: what the words alone find is far away, and says so.
    elsewhere = rows.embed("zebra")[np.newaxis]
    answer = shelf.search("number7", vector=elsewhere, depth=1, limit=1)
    lexical = next(hit for hit in shelf.search("number7", vector=elsewhere, limit=100).hits if hit.lexical_rank == 1)
    assert lexical.memo.memo.path == "memo-007.md"
    assert lexical.cosine == pytest.approx(float(rows.embed(lexical.chunk.passage) @ elsewhere[0]), abs=1e-6)
    assert lexical.cosine < answer.dense_cosines[0] or lexical.dense_rank == 1


def test_the_cosines_of_the_dense_leg_come_the_highest_first(shelf, rows):
    shelf.serve(many(70))
    answer = shelf.search("gateway cache", limit=5, depth=20)
    all_cosines = sorted(
        (
            float(rows.embed(hit.chunk.passage) @ rows.embed("gateway cache"))
            for hit in shelf.search("common", limit=70).hits
        ),
        reverse=True,
    )
    assert answer.dense_cosines == pytest.approx(all_cosines[:20], abs=1e-6)


def test_without_a_vector_there_is_no_cosine(shelf):
    shelf.serve(FILES)
    answer = shelf.search("gateway", vector=None)
    assert answer.dense_cosines == ()
    assert [(hit.cosine, hit.dense_rank) for hit in answer.hits] == [(None, None), (None, None)]
    assert [hit.lexical_rank for hit in answer.hits] == [1, 2]


def test_i2_the_legs_are_fused_by_their_ranks_alone(shelf):
    shelf.serve(many(90))
    text = "gateway region number4 number60"
    hits = shelf.search(text, limit=90, depth=90).hits
    numbers = {hit.memo.memo.path: number for number, hit in enumerate(hits)}
    dense = sorted((hit for hit in hits if hit.dense_rank is not None), key=lambda hit: hit.dense_rank)
    lexical = sorted((hit for hit in hits if hit.lexical_rank is not None), key=lambda hit: hit.lexical_rank)
    assert [hit.dense_rank for hit in dense] == list(range(1, 91))
    assert [hit.lexical_rank for hit in lexical] == list(range(1, len(lexical) + 1))
    assert 2 <= len(lexical) < 90
    assert [hit.cosine for hit in dense] == sorted((hit.cosine for hit in hits), reverse=True)
    scores = [hit.lexical for hit in lexical]
    assert scores == sorted(scores, reverse=True)
    assert all((hit.lexical is None) == (hit.lexical_rank is None) for hit in hits)
    legs = [[numbers[hit.memo.memo.path] for hit in leg] for leg in (dense, lexical)]
    expected = [each.score for each in fuse(legs, k=10)]
    own = {each.number: each.score for each in fuse(legs, k=10)}
    assert [own[numbers[hit.memo.memo.path]] for hit in hits] == pytest.approx(expected)


def test_i2_without_a_real_model_words_alone_decide(shelf):
    shelf.serve(FILES)
    answer = shelf.search("gateway requests", is_fused=False)
    assert paths(answer) == shelf.find("gateway requests")
    assert [hit.dense_rank for hit in answer.hits] == [None, None]
    assert all(hit.cosine is not None for hit in answer.hits)


def test_a_generation_without_embeddings_answers_by_words(shelf, rows):
    pipeline = rows.build_pipeline("none", 0)
    with shelf.begin(pipeline=pipeline) as build:
        build.add([rows.build_row(path, text, width=0) for path, text in FILES.items()])
        assert build.known_vectors([rows.hash_content(text) for text in FILES.values()]) == {}
        generation = shelf.promote(build.finish())
    assert generation.chunks == len(FILES)
    assert shelf.find("forbidden") == ["deploy.md"]
    with pytest.raises(UsageError):
        shelf.search("forbidden")


@pytest.mark.parametrize("width", [1, 63, 65, 384])
def test_a_vector_of_another_length_is_refused(shelf, width):
    shelf.serve(FILES)
    with pytest.raises(UsageError, match=rf"\b{width}\b"):
        shelf.search("gateway", vector=np.ones((1, width), np.float32))


def test_the_same_question_has_the_same_answer(shelf):
    shelf.serve({f"{number}.md": "The very same words.\n" for number in range(30)})
    first = shelf.search("same words", limit=7)
    assert shelf.search("same words", limit=7) == first
    assert shelf.search("same words", limit=20).hits[:7] == first.hits


def test_a_memo_of_several_chunks_can_be_found_more_than_once(shelf):
    text = (
        "# One\n\n" + "Zebra words fill this part. " * 12 + "\n\n# Two\n\n" + "Zebra words fill that part. " * 12 + "\n"
    )
    generation = shelf.serve({"a.md": text}, max_tokens=64)
    hits = shelf.search("zebra", limit=50).hits
    assert len(hits) == generation.chunks > 2
    assert sorted(hit.chunk.ordinal for hit in hits) == list(range(generation.chunks))


def test_memos_are_looked_up_by_path(shelf, rows):
    generation = shelf.serve({"old.md": "Old.\n", "new.md": "---\nsupersedes: old\n---\nNew.\n"})
    by_path = {each.memo.path: each for each in shelf.corpus(generation)}
    with shelf.store.snapshot(shelf.tenant) as snapshot:
        assert snapshot.generation == generation
        assert dict(snapshot.memos(["old.md", "gone.md"])) == {"old.md": by_path["old.md"]}
        assert dict(snapshot.memos([])) == {}
        assert dict(snapshot.memos(path for path in ("new.md", "old.md", "old.md"))) == by_path
        (hit,) = snapshot.search(rows.ask("old", vector=None)).hits
        assert hit.memo == by_path[hit.memo.memo.path]


def test_the_best_chunk_of_a_memo_is_the_one_with_the_highest_cosine(shelf, rows):
    text = "# One\n\n" + "Zebra words here. " * 20 + "\n\n# Two\n\n" + "Giraffe talk there. " * 20 + "\n"
    files = {"a.md": text, "b.md": "Other.\n", "c.md": "Refused.\n"}
    generation = shelf.serve(files, max_tokens=64, refused={"c.md": "no"})
    for asked in ("giraffe talk", "zebra words"):
        vector = rows.embed(asked)[np.newaxis]
        chunks = rows.build_row("a.md", text, max_tokens=64).chunks
        cosines = {chunk.ordinal: float(rows.embed(chunk.passage) @ vector[0]) for chunk in chunks}
        with shelf.store.snapshot(shelf.tenant) as snapshot:
            snapshot.search(rows.ask("zebra"))
            found = snapshot.best_chunks(["a.md", "gone.md", "c.md"], vector)
            assert list(found) == ["a.md"]
            best = found["a.md"]
            assert best.cosine == pytest.approx(max(cosines.values()), abs=1e-6)
            assert cosines[best.chunk.ordinal] == pytest.approx(max(cosines.values()), abs=1e-6)
            assert (best.lexical, best.dense_rank, best.lexical_rank) == (None, None, None)
            assert best.memo == snapshot.memos(["a.md"])["a.md"]
            assert best.indexed_at == generation.created_at
            assert dict(snapshot.best_chunks([], vector)) == {}
            assert set(snapshot.best_chunks(["b.md", "a.md"], vector)) == {"a.md", "b.md"}


def test_case_and_typographic_marks_hide_no_word(shelf):
    shelf.serve({"a.md": "# Notes\n\nThe “CAFÉ” opens — daily… ДОМ\n", "b.md": "# Other\n\nNothing here.\n"})
    for asked in ("café", "CAFÉ", "cafe\u0301", "“café”", "дом", "daily", "opens…"):
        assert shelf.find(asked) == ["a.md"], asked
