"""BM25 over packed postings: the scores of the documents that hold any of a query's lexemes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from recall_core.retrieval.postings import Postings

K1: Final = 1.2
B: Final = 0.75

_MANY: Final = 20_000
"""Looking which documents still count is worth its while before a lexeme that so many hold."""

_ROUNDING: Final = 1e-9


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
    # The weightiest first, and in one order, so that the last bit of a sum does not depend on the caller's mapping.
    weights = sorted(
        (-inverse_document_frequency(collection.documents, frequencies[lexeme]) * (k1 + 1), lexeme)
        for lexeme in postings
        if frequencies.get(lexeme, 0)
    )
    # What a document can still gain from this lexeme on: the other factor of a term stays below 1.
    gains = list(accumulate((-weight for weight, _ in reversed(weights)), initial=0.0))[:0:-1]
    scorer = _Scorer(collection, k1, b)
    candidates: NDArray[np.int32] | None = None
    for (weight, lexeme), gain in zip(weights, gains, strict=True):
        if candidates is None and frequencies[lexeme] >= _MANY:
            candidates = scorer.narrow(depth, gain, allowed)
        for part in postings[lexeme]:
            scorer.add(-weight, part if candidates is None else _restrict(part, candidates))
    found = scorer.numbers() if candidates is None else candidates
    return best(found if allowed is None else found[allowed[found]], scorer.sums, depth)


class _Scorer:
    """The sums so far, by document number."""

    def __init__(self, collection: Collection, k1: float, b: float) -> None:
        self.sums = np.zeros(len(collection.lengths), dtype=np.float64)
        self._lengths = collection.lengths
        self._slope = k1 * b / (collection.average or 1.0)
        self._base = k1 * (1 - b)

    def add(self, weight: float, part: Postings) -> None:
        """Add what one lexeme is worth to the documents of one segment."""
        gained = part.counts.astype(np.float64)
        norms = self._lengths[part.numbers] * self._slope
        norms += self._base
        norms += gained
        gained *= weight
        gained /= norms
        self.sums[part.numbers] += gained

    def numbers(self) -> NDArray[np.int32]:
        """The documents that have a score, ascending."""
        return np.flatnonzero(self.sums).astype(np.int32)

    def narrow(self, depth: int, gain: float, allowed: NDArray[np.bool_] | None) -> NDArray[np.int32] | None:
        """The documents that can still be among the `depth` best when none gains more than `gain`.

        None where documents without a score yet can. Turtle and Flood, Query Evaluation: Strategies and Optimizations,
        Information Processing and Management 31(6), 1995, section 4.2: no answer changes.
        """
        numbers = self.numbers()
        if allowed is not None:
            numbers = numbers[allowed[numbers]]
        if len(numbers) < depth:
            return None
        own = self.sums[numbers]
        least = np.partition(own, len(own) - depth)[len(own) - depth]
        # The margin is for sums that are rounded.
        return numbers[own + gain >= least * (1 - _ROUNDING)] if least * (1 - _ROUNDING) > gain else None


def _restrict(part: Postings, candidates: NDArray[np.int32]) -> Postings:
    """The postings of some documents, which are given ascending."""
    if not len(part.numbers):
        return part
    places = np.minimum(np.searchsorted(part.numbers, candidates), len(part.numbers) - 1)
    places = places[part.numbers[places] == candidates]
    return Postings(part.numbers[places], part.counts[places])


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
