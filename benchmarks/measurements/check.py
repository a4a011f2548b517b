"""What asking costs: `recall check` of one edited memo and of many staged ones, and `recall fix` over the corpus.

Each as a fresh process on a repository that recall has read before. Every round edits the memos anew, so nothing of the
answer is kept. One memo in four says that it replaces another, which puts a question.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count

from benchmarks.environment import Environment
from benchmarks.processes import Command, measure_interleaved, run
from benchmarks.repository import Repository
from benchmarks.row import Goal, Metric, Row, figures_of
from benchmarks.setting import Setting, say

SIZES = (10_000,)
ROUNDS = 7
_STAGED = 100
_ONE = "check of one memo, edited since"
_MANY = "check of 100 staged memos"
_GOALS = {
    (_ONE, 10_000): (Goal(Metric.CPU_MEDIAN, 0.15),),
    (_MANY, 10_000): (Goal(Metric.CPU_MEDIAN, 0.5),),
}
_ASKS = 4


def measure(setting: Setting) -> Iterator[Row]:
    """`recall lint` goes first and keeps what it read; the corpus is given back as it was."""
    for size in setting.choose_sizes(SIZES, ()):
        say(f"check and fix in {size:,} memos")
        author = _Author(setting.repository(size))
        command = partial(_command, setting.environment, author.repository.root)
        run(command("lint"))
        commands = {
            _ONE: command("check", author.memos[0], before=author.edit_one),
            "check of it again": command("check", author.memos[0]),
            _MANY: command("check", "--staged", before=author.stage_many),
            "fix, dry run of the corpus": command("fix", before=author.restore),
        }
        samples = measure_interleaved(commands, setting.rounds or ROUNDS)
        author.restore()
        for name, sample in samples.items():
            yield Row(name, size, figures_of(sample), _GOALS.get((name, size), ()))


def _command(environment: Environment, root: str, *words: str, before: Callable[[], None] | None = None) -> Command:
    return Command([environment.recall, *words], root, environment.variables, before)


class _Author:
    """Somebody who edits memos of a repository. `memos` are theirs, from all over the corpus."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        paths = repository.memos()
        self.memos = paths[:: max(1, len(paths) // _STAGED)][:_STAGED]
        self._number = count()

    def edit_one(self) -> None:
        """Give the first memo a sentence more."""
        self.restore()
        self._edit(self.memos[:1])

    def stage_many(self) -> None:
        """Give each memo a sentence more, and stage them."""
        self._edit(self.memos)
        self.repository.git("add", "--", *self.memos)

    def restore(self) -> None:
        """Everything as it was committed, and settled."""
        self.repository.git("reset", "--quiet", "--hard")
        self.repository.settle()

    def _edit(self, memos: list[str]) -> None:
        number = next(self._number)
        for index, path in enumerate(memos):
            other = self.memos[index - 1].rpartition("/")[2].removesuffix(".md")
            said = f"This memo supersedes [[{other}]]. " if index % _ASKS == 0 else ""
            self.repository.append(path, f"\n{said}Written in round {number}.\n")
