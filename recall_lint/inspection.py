"""All that a rule may ask: the corpus in memory, its verdicts on the day, and what is known of the files around it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from enum import Enum
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from recall_core.graph.corpus import Corpus, Naming, Resolution
from recall_core.graph.edges import Edge
from recall_core.graph.evaluate import Evaluation
from recall_core.model.memo import Memo, Problem, ProblemKind, Reference
from recall_core.prose.candidate import Candidate
from recall_lint.questions.text import ReadTexts, Text
from recall_lint.suppress import Decline


class Absence(Enum):
    """Why a file that a reference seems to name is no memo of the corpus."""

    UNTRACKED = "untracked"
    """It is on disk, and the commit would not hold it."""
    EXCLUDED = "excluded"
    """Configuration leaves it out; `detail` says by which setting."""
    DELETED = "deleted"
    """The change under inspection removes it."""
    RENAMED = "renamed"
    """The change under inspection moves it; `detail` is the new path."""


class Absent(NamedTuple):
    """A file that has, or had, a key that a reference names."""

    path: str
    absence: Absence
    detail: str = ""


def _nothing_absent(_key: str) -> tuple[Absent, ...]:
    return ()


def _nothing_recorded() -> Mapping[str, datetime]:
    return {}


def _everything_is_new(_edge: Edge) -> bool:
    return True


def _nothing_read(_paths: Sequence[str]) -> Mapping[str, Text]:
    return {}


def _nothing_asked() -> tuple[Candidate, ...]:
    return ()


def _nothing_said(_one: str, _other: str) -> bool:
    return False


class Surroundings(NamedTuple):
    """What lies around a corpus. The callables cost something and are asked only when a rule needs the answer.

    `untracked` holds the paths of memos that the next commit would not hold. `find_absent` gives the files with a key
    that are no memos. `recorded` gives recorded times by path ({} where unknown), `is_new` whether the change under
    inspection brought an edge in (always True in a full run). `read_texts` gives the texts of memos by path.
    """

    untracked: frozenset[str] = frozenset()
    find_absent: Callable[[str], tuple[Absent, ...]] = _nothing_absent
    recorded: Callable[[], Mapping[str, datetime]] = _nothing_recorded
    is_new: Callable[[Edge], bool] = _everything_is_new
    read_texts: ReadTexts = _nothing_read


class Inspection:
    """One corpus on one day.

    `find_questions` reads the bodies that may hold one, and gives the open questions in order of place; `may_tell` says
    of two memos whether a sentence of either may speak of the other. `declined` are the declined questions by path.
    Questions and answers leave out memos that nobody asks: index files, and where RL301 does not run.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        surroundings: Surroundings = Surroundings(),  # noqa: B008 - a value
        expiring_within_days: int = 30,
        declined: Mapping[str, tuple[Decline, ...]] = MappingProxyType({}),
        *,
        find_questions: Callable[[], tuple[Candidate, ...]] = _nothing_asked,
        may_tell: Callable[[str, str], bool] = _nothing_said,
    ) -> None:
        self.evaluation, self.surroundings = evaluation, surroundings
        self.expiring_within_days, self.declined = expiring_within_days, declined
        self.find_questions, self.may_tell = find_questions, may_tell

    @property
    def corpus(self) -> Corpus:
        """All memos."""
        return self.evaluation.corpus

    @cached_property
    def resolutions(self) -> tuple[tuple[Memo, Reference, Resolution], ...]:
        """Every declared reference with what it names, resolved once for all rules."""
        corpus = self.corpus
        return tuple((memo, reference, corpus.resolve(memo, reference)) for memo, reference in corpus.references())

    def named(self, naming: Naming) -> Iterator[tuple[Memo, Reference, Resolution]]:
        """The references of one kind, in order of paths and of writing."""
        return (row for row in self.resolutions if row[2].naming is naming)

    def problems(self, *kinds: ProblemKind) -> Iterator[tuple[Memo, Problem]]:
        """What reading found of these kinds, in order of paths and of places."""
        return ((memo, problem) for memo in self._flawed for problem in memo.problems if problem.kind in kinds)

    @cached_property
    def _flawed(self) -> tuple[Memo, ...]:
        return tuple(memo for memo in self.corpus.memos if memo.problems)
