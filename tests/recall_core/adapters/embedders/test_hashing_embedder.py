import os
import subprocess
import sys

import numpy as np
import pytest

from recall_core.adapters.embedders import hashing
from recall_core.adapters.embedders.hashing import HashingEmbedder

SENTENCE = "Rate limits: the rate limit of the gateway, 100 a minute."
EXPECTED = [0.0, 0.7735931, 0.0, 0.0, -0.287245, 0.0, -0.287245, -0.4863481]
"""Reckoned once: another machine or version must come to the same numbers, or the id must change."""
PROGRAM = """
from recall_core.adapters.embedders.hashing import HashingEmbedder
print(HashingEmbedder(8).embed_documents([%r])[0].tolist())
"""


def test_a_row_is_the_same_in_every_process() -> None:
    here = HashingEmbedder(8).embed_documents([SENTENCE])[0].tolist()
    for seed in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM % SENTENCE],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == str(here)


def test_a_row_is_the_same_in_every_version() -> None:
    row = HashingEmbedder(8).embed_documents([SENTENCE])[0]
    np.testing.assert_allclose(row, EXPECTED, atol=1e-6)


def test_the_words_met_before_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    used = HashingEmbedder(64)
    used.embed_documents(["entirely other words than those that follow", "limit"])
    np.testing.assert_array_equal(used.embed_documents([SENTENCE]), HashingEmbedder(64).embed_documents([SENTENCE]))
    monkeypatch.setattr(hashing, "_MOST_WORDS", 3)
    np.testing.assert_array_equal(used.embed_documents([SENTENCE]), HashingEmbedder(64).embed_documents([SENTENCE]))


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"word{number} word{number % 7} limit" for number in range(50)]
    whole = HashingEmbedder(64).embed_documents(texts)
    monkeypatch.setattr(hashing, "_BLOCK", 3)
    np.testing.assert_array_equal(HashingEmbedder(64).embed_documents(texts), whole)


def test_words_are_compared_and_not_their_letters() -> None:
    rows = HashingEmbedder(4096).embed_documents(
        ["limit", "LIMIT", "limits", "timil", "Straße", "STRASSE", "é", "e\u0301"]
    )
    similar = rows @ rows.T
    assert similar[0, 1] == pytest.approx(1)
    assert similar[0, 2] == pytest.approx(0)
    assert similar[0, 3] == pytest.approx(0)
    assert similar[4, 5] == pytest.approx(1)
    assert similar[6, 7] == pytest.approx(1)


def test_a_word_said_often_weighs_less_than_its_count() -> None:
    embedder = HashingEmbedder(65_536)
    mixed, once, other = embedder.embed_documents(["alpha " * 9 + "beta", "alpha", "beta"])
    assert (mixed @ once) / (mixed @ other) == pytest.approx(1 + np.log(9), rel=1e-5)


@pytest.mark.parametrize("dimension", [0, -1, 65_537])
def test_a_dimension_out_of_range_is_refused(dimension: int) -> None:
    with pytest.raises(ValueError, match="65,536"):
        HashingEmbedder(dimension)
