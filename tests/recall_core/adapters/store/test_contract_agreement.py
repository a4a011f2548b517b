"""Every store answers as the one in memory does: the same chunks in the same order, with the same numbers."""

import random
from dataclasses import replace

import numpy as np
import pytest

from recall_core.adapters.memory.store import MemoryStore

WORDS = tuple(
    f"{first}{second}" for first in ("zeb", "gir", "oka", "lem", "tap", "ibe") for second in ("ra", "na", "to")
)
WIDTH = 64


def draw_vector(seed: str) -> np.ndarray:
    """A unit vector that is like no other: no two cosines tie, however a store rounds."""
    vector = np.random.default_rng(list(seed.encode())).standard_normal(WIDTH)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


@pytest.fixture
def pair(shelf, rows):
    """One corpus in the store under contract and in one in memory; some of it is forgotten in both."""
    drawn = random.Random(7)
    made = []
    for number in range(90):
        parts = [
            " ".join(drawn.choices(WORDS, k=drawn.randint(1, 60))).capitalize() for _ in range(drawn.randint(1, 4))
        ]
        declared = f"---\nsupersedes: m{number - 7}\n---\n" if number % 9 == 0 else ""
        text = declared + "".join(f"## {drawn.choice(WORDS)} {drawn.choice(WORDS)}\n\n{part}.\n\n" for part in parts)
        row = rows.build_row(f"d{number % 4}/m{number}.md", text, max_tokens=48)
        vectors = np.array([draw_vector(f"{number}/{chunk.ordinal}") for chunk in row.chunks])
        made.append(replace(row, vectors=vectors))
    both = (shelf, replace(shelf, store=MemoryStore()))
    for each in both:
        with each.begin() as build:
            build.add(made[:40])
            build.add(made[40:])
            each.promote(build.finish())
        each.forget("d1/m9.md", "d3/m11.md", "d0/m88.md")
    return both


def tell(hit) -> tuple[object, ...]:
    return hit.memo, hit.chunk, hit.dense_rank, hit.lexical_rank


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({}, id="both legs"),
        pytest.param({"is_fused": False}, id="words decide"),
        pytest.param({"vector": None}, id="no vector"),
        pytest.param({"depth": 5, "limit": 8}, id="shallow"),
        pytest.param({"paths": frozenset(f"d{each % 4}/m{each}.md" for each in range(0, 90, 5))}, id="some memos"),
        pytest.param({"limit": 300}, id="all of it"),
    ],
)
def test_the_stores_agree(pair, options):
    mine, reference = pair
    drawn = random.Random(3)
    for number in range(12):
        text = " ".join(drawn.choices(WORDS, k=drawn.randint(0, 6)))
        asked = {"vector": draw_vector(f"question {number}")[np.newaxis], **options}
        found, expected = mine.search(text, **asked), reference.search(text, **asked)
        assert [tell(hit) for hit in found.hits] == [tell(hit) for hit in expected.hits]
        assert found.dense_cosines == pytest.approx(expected.dense_cosines, abs=1e-6)
        for hit, other in zip(found.hits, expected.hits, strict=True):
            assert hit.cosine == (None if other.cosine is None else pytest.approx(other.cosine, abs=1e-6))
            assert hit.lexical == (None if other.lexical is None else pytest.approx(other.lexical, rel=1e-9))
    assert found.generation.corpus_fingerprint == expected.generation.corpus_fingerprint
    assert (found.generation.memos, found.generation.chunks) == (expected.generation.memos, expected.generation.chunks)


def test_the_stores_agree_on_the_best_chunks_and_the_corpus(pair):
    mine, reference = pair
    assert mine.corpus(mine.store.active(mine.tenant)) == reference.corpus(reference.store.active(reference.tenant))
    vector = draw_vector("question")[np.newaxis]
    paths = [f"d{each % 4}/m{each}.md" for each in range(90)]
    with mine.store.snapshot(mine.tenant) as one, reference.store.snapshot(reference.tenant) as other:
        found, expected = one.best_chunks(paths, vector), other.best_chunks(paths, vector)
    assert list(found) == list(expected)
    assert [tell(hit) for hit in found.values()] == [tell(hit) for hit in expected.values()]
    assert [hit.cosine for hit in found.values()] == pytest.approx([hit.cosine for hit in expected.values()], abs=1e-6)
