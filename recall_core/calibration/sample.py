"""What was measured for one labelled query."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from recall_core.calibration.queryset import Kind


@dataclass(frozen=True, slots=True)
class Sample:
    """One labelled query and the best hit that one generation has for it.

    `entry` is the digest of the labelled query. `cosine` is that of the best hit of the dense leg, -1 where it gave
    none. `score` is what the threshold is held against: the cosine, or the cosine moved by `signals` where a model of
    these was admitted. Raises ValueError for a number that is not finite.
    """

    entry: str
    answerable: bool
    cosine: float
    score: float
    kind: Kind | None = None
    signals: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if not all(map(math.isfinite, (self.cosine, self.score, *self.signals))):
            raise ValueError("a score is a finite number")


def split_scores(samples: Iterable[Sample]) -> tuple[list[float], list[float]]:
    """The scores of the answerable and of the unanswerable queries, each in rising order."""
    scores: tuple[list[float], list[float]] = ([], [])
    for sample in samples:
        scores[not sample.answerable].append(sample.score)
    return sorted(scores[0]), sorted(scores[1])
