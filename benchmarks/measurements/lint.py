"""`recall lint` as a fresh process, on a Git repository and on the same files without Git."""

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count

from benchmarks.processes import Command, measure_interleaved
from benchmarks.repository import Repository
from benchmarks.row import Goal, Metric, Row, figures_of
from benchmarks.setting import Setting, say

USUAL = (1_000, 10_000)
FULL = (100_000,)
_MEMORY = Goal(Metric.PEAK, 300)
_GOALS = {
    ("cold", 10_000): (Goal(Metric.CPU_MEDIAN, 1.0), _MEMORY),
    ("warm", 10_000): (Goal(Metric.CPU_MEDIAN, 0.35), _MEMORY),
    ("cold", 100_000): (Goal(Metric.CPU_MEDIAN, 10.0), _MEMORY),
}
_WRITTEN_SINCE = "\nOne more sentence, for run {number}.\n"


def measure(setting: Setting) -> Iterator[Row]:
    """Cold is without a cache (the system's own cache of files is warm), warm is with one and nothing changed."""
    for size in setting.choose_sizes(USUAL, FULL):
        scene = _Scene(setting.repository(size), setting.environment.user_cache)
        say(f"lint of {size:,} memos in Git")
        yield from _measure(setting, size, scene, {**scene.work_tree(), **scene.index()}, "")
        with scene.repository.without_git():
            say(f"lint of {size:,} memos without Git")
            yield from _measure(setting, size, scene, scene.folder(), ", no Git")


def _measure(setting: Setting, size: int, scene: "_Scene", commands: dict[str, "_Step"], where: str) -> Iterator[Row]:
    environment = setting.environment
    prepared = {
        name: Command(
            [environment.recall, "lint", *step.options], scene.repository.root, environment.variables, step.prepare
        )
        for name, step in commands.items()
    }
    samples = measure_interleaved(prepared, setting.rounds or (5 if size <= 10_000 else 3))
    scene.restore()
    for name, sample in samples.items():
        figures = figures_of(sample)
        figures[Metric.EACH] = sample.cpu_median / size * 1e6
        yield Row(f"lint {name}{where}", size, figures, _GOALS.get((name, size), ()))


@dataclass(frozen=True, slots=True)
class _Step:
    prepare: Callable[[], None] | None = None
    options: tuple[str, ...] = ()


@dataclass(slots=True)
class _Scene:
    """A corpus, and what happens to it between two runs: each step leaves what the next one needs."""

    repository: Repository
    user_cache: str
    _number: Iterator[int] = field(default_factory=count)
    _edited: str = ""
    _original: bytes = b""

    def work_tree(self) -> dict[str, _Step]:
        return {
            "cold": _Step(self._start_afresh),
            "warm": _Step(),
            "warm, after a commit": _Step(self._commit),
            "warm, one memo changed": _Step(self._edit),
        }

    def index(self) -> dict[str, _Step]:
        staged = ("--staged",)
        return {
            "--staged cold": _Step(self._start_afresh, staged),
            "--staged warm": _Step(None, staged),
        }

    def folder(self) -> dict[str, _Step]:
        return {
            "cold": _Step(self._start_afresh),
            "warm": _Step(),
            "warm, one memo changed": _Step(self._edit),
        }

    def _start_afresh(self) -> None:
        self.restore()
        self.repository.drop_cache()
        shutil.rmtree(self.user_cache, ignore_errors=True)

    def _commit(self) -> None:
        number = next(self._number)
        self.repository.commit(f"change-{number}.txt", f"Run {number}.\n")

    def _edit(self) -> None:
        if not self._edited:
            self._edited = self.repository.first_memo()
            with open(self._edited, "rb") as file:
                self._original = file.read()
        with open(self._edited, "ab") as file:
            file.write(_WRITTEN_SINCE.format(number=next(self._number)).encode())

    def restore(self) -> None:
        if self._edited and os.path.getsize(self._edited) != len(self._original):
            with open(self._edited, "wb") as file:
                file.write(self._original)
