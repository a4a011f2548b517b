"""BM25 against a table worked out by hand, and against a slow reference."""

from collections.abc import Sequence
from math import inf, log

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from recall_core.retrieval.bm25 import Collection, Ranking, average_length, inverse_document_frequency, score
from recall_core.retrieval.postings import Postings, build_postings

Documents = Sequence[Sequence[str]]
DOCUMENTS = st.lists(st.lists(st.sampled_from("abcdef"), max_size=12), min_size=1, max_size=25)
QUERIES = st.sets(st.sampled_from("abcdefz"), max_size=5)


def collect(documents: Documents) -> Collection:
    lengths = [len(document) for document in documents]
    return Collection(np.array(lengths, dtype=np.int32), len(documents), average_length(lengths))


def holders(documents: Documents, lexeme: str, numbers: Sequence[int]) -> Postings:
    held = [(number, documents[number].count(lexeme)) for number in numbers if lexeme in documents[number]]
    return build_postings([number for number, _ in held], [count for _, count in held])


def rank(documents: Documents, query: set[str], *, depth: int = 1000, segments: int = 1, allowed=None) -> Ranking:
    cuts = [range(start, len(documents), segments) for start in range(segments)]
    postings = {lexeme: [holders(documents, lexeme, cut) for cut in cuts] for lexeme in query}
    frequencies = {lexeme: sum(lexeme in document for document in documents) for lexeme in query}
    return score(postings, frequencies, collect(documents), depth=depth, allowed=allowed)


def reference(documents: Documents, query: set[str]) -> list[tuple[int, float]]:
    """The formula, document by document."""
    average = sum(map(len, documents)) / len(documents)
    scored = []
    for number, document in enumerate(documents):
        total = 0.0
        for lexeme in query & set(document):
            frequency = sum(lexeme in other for other in documents)
            count = document.count(lexeme)
            idf = log(1 + (len(documents) - frequency + 0.5) / (frequency + 0.5))
            total += idf * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * len(document) / average))
        if total:
            scored.append((number, total))
    return sorted(scored, key=lambda pair: (-pair[1], pair[0]))


def test_a_table_worked_out_by_hand() -> None:
    """Three documents of 2, 4 and 6 lexemes (mean 4); `a` stands in two, so its idf is ln(1 + 1.5/2.5) = ln 1.6.

    Document 0 holds it once:  ln 1.6 * 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2/4)) = ln 1.6 * 2.2 / 1.75.
    Document 2 holds it twice: ln 1.6 * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 6/4)) = ln 1.6 * 4.4 / 3.65.
    """
    ranking = rank(["ab", "bbcc", "aabccc"], {"a"})
    assert ranking.numbers.tolist() == [0, 2]
    assert ranking.scores.tolist() == pytest.approx([0.470003629 * 2.2 / 1.75, 0.470003629 * 4.4 / 3.65])


@given(DOCUMENTS, QUERIES, st.integers(1, 4))
def test_it_is_the_formula_in_any_number_of_segments(documents: list[list[str]], query: set[str], cuts: int) -> None:
    ranking = rank(documents, query, segments=cuts)
    expected = reference(documents, query)
    assert sorted(ranking.numbers.tolist()) == sorted(number for number, _ in expected)
    by_number = dict(expected)
    assert ranking.scores.tolist() == pytest.approx([by_number[number] for number in ranking.numbers.tolist()])
    # Equal to the last bit, in any number of segments.
    assert rank(documents, query).scores.tolist() == ranking.scores.tolist()


@given(DOCUMENTS, QUERIES, st.integers(1, 30))
def test_a_cut_ranking_is_the_start_of_the_whole_one(documents: list[list[str]], query: set[str], depth: int) -> None:
    whole, cut = rank(documents, query), rank(documents, query, depth=depth)
    assert cut.numbers.tolist() == whole.numbers.tolist()[:depth]
    assert cut.scores.tolist() == whole.scores.tolist()[:depth]


@given(DOCUMENTS, QUERIES)
def test_the_best_come_first_and_ties_go_to_the_smaller_number(documents: list[list[str]], query: set[str]) -> None:
    ranking = rank(documents, query)
    pairs = list(zip((-ranking.scores).tolist(), ranking.numbers.tolist(), strict=True))
    assert pairs == sorted(pairs)


