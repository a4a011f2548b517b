"""Terminals of supersession graphs: building them, and asking for one."""

from collections.abc import Iterator

from benchmarks.row import Goal, Metric, Row
from benchmarks.setting import Setting, say

USUAL = (1_000, 10_000, 100_000)
FULL = (1_000_000,)
SHAPES = ("chain", "forest", "fan-in", "cycle", "ladder")
_GOALS = {1_000_000: (Goal(Metric.CPU_MEDIAN, 5.0), Goal(Metric.EACH, 1.0))}


def measure(setting: Setting) -> Iterator[Row]:
    """CPU is that of building alone, peak memory that of the whole process, edges included; `each` is one look-up."""
    for size in setting.choose_sizes(USUAL, FULL):
        for shape in SHAPES:
            say(f"graph: {shape} of {size:,} edges")
            answer = setting.environment.worker("terminals", shape, str(size), str(setting.rounds or 3))
            figures = {
                Metric.CPU_MEDIAN: answer["cpu_median"],
                Metric.CPU_BEST: answer["cpu_best"],
                Metric.WALL_BEST: answer["wall_best"],
                Metric.PEAK: answer["peak"] / 1e6,
                Metric.EACH: answer["look_up"] * 1e6,
            }
            own = (answer["peak"] - answer["peak_before"]) / 1e6
            yield Row(
                f"graph {shape}", answer["edges"], figures, _GOALS.get(size, ()), f"{own:.0f} MB more than before"
            )
