"""What a search knows beside the best cosine: numbers of the query, the same for all its hits."""

import math
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from statistics import pstdev

VERSION = "signals-1"
"""The identity of the list below; raise the number whenever a signal comes, goes or is computed in another way."""

NAMES = (
    "gap_to_fifth",
    "spread_of_ten",
    "coverage_of_first",
    "coverage_of_best",
    "unknown_words",
    "lexical_strength",
)
"""The signals, in the order of a vector."""

_TOP = 5
_NOTHING = 1e-9
"""A query of no more weight than this weighs nothing."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One search in plain values.

    `cosines` are those of the dense leg, the highest first. `weights` has the inverse document frequency of each
    different word of the query, and `unknown` the indices of the words that no memo holds. `found` has for the first
    hits of the dense leg, best first, the indices of the words that stand in each; five are looked at. `lexical` is
    the highest BM25 score, 0 where the lexical leg gave nothing.
    """

    cosines: tuple[float, ...]
    weights: tuple[float, ...]
    found: tuple[AbstractSet[int], ...]
    unknown: AbstractSet[int] = frozenset()
    lexical: float = 0.0


def compute_signals(observation: Observation) -> tuple[float, ...]:
    """The signals in the order of `NAMES`, all finite.

    Gap and spread are in units of cosine (the spread of the first ten is NQC's; Shtok et al. 2012). Coverage is the
    share of the query's weight that stands in the first hit, and in the best of the first five. `unknown_words` is the
    share of the weight that no memo holds, and `lexical_strength` the best BM25 score for each unit of weight.
    """
    cosines = observation.cosines or (0.0,)
    total = math.fsum(observation.weights)
    covered = [_weigh(observation, words) for words in observation.found[:_TOP]] or [0.0]
    return (
        cosines[0] - cosines[min(4, len(cosines) - 1)],
        pstdev(cosines[:10]),
        covered[0],
        max(covered),
        _weigh(observation, observation.unknown),
        observation.lexical / total if total > _NOTHING else 0.0,
    )


def _weigh(observation: Observation, words: AbstractSet[int]) -> float:
    """The share of the query's weight that these words have; 0 for a query that weighs nothing."""
    total = math.fsum(observation.weights)
    return math.fsum(observation.weights[word] for word in sorted(words)) / total if total > _NOTHING else 0.0