@given(DOCUMENTS, QUERIES, st.data())
def test_a_restriction_drops_documents_before_the_cut_and_changes_no_score(documents, query, data) -> None:
    allowed = np.array(data.draw(st.lists(st.booleans(), min_size=len(documents), max_size=len(documents))))
    whole = rank(documents, query)
    left = [pair for pair in zip(whole.numbers.tolist(), whole.scores.tolist(), strict=True) if allowed[pair[0]]]
    ranking = rank(documents, query, depth=3, allowed=allowed)
    assert list(zip(ranking.numbers.tolist(), ranking.scores.tolist(), strict=True)) == left[:3]


@given(DOCUMENTS)
def test_another_lexeme_of_the_query_never_lowers_a_score(documents: list[list[str]]) -> None:
    assume(any("a" in document for document in documents))
    fewer = rank(documents, {"a"})
    more = dict(zip(*[column.tolist() for column in _columns(rank(documents, {"a", "b"}))], strict=True))
    for number, value in zip(*[column.tolist() for column in _columns(fewer)], strict=True):
        assert more[number] >= value


def _columns(ranking: Ranking) -> tuple[np.ndarray, np.ndarray]:
    return ranking.numbers, ranking.scores


def test_ties_at_the_cut_go_to_the_smaller_number() -> None:
    assert rank(["ab", "a", "ba", "ab", "b"], {"a"}, depth=3).numbers.tolist() == [1, 0, 2]


def test_a_lexeme_in_every_document_still_counts_for_a_document() -> None:
    assert rank(["a", "a", "aa"], {"a"}).scores.min() > 0


@pytest.mark.parametrize("documents", [[""], ["b"], ["", ""]], ids=["empty", "other words", "two empty"])
def test_nothing_to_find_is_an_empty_ranking(documents: list[str]) -> None:
    assert len(rank(documents, {"a"})) == 0
    assert len(rank(documents, set())) == 0


def test_no_documents_at_all() -> None:
    empty = Collection(np.zeros(0, dtype=np.int32), 0, average_length([]))
    assert len(score({"a": []}, {}, empty, depth=5)) == 0


def test_numbers_may_have_gaps_where_memos_were_forgotten() -> None:
    """The forgotten document's length is still in the array; it counts for nothing."""
    lengths = np.array([2, 99, 2], dtype=np.int32)
    ranking = score({"a": [build_postings([0, 2], [1, 2])]}, {"a": 2}, Collection(lengths, 2, 2.0), depth=5)
    assert ranking.numbers.tolist() == [2, 0]
    assert ranking.scores.tolist() == pytest.approx([log(1.2) * 2 * 2.2 / 3.2, log(1.2)])


def test_a_depth_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one place"):
        rank(["a"], {"a"}, depth=0)


@given(st.integers(1, 10**9), st.data())
def test_the_rarer_the_lexeme_the_more_it_weighs(documents: int, data) -> None:
    frequency = data.draw(st.integers(1, documents))
    weight = inverse_document_frequency(documents, frequency)
    assert 0 < weight < inf
    assert inverse_document_frequency(documents, max(1, frequency - 1)) >= weight


@pytest.mark.parametrize("depth", [1, 10, 50])
@pytest.mark.parametrize("is_filtered", [False, True])
def test_leaving_out_what_cannot_win_changes_no_answer(
    depth: int, is_filtered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = np.random.default_rng(depth)
    for _ in range(20):
        lengths = chance.integers(5, 60, 400).astype(np.int32)
        postings = {}
        for lexeme, held in enumerate((3, 8, 40, 150, 320, 390)):
            numbers = np.sort(chance.choice(400, held, replace=False)).astype(np.int32)
            postings[f"w{lexeme}"] = [Postings(numbers, chance.integers(1, 5, held).astype(np.uint8))]
        frequencies = {lexeme: len(parts[0].numbers) for lexeme, parts in postings.items()}
        collection = Collection(lengths, 400, float(lengths.mean()))
        allowed = chance.random(400) < 0.4 if is_filtered else None
        answers = []
        for many in (10**9, 1):
            monkeypatch.setattr("recall_core.retrieval.bm25._MANY", many)
            answers.append(score(postings, frequencies, collection, depth=depth, allowed=allowed))
        assert answers[0].numbers.tolist() == answers[1].numbers.tolist()
        assert answers[0].scores.tolist() == answers[1].scores.tolist()
