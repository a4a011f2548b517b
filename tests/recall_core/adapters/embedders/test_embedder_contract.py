"""What every embedder that needs no network owes to the index and the search (issue 4, item 5)."""

import numpy as np
import pytest

from recall_core.adapters.embedders.hashing import HashingEmbedder
from recall_core.adapters.embedders.local import LocalEmbedder
from recall_core.adapters.embedders.nothing import NoEmbedder
from recall_core.ports.embedder import Embedder

HOSTILE = {
    "empty": "",
    "blank": " \t\n",
    "nul": "\0",
    "nul inside": "before\0after",
    "lone surrogate": "\ud800",
    "surrogate inside": "port \udcff is closed",
    "a megabyte of one word": "a" * 1_000_000,
    "a megabyte of words": "limit " * 170_000,
    "marks": "!?. --- ###",
    "emoji": "🚀" * 40,
    "no letters of ours": "限制接口速率",
    "special tokens": "[CLS] [SEP] [PAD] [MASK]",
    "right to left": "\u202eabc",
}
SENTENCES = [
    "The gateway limits every client to 100 requests a minute.",
    "Requests are throttled at the edge.",
    "Backups are taken at two in the morning.",
    "Restore",
    "",
    "The gateway limits every client to 100 requests a minute. " * 40,
]


@pytest.fixture(params=["local", "none", "hash:512", "hash:1"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    made: dict[str, Embedder] = {
        "local": LocalEmbedder(),
        "none": NoEmbedder(),
        "hash:512": HashingEmbedder(512),
        "hash:1": HashingEmbedder(1),
    }
    return made[request.param]


def test_rows_are_float32_in_the_shape_that_was_promised(embedder: Embedder) -> None:
    for embed in (embedder.embed_documents, embedder.embed_queries):
        rows = embed(SENTENCES)
        assert rows.shape == (len(SENTENCES), embedder.dimension)
        assert rows.dtype == np.float32


def test_no_texts_are_no_rows(embedder: Embedder) -> None:
    assert embedder.embed_documents([]).shape == (0, embedder.dimension)
    assert embedder.embed_queries([]).shape == (0, embedder.dimension)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_any_text_has_a_row_of_length_one_or_of_zeros(embedder: Embedder, text: str) -> None:
    rows = embedder.embed_documents([text, "a plain sentence"])
    lengths = np.linalg.norm(rows, axis=1)
    assert np.isfinite(rows).all()
    assert np.all((np.abs(lengths - 1) < 1e-5) | (lengths == 0))


def test_a_text_without_content_is_a_row_of_zeros(embedder: Embedder) -> None:
    assert not embedder.embed_documents(["", " ", "\0", "\n\n"]).any()


def test_a_row_does_not_depend_on_the_texts_beside_it(embedder: Embedder) -> None:
    together = embedder.embed_documents(SENTENCES)
    alone = np.concatenate([embedder.embed_documents([text]) for text in SENTENCES])
    backwards = embedder.embed_documents(SENTENCES[::-1])[::-1]
    np.testing.assert_allclose(together, alone, atol=1e-5)
    np.testing.assert_allclose(together, backwards, atol=1e-5)


def test_the_same_text_has_the_same_row_again(embedder: Embedder) -> None:
    np.testing.assert_array_equal(embedder.embed_documents(SENTENCES), embedder.embed_documents(SENTENCES))


def test_ids_tell_embedders_apart() -> None:
    ids = [LocalEmbedder().id, NoEmbedder().id, HashingEmbedder(512).id, HashingEmbedder(256).id]
    assert len(set(ids)) == len(ids)


def test_only_a_real_model_is_fused() -> None:
    assert LocalEmbedder().is_fused
    assert not NoEmbedder().is_fused
    assert not HashingEmbedder(512).is_fused
