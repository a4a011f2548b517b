"""What a search saw of the words of a query, for the signals of a calibration: the same on every store."""

import math

import pytest

from recall_core.calibration.signals import compute_signals
from recall_core.retrieval.bm25 import inverse_document_frequency

FILES = {
    "cats.md": "# Cats\n\nThe cat sat on the mat.\n",
    "dogs.md": "# Dogs\n\nA dog sat on a cushion.\n",
    "limits.md": "# Limits\n\nTen requests a minute.\n",
}


def test_nothing_is_observed_unless_it_is_asked_for(shelf):
    shelf.serve(FILES)
    assert shelf.search("cat mat").observation is None


def test_words_weigh_by_how_few_chunks_hold_them(shelf):
    shelf.serve(FILES)
    answer = shelf.search("The cats sat with a zebra", observes=True)
    seen = answer.observation
    assert seen is not None
    assert seen.cosines == answer.dense_cosines
    # By the order of the lexemes: cat, sat, zebra.
    assert seen.weights == pytest.approx([inverse_document_frequency(3, held) for held in (1, 2, 0)])
    assert seen.unknown == {2}
    assert seen.lexical == pytest.approx(max(hit.lexical or 0.0 for hit in answer.hits))
    by_path = {hit.memo.memo.path: seen.found[hit.dense_rank - 1] for hit in answer.hits}
    assert by_path == {"cats.md": {0, 1}, "dogs.md": {1}, "limits.md": set()}
    assert all(map(math.isfinite, compute_signals(seen)))


def test_without_a_dense_leg_and_without_words_there_is_little_to_see(shelf):
    shelf.serve(FILES)
    seen = shelf.search("cat", vector=None, observes=True).observation
    assert seen is not None
    assert (seen.cosines, seen.found, len(seen.weights)) == ((), (), 1)
    empty = shelf.search("the of", observes=True).observation
    assert empty is not None
    assert (empty.weights, empty.lexical) == ((), 0.0)


def test_withheld_memos_are_not_looked_into_and_change_no_weight(shelf):
    shelf.serve(FILES)
    whole = shelf.search("cat sat", observes=True).observation
    part = shelf.search("cat sat", observes=True, paths=frozenset({"dogs.md"})).observation
    assert whole is not None
    assert part is not None
    assert part.weights == whole.weights
    assert part.found == ({1},)
