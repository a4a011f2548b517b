"""Calibrations with a threshold that a test chooses, as the records that a pinned generation gives."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from recall_core.calibration.artifact import Artifact, State
from recall_core.calibration.measure import Maker, build_artifact, take_sample
from recall_core.calibration.queryset import build_query_set
from recall_core.calibration.rule import Midgap
from recall_core.calibration.status import Record
from recall_core.ports.store import Generation

QUERIES = build_query_set(
    [{"query": f"answered {number}", "answerable": True} for number in range(25)]
    + [{"query": f"unknown {number}", "answerable": False} for number in range(25)]
)
MAKER = Maker("ada", datetime(2026, 3, 1, tzinfo=UTC), "1.2.3")


@pytest.fixture
def measure() -> Callable[..., Record]:
    """A record of a generation: certified, with this threshold and a scale of 0.1, unless `overlaps`."""

    def measure(
        generation: Generation,
        threshold: float = 0.5,
        *,
        state: State = State.PUBLISHED,
        overlaps: bool = False,
        **binding: object,
    ) -> Record:
        reach = 0.0 if overlaps else 0.2
        samples = [take_sample(each, threshold + (reach if each.answerable else -reach)) for each in QUERIES]
        bound = replace(generation.binding, **binding)
        artifact = build_artifact(QUERIES, samples, Midgap(), bound, MAKER)
        assert isinstance(artifact, Artifact)
        assert artifact.threshold == pytest.approx(threshold, abs=0.0011)
        return Record(state, artifact, QUERIES.digest)

    return measure
