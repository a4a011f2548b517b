"""BM25 over packed postings: the scores of the documents that hold any of a query's lexemes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recall_core.retrieval.postings import Postings

K1: Final = 1.2
B: Final = 0.75


@dataclass(frozen=True, slots=True, eq=False)
class Collection:
    """What BM25 needs to know of all documents together.

    `lengths` holds, at each document's number, how many lexemes it has; gaps in the numbers hold anything.
    `documents` is how many there are, `average` their mean length.
    """

    lengths: NDArray[np.int32]
    documents: int
    average: float


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Documents by number, the best first, and the score of each (float64)."""

    numbers: NDArray[np.int32]
    scores: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.numbers)


def inverse_document_frequency(documents: int, frequency: int) -> float:
    """ln(1 + (N - n + 0.5) / (n + 0.5)) where `frequency` n of `documents` N hold a lexeme; above 0 for n up to N.

    The weight of Robertson and Sparck Jones (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009,
    section 3.1), with 1 added inside the logarithm as Lucene does, so that no lexeme counts against a document.
    """
    return log(1 + (documents - frequency + 0.5) / (frequency + 0.5))


def score(
    postings: Mapping[str, Iterable[Postings]],
    frequencies: Mapping[str, int],
    collection: Collection,
    *,
    depth: int,
    allowed: NDArray[np.bool_] | None = None,
    k1: float = K1,
    b: float = B,
) -> Ranking:
    """The `depth` best documents for an OR of lexemes, ties by document number.

    A document D scores the sum, over the query's lexemes that it holds, of

        idf * count * (k1 + 1) / (count + k1 * (1 - b + b * length(D) / average))

    (Robertson and Zaragoza 2009, section 3.4, equation 3.15). `postings` gives for each of the query's lexemes what
    each segment holds of it: a document stands in one segment alone. `frequencies` gives how many documents hold it,
    over all segments; lexemes that it does not have, or has with 0, are left out. `allowed`, by document number,
    restricts the answer before it is cut, and never changes a score. Raises ValueError for a `depth` below 1.
    """
    if depth < 1:
        raise ValueError("a ranking has at least one place")
    lengths = collection.lengths
    sums = np.zeros(len(lengths), dtype=np.float64)
    average = collection.average or 1.0
    # In one order, so that the last bit of a sum does not depend on how the caller's mapping came about.
    for lexeme in sorted(postings):
        frequency = frequencies.get(lexeme, 0)
        if not frequency:
            continue
        weight = inverse_document_frequency(collection.documents, frequency) * (k1 + 1)
        for part in postings[lexeme]:
            counts = part.counts.astype(np.float64)
            norms = lengths[part.numbers] * (k1 * b / average)
            norms += k1 * (1 - b)
            norms += counts
            counts *= weight
            counts /= norms
            sums[part.numbers] += counts
    if allowed is not None:
        sums[~allowed] = 0
    return best(np.flatnonzero(sums).astype(np.int32), sums, depth)


def best(numbers: NDArray[np.int32], scores: NDArray[np.float64], depth: int) -> Ranking:
    """The `depth` of `numbers` with the highest of `scores` (by document number), ties by the smaller number."""
    own = scores[numbers]
    if len(numbers) > depth:
        last = np.partition(own, len(own) - depth)[len(own) - depth]
        keeps = own >= last
        numbers, own = numbers[keeps], own[keeps]
    order = np.lexsort((numbers, -own))[:depth]
    return Ranking(numbers[order], own[order])


def average_length(lengths: Sequence[int] | NDArray[np.int32]) -> float:
    """The mean of the lengths of all documents; 0 where there is none."""
    return float(np.mean(lengths)) if len(lengths) else 0.0
