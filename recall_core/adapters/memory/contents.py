"""The rows of one generation in memory, and what searches them. Never changed once built."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recall_core.adapters.memory.lexemes import list_lexemes
from recall_core.calibration.observe import observe
from recall_core.calibration.signals import Observation
from recall_core.generation.chunk import Chunk
from recall_core.generation.pipeline import Pipeline
from recall_core.generation.stored import StoredMemo, resolve_memos
from recall_core.ports.embedder import Vectors
from recall_core.ports.store import MemoRow
from recall_core.retrieval.bm25 import Collection, Ranking, average_length, best, score
from recall_core.retrieval.postings import Postings, build_postings

NOTHING: Final = Ranking(np.empty(0, np.int32), np.empty(0, np.float64))


@dataclass(frozen=True, slots=True)
class Place:
    """A chunk and the path of its memo."""

    path: str
    chunk: Chunk


class Contents:
    """Memos by path; chunks by number, which counts from 0 over all memos in the order of their rows.

    `vectors` has a row for each chunk, and no columns where the pipeline makes no embedding.
    """

    def __init__(self, rows: Iterable[MemoRow], pipeline: Pipeline) -> None:
        self.rows = tuple(rows)
        self.pipeline = pipeline
        # Only what a memo declares belongs to a generation.
        declared = ((replace(row.memo, problems=(), keys=()), row.content_hash, row.recorded) for row in self.rows)
        self.memos: Mapping[str, StoredMemo] = {each.memo.path: each for each in resolve_memos(declared)}
        self.places = tuple(Place(row.memo.path, chunk) for row in self.rows for chunk in row.chunks)
        parts = [row.vectors for row in self.rows if row.chunks]
        empty = np.empty((len(self.places), pipeline.dimension), np.float32)
        self.vectors: Vectors = np.concatenate(parts) if parts and pipeline.dimension else empty
        self._postings, self._collection = _index(self.places, pipeline.text_search)

    @cached_property
    def numbers(self) -> Mapping[str, range]:
        """By path, the numbers of a memo's chunks."""
        numbers: dict[str, range] = {}
        first = 0
        for row in self.rows:
            numbers[row.memo.path] = range(first, first + len(row.chunks))
            first += len(row.chunks)
        return numbers

    def allow(self, paths: Iterable[str]) -> NDArray[np.bool_]:
        """By number, whether a chunk belongs to one of some memos; unknown ones are no error."""
        allowed = np.zeros(len(self.places), dtype=np.bool_)
        for path in paths:
            allowed[list(self.numbers.get(path, ()))] = True
        return allowed

    def rank_words(self, text: str, *, depth: int, allowed: NDArray[np.bool_] | None) -> Ranking:
        """The best chunks by BM25 for an OR of the words of a text."""
        postings = self._find_postings(list_lexemes(text, self.pipeline.text_search))
        frequencies = {lexeme: len(part.numbers) for lexeme, (part,) in postings.items()}
        return score(postings, frequencies, self._collection, depth=depth, allowed=allowed)

    def observe(self, text: str, dense: Ranking, lexical: Ranking) -> Observation:
        """What the two legs saw of the words of a text."""
        words = list_lexemes(text, self.pipeline.text_search)
        return observe(words, self._find_postings(words), len(self.places), dense=dense, lexical=lexical)

    def _find_postings(self, words: Iterable[str]) -> dict[str, list[Postings]]:
        return {lexeme: [self._postings[lexeme]] for lexeme in set(words) if lexeme in self._postings}

    def rank_nearest(self, cosines: NDArray[np.float64], *, depth: int, allowed: NDArray[np.bool_] | None) -> Ranking:
        """The chunks with the highest of the cosines that `measure` gave, ties by number."""
        numbers = np.arange(len(self.places)) if allowed is None else np.flatnonzero(allowed)
        return best(numbers.astype(np.int32), cosines, depth) if len(numbers) else NOTHING

    def measure(self, vector: Vectors) -> NDArray[np.float64]:
        """By number, the cosine of each chunk to one row: rows have the length 1."""
        return (self.vectors @ vector.reshape(-1).astype(np.float32)).astype(np.float64)


def _index(places: Iterable[Place], configuration: str) -> tuple[dict[str, Postings], Collection]:
    held: dict[str, tuple[list[int], list[int]]] = {}
    lengths: list[int] = []
    for number, place in enumerate(places):
        lexemes = list_lexemes(place.chunk.passage, configuration)
        lengths.append(len(lexemes))
        for lexeme, count in Counter(lexemes).items():
            numbers, counts = held.setdefault(lexeme, ([], []))
            numbers.append(number)
            counts.append(count)
    return (
        {lexeme: build_postings(numbers, counts) for lexeme, (numbers, counts) in held.items()},
        Collection(np.array(lengths, dtype=np.int32), len(lengths), average_length(lengths)),
    )
