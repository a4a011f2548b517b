"""From a memo to its chunks, and from passages to vectors."""

from collections.abc import Callable, Sequence

import numpy as np

from recall_core.app.corpus import ReadMemo
from recall_core.errors import EmbedderError
from recall_core.generation.chunk import CHUNKER, MAX_TOKENS, Chunk, chunk_memo
from recall_core.generation.pipeline import Pipeline
from recall_core.ports.embedder import Embedder, Vectors

Progress = Callable[[int, int], None]
"""Told how many chunks are done, and of how many."""

_FEWEST_TOKENS = 16
_AT_ONCE = 64
_FARTHEST = 1e-3
"""How far the length of a row may lie from 1: float32 and a division leave a ten thousandth of that."""


def describe_pipeline(embedder: Embedder, *, text_search: str, schema: int) -> Pipeline:
    """The identity of all that makes rows of memos, with this embedder and the store's own two parts."""
    tokens = MAX_TOKENS
    if embedder.dimension and _FEWEST_TOKENS <= embedder.max_tokens < MAX_TOKENS:
        tokens = embedder.max_tokens
    chunker = f"{CHUNKER.partition(':')[0]}:{tokens}"
    return Pipeline(embedder.id, embedder.dimension, chunker, text_search, schema)


def chunk(read: ReadMemo, pipeline: Pipeline) -> tuple[Chunk, ...]:
    """The chunks of a memo, under its title or else its file's name, as long as the pipeline says."""
    tokens = int(pipeline.chunker.partition(":")[2])
    return chunk_memo(read.text, title=read.memo.title or read.memo.key, max_tokens=tokens)


def embed(embedder: Embedder, passages: Sequence[str], advance: Callable[[int], None]) -> Vectors:
    """One row for each passage; `advance` is told of some as soon as they are done.

    Raises EmbedderError where the rows have not the shape that was asked for, or are no unit vectors.
    """
    parts = []
    for start in range(0, len(passages), _AT_ONCE):
        some = passages[start : start + _AT_ONCE]
        parts.append(check_vectors(embedder, embedder.embed_documents(some), len(some)))
        advance(len(some))
    return np.concatenate(parts) if parts else np.empty((0, embedder.dimension), np.float32)


def check_vectors(embedder: Embedder, vectors: Vectors, rows: int) -> Vectors:
    """The vectors, if they are what the embedder promises: a wrong one would be found for nothing, and for ever."""
    if vectors.shape != (rows, embedder.dimension):
        raise EmbedderError(
            f"the model {embedder.id} gave vectors of the shape {vectors.shape}, not {(rows, embedder.dimension)}"
        )
    vectors = np.ascontiguousarray(vectors, np.float32)
    lengths = np.einsum("ij,ij->i", vectors, vectors)
    if not np.all((np.abs(lengths - 1) < _FARTHEST) | (lengths == 0)):
        raise EmbedderError(f"the model {embedder.id} gave a vector whose length is not 1")
    return vectors
