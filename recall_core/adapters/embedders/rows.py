"""What every embedder owes: texts that a model can take, rows that the store can hold."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from recall_core.errors import EmbedderError
from recall_core.ports.embedder import Vectors

_LEAST_LENGTH = 1e-12
"""A vector shorter than this has no direction."""


def no_rows(count: int, dimension: int) -> Vectors:
    """`count` rows of zeros, float32."""
    return np.zeros((count, dimension), dtype=np.float32)


def encodable(text: str, limit: int) -> str:
    """The first `limit` characters of `text` with every lone surrogate replaced by U+FFFD, so that UTF-8 can hold it.

    What holds nothing but blanks and control characters comes back empty.
    """
    text = text[:limit]
    if not text.isascii():
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text if any(character.isprintable() and not character.isspace() for character in text) else ""


def unit_rows(answer: Any, count: int, dimension: int, source: str) -> Vectors:
    """The `answer` of a model as `count` rows of `dimension` float32 numbers, each of the length 1 or all zeros.

    Raises EmbedderError, naming `source`, where the shape is another or a number is not finite.
    """
    try:
        rows = np.asarray(answer, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise EmbedderError(f"{source} answered something that is no table of numbers") from error
    if rows.shape != (count, dimension):
        raise EmbedderError(f"{source} answered {_shape(rows)} where {count} by {dimension} numbers were asked for")
    if not np.isfinite(rows).all():
        raise EmbedderError(f"{source} answered numbers that are not finite")
    # Scaled first, so that neither tiny nor huge numbers leave the range while they are squared.
    largest = np.abs(rows).max(axis=1, keepdims=True, initial=0.0)
    rows = rows / np.where(largest > _LEAST_LENGTH, largest, np.inf)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Vectors = (rows / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
    return unit


def embed_texts(
    encode: Callable[[list[str]], Any], texts: Sequence[str], *, prefix: str, limit: int, dimension: int, source: str
) -> Vectors:
    """One row for each text by `encode`, which sees only texts that hold something, cut to `limit` characters.

    `prefix` goes in front of each. A text that holds nothing has a row of zeros. Raises EmbedderError as `unit_rows`.
    """
    rows = no_rows(len(texts), dimension)
    taken = [(place, text) for place, text in enumerate(encodable(text, limit) for text in texts) if text]
    if taken:
        answer = encode([prefix + text for _, text in taken])
        rows[[place for place, _ in taken]] = unit_rows(answer, len(taken), dimension, source)
    return rows


def _shape(rows: Any) -> str:
    return " by ".join(str(length) for length in rows.shape) + " numbers" if rows.ndim else "one number"
