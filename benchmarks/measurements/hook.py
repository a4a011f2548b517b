"""What every commit pays: the hook when the index is one that passed before."""

import shutil
from collections.abc import Iterator

from benchmarks.processes import Command, measure_interleaved, run
from benchmarks.row import Goal, Metric, Row, figures_of
from benchmarks.setting import Setting, say

SIZES = (10_000,)
ROUNDS = 11
_OPTIONS = ("lint", "--staged", "--skip-clean")


def measure(setting: Setting) -> Iterator[Row]:
    """The ratio is to `git ls-files --stage`, which the hook cannot do without."""
    for size in setting.choose_sizes(SIZES, ()):
        repository, environment = setting.repository(size), setting.environment
        say(f"the idle hook on {size:,} memos")
        hook = Command([environment.recall, *_OPTIONS], repository.root, environment.variables)
        git = Command([_find_git(environment.variables["PATH"]), "ls-files", "-s", "-z"], hook.folder, hook.variables)
        run(hook)  # the one that finds it clean
        samples = measure_interleaved({"git": git, "hook": hook}, setting.rounds or ROUNDS)
        yield Row("git ls-files -s -z", size, figures_of(samples["git"]))
        goals = (Goal(Metric.CPU_MEDIAN, 0.1),) if size <= 10_000 else ()
        yield Row("hook, index known clean", size, figures_of(samples["hook"], samples["git"]), goals)


def _find_git(path: str) -> str:
    return shutil.which("git", path=path) or "git"
