"""The verdict on every memo at a valid instant and a knowledge instant: Validity Frontmatter 1.0, Level 3."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import Final

from recall_core.graph.corpus import Corpus
from recall_core.graph.edges import Edges, build_edges
from recall_core.graph.resolve import build_terminals
from recall_core.model.memo import Memo
from recall_core.model.verdict import Verdict

_LONG_AGO: Final = datetime.min.replace(tzinfo=UTC)


def as_utc(instant: datetime) -> datetime:
    """An aware instant in UTC; a naive one is read as UTC."""
    if instant.tzinfo is None:
        return instant.replace(tzinfo=UTC)
    try:
        return instant.astimezone(UTC)
    except OverflowError:  # `9999-12-31T23:59-01:00`, or its like at the other end: the calendar's own end is meant
        return _LONG_AGO if instant.year == 1 else datetime.max.replace(tzinfo=UTC)


def judge_window(memo: Memo, day: date) -> Verdict:
    """`EXPIRED`, `NOT_YET_VALID` or `OK`: where a day of UTC lies in the window of a memo whose dates are real days.

    Days decide: a window starts at the first microsecond of its first day and ends at the last of its last.
    """
    if memo.valid_until is not None and memo.valid_until.day is not None and day > memo.valid_until.day:
        return Verdict.EXPIRED
    if memo.valid_from is not None and memo.valid_from.day is not None and day < memo.valid_from.day:
        return Verdict.NOT_YET_VALID
    return Verdict.OK


class Evaluation:
    """What holds at `at`, as far as it was known at `known_at` (None: everything is known).

    `recorded` gives the instant at which a memo entered the corpus, by path. A memo without one stays visible at every
    knowledge instant. Memos and edges are filtered by their own recorded time at each step of a walk, and so is
    ambiguity: what was not there yet could not be meant.
    """

    def __init__(
        self,
        corpus: Corpus,
        *,
        at: datetime,
        known_at: datetime | None = None,
        recorded: Mapping[str, datetime] | None = None,
    ) -> None:
        self.corpus = corpus
        self.at = as_utc(at)
        self.known_at = None if known_at is None else as_utc(known_at)
        self.recorded: Mapping[str, datetime] = recorded or {}
        self.day: date = self.at.date()
        self._known = corpus if self.known_at is None else Corpus(memo for memo in corpus.memos if self.is_known(memo))

    @cached_property
    def edges(self) -> Edges:
        """The edges among what was known."""
        return build_edges(self._known)

    @cached_property
    def terminals(self) -> Mapping[str, tuple[str, ...]]:
        """For each replaced path the paths its walk ends at, in no particular order."""
        return build_terminals(self.edges.successors)

    def is_known(self, memo: Memo) -> bool:
        """Whether the memo had entered the corpus by the knowledge instant; equality counts, unknown times too."""
        recorded = self.recorded.get(memo.path)
        return self.known_at is None or recorded is None or recorded <= self.known_at

    def is_in_force(self, memo: Memo) -> bool:
        """Whether the verdict is `ok`."""
        return self.verdict(memo) is Verdict.OK

    def verdict(self, memo: Memo) -> Verdict:
        """The first that applies, in the order of `Verdict`."""
        if not memo.is_valid:
            return Verdict.INVALID_METADATA
        if not self.is_known(memo):
            return Verdict.NOT_YET_KNOWN
        if memo.path in self.edges.ambiguous:
            return Verdict.AMBIGUOUS_SUPERSESSION
        if memo.path in self.edges.by_target:
            return Verdict.SUPERSEDED
        return judge_window(memo, self.day)

    def superseded_by(self, memo: Memo) -> tuple[str, ...]:
        """The paths of the terminal successors, the last asserted first; undated after dated, ties by path."""
        ends = self.terminals.get(memo.path, ())
        return ends if len(ends) < 2 else tuple(sorted(ends, key=self._assertion_order))

    def _assertion_order(self, path: str) -> tuple[timedelta, str]:
        # Differences are exact; seconds as a float would lose the microseconds.
        return _LONG_AGO - self.recorded.get(path, _LONG_AGO), path
