"""Signed feature hashing of words: no weights and no meaning, but the same vector everywhere and in no time.

Weinberger et al., "Feature Hashing for Large Scale Multitask Learning" (ICML 2009), section 2: a word adds its weight,
with a sign of its own, to one column. Two words that share a column cancel out on average.
The weight is the sublinear term frequency 1 + ln(tf) (Manning, Raghavan and Schütze, "Introduction to Information
Retrieval", section 6.4.1).
"""

import re
import unicodedata
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from recall_core.adapters.embedders.rows import no_rows
from recall_core.ports.embedder import Vectors

_WORD = re.compile(r"\w+")
_BLOCK = 512
"""Texts counted at once: the working set stays in the processor's cache."""
_MOST_WORDS = 1_000_000
"""Words remembered before the table is begun anew: a bound on memory, of no consequence for the result."""


class HashingEmbedder:
    """Unit rows of `dimension` columns from the words of a text, compared without regard to letter case.

    A text without words has a row of zeros. Raises ValueError where `dimension` is not from 1 to 65,536.
    """

    is_fused = False
    is_cheap = True

    def __init__(self, dimension: int) -> None:
        if not 1 <= dimension <= 65_536:
            raise ValueError("a hashing embedder has from 1 to 65,536 dimensions")
        self.dimension = dimension
        self.id = f"hash:{dimension}@1"
        self.max_tokens = 256
        self._words = _Words(dimension)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """One row for each text."""
        rows = no_rows(len(texts), self.dimension)
        for start in range(0, len(texts), _BLOCK):
            block = texts[start : start + _BLOCK]
            rows[start : start + len(block)] = self._embed(block)
        return rows

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """One row for each query, made as those of documents are."""
        return self.embed_documents(texts)

    def _embed(self, texts: Sequence[str]) -> Vectors:
        if len(self._words) > _MOST_WORDS:
            self._words = _Words(self.dimension)
        number = self._words.__getitem__
        numbers = [list(map(number, _WORD.findall(_folded(text)))) for text in texts]
        counts = [len(words) for words in numbers]
        words = np.fromiter((word for text in numbers for word in text), dtype=np.int64, count=sum(counts))
        places, times = np.unique(
            np.repeat(np.arange(len(texts)), counts) * len(self._words) + words, return_counts=True
        )
        text_of, word_of = np.divmod(places, max(len(self._words), 1))
        columns, signs = self._words.hashed()
        weights = (1.0 + np.log(times)) * signs[word_of]
        size = len(texts) * self.dimension
        sums = np.bincount(text_of * self.dimension + columns[word_of], weights=weights, minlength=size)
        dense = sums.reshape(len(texts), self.dimension)
        lengths = np.linalg.norm(dense, axis=1, keepdims=True)
        unit: Vectors = (dense / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
        return unit


class _Words(dict[str, int]):
    """Words numbered as they come, each with its column and its sign."""

    def __init__(self, dimension: int) -> None:
        super().__init__()
        self._dimension = dimension
        self._columns: list[int] = []
        self._signs: list[float] = []
        self._arrays = (np.empty(0, np.int64), np.empty(0, np.float64))

    def __missing__(self, word: str) -> int:
        value = int.from_bytes(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
        self._columns.append((value >> 1) % self._dimension)
        self._signs.append(1.0 if value & 1 else -1.0)
        number = self[word] = len(self)
        return number

    def hashed(self) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], np.ndarray[tuple[int], np.dtype[np.float64]]]:
        """The columns and the signs of all words by number."""
        known = len(self._arrays[0])
        if known < len(self):
            self._arrays = (
                np.concatenate((self._arrays[0], np.array(self._columns[known:], dtype=np.int64))),
                np.concatenate((self._arrays[1], np.array(self._signs[known:], dtype=np.float64))),
            )
        return self._arrays


def _folded(text: str) -> str:
    return text.lower() if text.isascii() else unicodedata.normalize("NFC", text).casefold()
