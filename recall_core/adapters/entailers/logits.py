"""From what a cross-encoder puts out for pairs of question and text to decisions.

Nogueira and Cho, "Passage Re-ranking with BERT" (2019), section 3: question and text are read together, as one input.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from recall_core.errors import EntailerError
from recall_core.trust.entail import Decision

LEAST_SCORE: Final = 0.5
"""The score from which a text counts as an answer: as likely as not."""

_POSITIVE: Final = frozenset({"entailment", "entails", "entailed", "yes", "relevant", "answer", "answerable"})


def find_positive(labels: Mapping[Any, Any]) -> int | None:
    """The column of the label that means an answer, by `labels` as the configuration of a model has them; else None."""
    for number, label in labels.items():
        if str(label).strip().lower() in _POSITIVE and str(number).isdigit():
            return int(number)
    return None


def decide(logits: Any, *, pairs: int, positive: int | None, source: str) -> list[Decision]:
    """One decision for each pair, with its probability as the score.

    A model with one column is read through the logistic function, with several through softmax at the column
    `positive`. Raises EntailerError where the rows are not one for each pair, hold what is no finite number, or have
    several columns of which none is known to mean an answer.
    """
    try:
        table: NDArray[np.float64] = np.asarray(logits, np.float64)
    except (TypeError, ValueError) as error:
        raise EntailerError(f"{source} put out no table of numbers") from error
    if table.ndim == 1:
        table = table[:, np.newaxis]
    if table.ndim != 2 or table.shape[0] != pairs or not table.shape[1]:
        raise EntailerError(f"{source} put out a table of the shape {table.shape} for {pairs} pairs")
    if not np.isfinite(table).all():
        raise EntailerError(f"{source} put out what is no finite number")
    scores = _logistic(table[:, 0]) if table.shape[1] == 1 else _softmax(table, positive, source)
    return [Decision(score >= LEAST_SCORE, score) for score in scores.tolist()]


def make_pairs(query: str, texts: Sequence[str], most: int) -> list[tuple[str, str]]:
    """The pairs that a model reads, of at most `most` characters each side; lone surrogates become `?`."""
    clean = query.encode("utf-8", "replace").decode()[:most]
    return [(clean, text.encode("utf-8", "replace").decode()[:most]) for text in texts]


def _logistic(column: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1.0 / (1.0 + np.exp(np.clip(-column, -700.0, 700.0)))


def _softmax(table: NDArray[np.float64], positive: int | None, source: str) -> NDArray[np.float64]:
    if positive is None or not 0 <= positive < table.shape[1]:
        raise EntailerError(
            f"{source} has {table.shape[1]} labels, and none of them is called `entailment`",
            help="choose a model with one output, or one for natural language inference",
        )
    shares = np.exp(table - table.max(axis=1, keepdims=True))
    chosen: NDArray[np.float64] = shares[:, positive] / shares.sum(axis=1)
    return chosen
