"""One line of the results: what was measured, its figures, and the goals it should reach."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from benchmarks.processes import Sample


class Metric(Enum):
    """A figure and its unit, by the name it has in JSON."""

    CPU_MEDIAN = "cpu_median_s"
    CPU_BEST = "cpu_best_s"
    WALL_BEST = "wall_best_s"
    PEAK = "peak_mb"
    """Peak resident memory of a process, in units of 1,000,000 bytes."""
    RATIO = "ratio"
    """CPU median over that of the peer that ran beside it."""
    EACH = "each_us"
    """Microseconds for one item: a look-up, a memo."""
    DISK = "disk_mb"


@dataclass(frozen=True, slots=True)
class Goal:
    """A figure is to be at most `limit`."""

    metric: Metric
    limit: float


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of one thing at one size (memos, edges; None where there is no such number). `note` is for people."""

    name: str
    size: int | None
    figures: Mapping[Metric, float]
    goals: tuple[Goal, ...] = ()
    note: str = ""

    @property
    def reached(self) -> bool | None:
        """Whether all goals are; None without any."""
        return all(self.figures[goal.metric] <= goal.limit for goal in self.goals) if self.goals else None

    def to_json(self) -> dict[str, Any]:
        """The row with every figure; those that were not measured are null."""
        figures = {metric.value: self.figures.get(metric) for metric in Metric}
        goals = [
            {
                "metric": goal.metric.value,
                "at_most": goal.limit,
                "reached": self.figures[goal.metric] <= goal.limit,
            }
            for goal in self.goals
        ]
        rounded = {name: None if figure is None else round(figure, 6) for name, figure in figures.items()}
        return {
            "name": self.name,
            "size": self.size,
            **rounded,
            "goals": goals,
            "reached": self.reached,
            "note": self.note,
        }


def figures_of(sample: Sample, peer: Sample | None = None) -> dict[Metric, float]:
    """The figures of a command that was run several times, with its ratio to a peer's."""
    figures = {
        Metric.CPU_MEDIAN: sample.cpu_median,
        Metric.CPU_BEST: sample.cpu_best,
        Metric.WALL_BEST: sample.wall_best,
        Metric.PEAK: sample.peak / 1e6,
    }
    if peer is not None:
        figures[Metric.RATIO] = sample.cpu_median / peer.cpu_median
    return figures
