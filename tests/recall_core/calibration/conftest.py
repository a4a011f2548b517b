"""Labelled queries with made-up scores, and the artifact that they give."""

import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import pytest

from recall_core.calibration.artifact import Artifact, Binding
from recall_core.calibration.measure import Maker, build_artifact, take_sample
from recall_core.calibration.queryset import QuerySet, build_query_set
from recall_core.calibration.rule import Midgap, Rule
from recall_core.calibration.sample import Sample
from recall_core.calibration.signals import NAMES


@pytest.fixture
def binding() -> Binding:
    return Binding("acme", "gen_1", "model@sha256:00", 384, "sha256:pipeline", "sha256:corpus")


@pytest.fixture
def maker() -> Maker:
    return Maker("ada", datetime(2026, 3, 1, 12, 30, 0, 250_000, tzinfo=UTC), "1.2.3")


@pytest.fixture
def queries() -> QuerySet:
    """Thirty answerable and thirty unanswerable queries."""
    return build_query_set(
        [{"query": f"answered {number}", "answerable": True, "relevant_ids": [f"{number}.md"]} for number in range(30)]
        + [{"query": f"unknown {number}", "answerable": False, "kind": "far"} for number in range(30)]
    )


@pytest.fixture
def measured(queries: QuerySet) -> list[Sample]:
    """The queries measured: answerable ones around 0.7, the others around 0.4, with signals that tell nothing."""
    noise = random.Random(7)
    return [
        take_sample(
            entry,
            noise.gauss(0.7 if entry.answerable else 0.4, 0.05),
            tuple(noise.random() for _ in NAMES),
        )
        for entry in queries
    ]


@pytest.fixture
def overlapping(queries: QuerySet) -> list[Sample]:
    """The same queries, where both classes have the same scores."""
    noise = random.Random(8)
    return [take_sample(entry, noise.gauss(0.5, 0.1)) for entry in queries]


@pytest.fixture
def build(queries: QuerySet, binding: Binding, maker: Maker) -> Callable[..., Artifact]:
    def make(samples: Sequence[Sample], rule: Rule | None = None) -> Artifact:
        artifact = build_artifact(queries, samples, rule or Midgap(), binding, maker)
        assert isinstance(artifact, Artifact)
        return artifact

    return make


@pytest.fixture
def artifact(build: Callable[..., Artifact], measured: list[Sample]) -> Artifact:
    return build(measured)
