"""What a page about an artifact draws: histograms, a reliability diagram, a risk-coverage curve, the worst queries."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from recall_core.calibration.artifact import Artifact
from recall_core.calibration.confidence import scale_confidence
from recall_core.calibration.sample import Sample

MOST_WORST = 10
_BINS = 24
_CONFIDENCE_BINS = 10


@dataclass(frozen=True, slots=True)
class ScoreBin:
    """How many queries of either class score from `low` up to `high`; the last bin holds its upper end too."""

    low: float
    high: float
    answerable: int
    unanswerable: int


@dataclass(frozen=True, slots=True)
class ConfidenceBin:
    """The queries whose best hit has a confidence in one tenth: its mean, and the share that is answerable."""

    confidence: float
    answerable: float
    queries: int


@dataclass(frozen=True, slots=True)
class RiskPoint:
    """At a threshold: the share of all queries that is answered, and the share of these that has no answer."""

    coverage: float
    risk: float


@dataclass(frozen=True, slots=True)
class Figures:
    """All that is drawn. `curve` goes from the strictest threshold to none; `chosen` is the artifact's own.

    `chosen` is None where the threshold answers nothing. `answered` are the unanswerable queries with the highest
    scores, `refused` the answerable ones with the lowest, the worst first.
    """

    scores: tuple[ScoreBin, ...]
    confidences: tuple[ConfidenceBin, ...]
    curve: tuple[RiskPoint, ...]
    aurc: float
    chosen: RiskPoint | None
    answered: tuple[Sample, ...]
    refused: tuple[Sample, ...]


def build_figures(artifact: Artifact) -> Figures:
    """The figures of one artifact, which has at least one sample.

    The risk-coverage curve and the area under it are those of Geifman and El-Yaniv 2017 ("Selective Classification for
    Deep Neural Networks", section 2), the area as the mean risk over all coverages; queries of one score are answered
    together.
    """
    samples = artifact.samples
    curve = _trace(samples)
    answered = [sample for sample in samples if sample.score >= artifact.threshold]
    order = sorted(samples, key=lambda sample: (sample.score, sample.entry))
    return Figures(
        _count_scores(samples),
        _count_confidences(artifact),
        tuple(point for point, _ in curve),
        math.fsum(point.risk * queries for point, queries in curve) / len(samples),
        _weigh(answered, len(samples)) if answered else None,
        tuple(sample for sample in reversed(order) if not sample.answerable)[:MOST_WORST],
        tuple(sample for sample in order if sample.answerable)[:MOST_WORST],
    )


def _count_scores(samples: Sequence[Sample]) -> tuple[ScoreBin, ...]:
    low, high = min(sample.score for sample in samples), max(sample.score for sample in samples)
    width = (high - low) / _BINS or 1 / _BINS
    counts = [[0, 0] for _ in range(_BINS)]
    for sample in samples:
        counts[min(int((sample.score - low) / width), _BINS - 1)][not sample.answerable] += 1
    return tuple(ScoreBin(low + place * width, low + (place + 1) * width, *pair) for place, pair in enumerate(counts))


def _count_confidences(artifact: Artifact) -> tuple[ConfidenceBin, ...]:
    """Only the tenths in which there is a query."""
    found: dict[int, list[tuple[float, bool]]] = {}
    for sample in artifact.samples:
        confidence = scale_confidence(sample.score, artifact.threshold, artifact.placement.scale)
        tenth = min(int(confidence * _CONFIDENCE_BINS), _CONFIDENCE_BINS - 1)
        found.setdefault(tenth, []).append((confidence, sample.answerable))
    return tuple(
        ConfidenceBin(
            math.fsum(confidence for confidence, _ in rows) / len(rows),
            sum(answerable for _, answerable in rows) / len(rows),
            len(rows),
        )
        for _, rows in sorted(found.items())
    )


def _trace(samples: Sequence[Sample]) -> list[tuple[RiskPoint, int]]:
    """The points of the curve, each with how many queries it adds to the one before."""
    order = sorted(samples, key=lambda sample: -sample.score)
    points: list[tuple[RiskPoint, int]] = []
    answered: list[Sample] = []
    for _, group in groupby(order, key=lambda sample: sample.score):
        before = len(answered)
        answered += group
        points.append((_weigh(answered, len(samples)), len(answered) - before))
    return points


def _weigh(answered: Sequence[Sample], queries: int) -> RiskPoint:
    wrong = sum(not sample.answerable for sample in answered)
    return RiskPoint(len(answered) / queries, wrong / len(answered))
