"""From what a search read to what its signals are computed from: the same for measuring and for serving."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from recall_core.calibration.signals import Observation
from recall_core.retrieval.bm25 import Ranking, inverse_document_frequency
from recall_core.retrieval.postings import Postings

NEAREST = 5
"""The hits of the dense leg that are looked into."""


def observe(
    words: Sequence[str],
    postings: Mapping[str, Iterable[Postings]],
    documents: int,
    *,
    dense: Ranking,
    lexical: Ranking,
) -> Observation:
    """The observation of one search.

    `words` are the lexemes of the query, in any order, each counted once; `postings` what each segment holds of those
    that occur in any of the generation's `documents` chunks. `dense` and `lexical` are the two legs.
    """
    nearest = dense.numbers[:NEAREST]
    weights: list[float] = []
    unknown: set[int] = set()
    found: list[set[int]] = [set() for _ in nearest]
    for place, word in enumerate(sorted(set(words))):
        parts = list(postings.get(word, ()))
        frequency = sum(len(part.numbers) for part in parts)
        weights.append(inverse_document_frequency(documents, frequency))
        if not frequency:
            unknown.add(place)
        for part in parts:
            for hit in np.flatnonzero(np.isin(nearest, part.numbers)).tolist():
                found[hit].add(place)
    return Observation(
        tuple(dense.scores.tolist()),
        tuple(weights),
        tuple(map(frozenset, found)),
        frozenset(unknown),
        float(lexical.scores[0]) if len(lexical) else 0.0,
    )
