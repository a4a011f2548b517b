"""What the engine says of a corpus as it stands on the disk and in an editor's buffers, for every feature to ask."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from recall_core.graph.corpus import Corpus
from recall_core.graph.evaluate import Evaluation
from recall_core.model.memo import Memo
from recall_core.model.verdict import Verdict
from recall_core.prose.names import Names
from recall_lint.check.gather import Gatherer
from recall_lint.collection import paused_collection
from recall_lint.config import Settings
from recall_lint.diagnostic import Diagnostic
from recall_lint.engine import lint
from recall_lint.lsp.live import BufferSession
from recall_lint.questions.told import Told
from recall_lint.reading import Reading


@dataclass(frozen=True, slots=True)
class Clock:
    """The end of the day that findings are judged on, and the instant at which it was asked for."""

    day: datetime
    now: datetime


class Judgment:
    """One state of a corpus: findings, verdicts and names, each made when first asked for and then kept."""

    def __init__(self, session: BufferSession, settings: Settings, clock: Clock) -> None:
        self.session, self.settings, self.clock = session, settings, clock

    @cached_property
    def findings(self) -> Mapping[str, tuple[Diagnostic, ...]]:
        """The findings by path, in the order of a report; what `recall lint` says of the same files."""
        found: dict[str, list[Diagnostic]] = {}
        with paused_collection():
            around, told = self.session.surroundings(), self.told
            readings = self.session.readings
            for each in lint(readings, self.settings, at=self.clock.day, surroundings=around, told=told).diagnostics:
                found.setdefault(each.path, []).append(each)
        return {path: tuple(diagnostics) for path, diagnostics in found.items()}

    @cached_property
    def told(self) -> Told:
        """What the bodies tell."""
        return self.session.open_told(self.settings)

    @property
    def corpus(self) -> Corpus:
        """All memos."""
        return self.told.corpus

    @property
    def names(self) -> Names:
        """What the memos are called."""
        return self.told.names

    @cached_property
    def readings(self) -> Mapping[str, Reading]:
        """The readings by path."""
        return {reading.memo.path: reading for reading in self.session.readings}

    @cached_property
    def gatherer(self) -> Gatherer:
        """What `recall check` would ask."""
        return Gatherer(self.told)

    @cached_property
    def evaluation(self) -> Evaluation:
        """The verdicts of now, as `recall status` gives them."""
        known: Mapping[str, datetime] = {}
        if self.session.knows_history:
            recorded, now = self.session.recorded(), self.clock.now
            known = {memo.path: recorded.get(memo.path, now) for memo in self.corpus.memos}
        return Evaluation(self.corpus, at=self.clock.now, recorded=known)

    @cached_property
    def name_table(self) -> list[tuple[str, str, Memo]]:
        """Key and title of every memo in lower case, for looking among them; a folder that cannot be listed is none."""
        return [
            (memo.key.casefold(), memo.title.casefold(), memo)
            for memo in self.corpus.memos
            if not memo.path.endswith("/")
        ]

    def is_in_force(self, memo: Memo) -> bool:
        """Whether the verdict on a memo is `ok`."""
        return self.evaluation.verdict(memo) is Verdict.OK

    def successors(self, memo: Memo) -> tuple[Memo, ...]:
        """The memos that a walk from a replaced memo ends at, the last asserted first."""
        found = (self.corpus.memo(path) for path in self.evaluation.superseded_by(memo))
        return tuple(each for each in found if each is not None)

    def replaced_by(self, memo: Memo) -> tuple[Memo, ...]:
        """The memos that `memo` replaces itself, in the order of writing."""
        return tuple(edge.target for edge in self.evaluation.edges.by_successor.get(memo.path, ()))
