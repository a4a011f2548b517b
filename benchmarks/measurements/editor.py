"""What the language server costs: until it is ready, at a keystroke, and for completion.

The work is done in one process without pipes, on a repository that recall has read before. CPU counts Git.
"""

import statistics
from collections.abc import Iterator, Sequence

from benchmarks.processes import Command, run
from benchmarks.row import Goal, Metric, Row
from benchmarks.setting import Setting, say

SIZES = (10_000,)
ROUNDS = 15
_READY = "server: ready after initialize"
_COMPLETION = "server: completion of a name"
_MEMORY = 200.0
_EACH = 0.05


def measure(setting: Setting) -> Iterator[Row]:
    """`recall lint` goes first and keeps what it read; no file is written."""
    for size in setting.choose_sizes(SIZES, ()):
        say(f"language server in {size:,} memos")
        repository, environment = setting.repository(size), setting.environment
        run(Command([environment.recall, "lint"], repository.root, environment.variables))
        memo = repository.memos()[0]
        rounds = str(setting.rounds or ROUNDS)
        answer = environment.worker("editor", repository.root, environment.user_cache, memo, rounds)
        figures = {Metric.CPU_MEDIAN: answer["ready"], Metric.PEAK: answer["peak"] / 1e6}
        yield Row(_READY, size, figures, (Goal(Metric.CPU_MEDIAN, 1.0), Goal(Metric.PEAK, _MEMORY)))
        for kind, seconds in answer["keystrokes"].items():
            yield Row(f"server: findings after a keystroke, {kind}", size, _figures(seconds), _goals())
        yield Row(_COMPLETION, size, _figures(answer["completions"]), _goals())


def _figures(seconds: Sequence[float]) -> dict[Metric, float]:
    return {Metric.CPU_MEDIAN: statistics.median(seconds), Metric.CPU_BEST: min(seconds)}


def _goals() -> tuple[Goal, ...]:
    return (Goal(Metric.CPU_MEDIAN, _EACH),)
