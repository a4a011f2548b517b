"""What a measurement is given: the installation, how much and how often to measure, and corpora to measure on."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from benchmarks.corpus import build_memos
from benchmarks.environment import Environment
from benchmarks.repository import Repository
from benchmarks.row import Row


@dataclass(frozen=True, slots=True)
class Setting:
    """One run of the benchmarks. `sizes` and `rounds` are None where each measurement is to take its own."""

    environment: Environment
    sizes: tuple[int, ...] | None = None
    rounds: int | None = None
    full: bool = False
    data: str | None = None
    embedder: str | None = None
    _repositories: dict[int, Repository] = field(default_factory=dict)

    @property
    def scratch(self) -> str:
        """A folder for whatever is written."""
        return self.environment.scratch

    def choose_sizes(self, usual: Sequence[int], full: Sequence[int]) -> Sequence[int]:
        """The sizes asked for; else the usual ones, or with `--full` those too that take long."""
        if self.sizes is not None:
            return self.sizes
        return (*usual, *full) if self.full else usual

    def repository(self, memos: int) -> Repository:
        """The generated corpus of this size, written when first asked for."""
        if memos not in self._repositories:
            say(f"writing a corpus of {memos:,} memos")
            root = os.path.join(self.scratch, f"corpus-{memos}")
            self._repositories[memos] = Repository.write(root, build_memos(memos), memos, self.environment.variables)
        return self._repositories[memos]


class Measurement(NamedTuple):
    """A name for the command line, what it measures, and how. `usual` is False for what runs only by its name."""

    name: str
    summary: str
    measure: Callable[[Setting], Iterator[Row]]
    usual: bool = True


def say(text: str) -> None:
    """A word on what is being done, for those who watch."""
    if sys.stderr.isatty():
        print(f"… {text}", file=sys.stderr, flush=True)
