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
    SHARE = "share"
    """A part of a whole, 0 to 1."""
    COUNT = "count"
    PER_100 = "per_100"
    """How many to each hundred of what `size` counts."""
    PER_SECOND = "per_second"
    P50 = "p50_ms"
    P95 = "p95_ms"


@dataclass(frozen=True, slots=True)
class Goal:
    """A figure is to be at most `limit`, or at least."""

    metric: Metric
    limit: float
    at_least: bool = False

    def is_reached(self, figures: Mapping[Metric, float]) -> bool:
        """Whether it is by these figures, of which one has the goal's metric."""
        figure = figures[self.metric]
        return figure >= self.limit if self.at_least else figure <= self.limit


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
        return all(goal.is_reached(self.figures) for goal in self.goals) if self.goals else None

    def to_json(self) -> dict[str, Any]:
        """The row with every figure; those that were not measured are null."""
        figures = {metric.value: self.figures.get(metric) for metric in Metric}
        goals = [
            {
                "metric": goal.metric.value,
                "at_least" if goal.at_least else "at_most": goal.limit,
                "reached": goal.is_reached(self.figures),
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
