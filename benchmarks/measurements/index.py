"""Building a generation, and finding that nothing changed."""

from collections.abc import Iterator

from benchmarks.row import Goal, Metric, Row
from benchmarks.setting import Setting, say

USUAL = (1_000, 10_000)
FULL = (100_000,)
_AGAIN = {10_000: (Goal(Metric.CPU_MEDIAN, 1.0),)}


def measure(setting: Setting) -> Iterator[Row]:
    """Into a store in memory, by the hashing embedder: what the client does. `each` is one chunk, and one memo."""
    for size in setting.choose_sizes(USUAL, FULL):
        say(f"index of {size:,} memos")
        environment = setting.environment
        root = setting.repository(size).root
        answer = environment.worker("index", root, environment.user_cache, str(setting.rounds or 5))
        built, chunks = answer["built"], answer["chunks"]
        figures = {Metric.CPU_MEDIAN: built, Metric.EACH: built * 1e6 / chunks}
        yield Row("index, all new", size, figures, note=f"{chunks:,} chunks, {chunks / built:,.0f} a second")
        figures = {Metric.CPU_MEDIAN: answer["median"], Metric.CPU_BEST: answer["best"]}
        figures[Metric.EACH] = answer["median"] * 1e6 / size
        yield Row("index, nothing changed", size, figures, _AGAIN.get(size, ()))
