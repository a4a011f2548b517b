"""The judgment of a search's hits, for each hit."""

from collections.abc import Iterator

from benchmarks.row import Goal, Metric, Row
from benchmarks.setting import Setting, say

HITS = (5, 10, 20, 50, 200)
USUAL = (1_000, 100_000)
FULL = (1_000_000,)
_MOST_WITH_A_GOAL = 50


def measure(setting: Setting) -> Iterator[Row]:
    """`each` is one hit, the median of the rounds; CPU is one search, and the size is the corpus."""
    for size in setting.choose_sizes(USUAL, FULL):
        for hits in HITS:
            say(f"judge: {hits} hits of {size:,} memos")
            answer = setting.environment.worker("judge", str(hits), str(size), str(setting.rounds or 3))
            figures = {
                Metric.CPU_MEDIAN: answer["median"],
                Metric.CPU_BEST: answer["best"],
                Metric.EACH: answer["median"] * 1e6 / hits,
            }
            goals = (Goal(Metric.EACH, 6.0),) if hits <= _MOST_WITH_A_GOAL else ()
            yield Row(f"judge {hits} hits", size, figures, goals)
