"""What the bodies of a corpus tell, held against answers and rivals. A body is read once, and only where it may matter.

`recall check` asks memo by memo and RL301 for the whole corpus; both get the same questions from here.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, Protocol

from recall_core.graph.corpus import Corpus
from recall_core.model.memo import Memo
from recall_core.model.span import Span
from recall_core.prose.candidate import Candidate
from recall_core.prose.candidates import find_candidates
from recall_core.prose.names import Names
from recall_core.prose.rivals import hold_rivals
from recall_lint.questions.answers import Answer, Answers
from recall_lint.questions.speakers import Speakers
from recall_lint.questions.text import ReadTexts, Text
from recall_lint.reading import Reading
from recall_lint.suppress import Decline


class Asking(NamedTuple):
    """Where questions are put.

    `is_index` tells of a path whether the memo catalogues others, `is_silenced` whether configuration takes its
    sentences for no claims, and `is_suppressed` of a reading and a place whether a comment does.
    """

    is_index: Callable[[str], bool]
    is_silenced: Callable[[str], bool]
    is_suppressed: Callable[[Reading, Span], bool]


class AskedSpeakers(Protocol):
    """Whom the sentences of a corpus may speak of."""

    def of_all(self, memos: Sequence[Memo]) -> Mapping[str, Sequence[str]]:
        """The paths of those that may speak of each memo, in order, by its path; the memo itself is none of them."""
        ...


class Among(NamedTuple):
    """Among what sentences speak: the names of the whole corpus, and a way to ask of whom the asked ones speak.

    `open_speakers` is given whether sentences of the memo at a path are claims.
    """

    names: Names
    open_speakers: Callable[[Callable[[str], bool]], AskedSpeakers]


def among_all(readings: Mapping[str, Reading], corpus: Corpus) -> Among:
    """Among memos that are all in memory."""
    names = Names(corpus.memos)

    def open_speakers(is_asked: Callable[[str], bool]) -> Speakers:
        return Speakers((each for path, each in readings.items() if is_asked(path)), names)

    return Among(names, open_speakers)


class Told:
    """The candidates of a corpus; texts, names and candidates are each made once, when first needed."""

    def __init__(
        self, readings: Mapping[str, Reading], corpus: Corpus, asking: Asking, read: ReadTexts, among: Among
    ) -> None:
        self.corpus, self.names = corpus, among.names
        self._readings, self._asking, self._read = readings, asking, read
        self._open_speakers = among.open_speakers
        self.answers = Answers(corpus, self._declines_at)
        self._texts: dict[str, Text | None] = {}
        self._told: dict[str, tuple[Candidate, ...]] = {}

    @cached_property
    def speakers(self) -> AskedSpeakers:
        """The memos whose sentences are claims, to be asked who speaks of whom."""
        return self._open_speakers(self.is_asked)

    def is_asked(self, path: str) -> bool:
        """Whether sentences of this memo are claims: it is no index file, and nobody silenced the question there."""
        return not self._asking.is_index(path) and not self._asking.is_silenced(path)

    def load(self, paths: Iterable[str]) -> None:
        """Read the texts at these paths together, which is cheaper than one by one."""
        missing = sorted({path for path in paths if path not in self._texts})
        if missing:
            found = self._read(missing)
            self._texts.update({path: found.get(path) for path in missing})

    def text(self, path: str) -> Text | None:
        """A memo's text, or None where it cannot be read."""
        self.load((path,))
        return self._texts[path]

    def told_by(self, path: str) -> tuple[Candidate, ...]:
        """The candidates of one body, rivals not yet held back."""
        if path not in self._told:
            memo = self.corpus.memo(path)
            is_claiming = memo is not None and memo.readable and not self._asking.is_silenced(path)
            text = self.text(path) if is_claiming else None
            if memo is None or text is None:
                self._told[path] = ()
            else:
                is_index = self._asking.is_index(path)
                self._told[path] = find_candidates(memo, text.body, text.first_line, self.names, is_index=is_index)
        return self._told[path]

    def answer(self, candidate: Candidate) -> Answer | None:
        """What was said of it already. A comment that silences RL301 where the sentence stands is an answer too."""
        answer = self.answers.find(candidate.successor, candidate.target)
        return Answer.DECLINED if answer is None and self.is_suppressed(candidate) else answer

    def is_suppressed(self, candidate: Candidate) -> bool:
        """Whether a comment silences RL301 where the sentence stands."""
        reading = self._readings.get(candidate.evidence.path)
        if reading is None or not reading.suppressions:
            return False
        return self._asking.is_suppressed(reading, candidate.evidence.span)

    def with_rivals(self, told: Sequence[Candidate]) -> list[Candidate]:
        """The candidates of some memos in their order, those held back that others contest.

        For that is read what is said of their targets, and what those say of each other who claim the same one.
        """
        open_ = self._open(told)
        known = {each.evidence.path for each in told}
        beside = self._tell_more({each.target for each in open_}, known, of_them=True)
        claims: dict[str, set[str]] = {}
        for each in (*open_, *beside):
            claims.setdefault(each.target, set()).add(each.successor)
        contesting = {path for claimants in claims.values() if len(claimants) > 1 for path in claimants}
        beside += self._tell_more(contesting, known, of_them=False)
        held = dict(zip(map(id, open_), self._hold([*open_, *beside]), strict=False))
        return [held.get(id(each), each) for each in told]

    def find_questions(self) -> tuple[Candidate, ...]:
        """Every question of the corpus in order of place: of sentences that ask the same, the best.

        Among them are those that a comment at the sentence silences, so that the comment is known to be of use.
        """
        paths = [path for path, reading in self._readings.items() if self._may_ask(reading)]
        self.load(paths)
        told = [each for path in paths for each in self.told_by(path) if not each.refusals and not self._is_said(each)]
        silent = [each for each in told if self.is_suppressed(each)]
        asked = [each for each in self._hold([each for each in told if each not in silent]) if not each.refusals]
        return tuple(sorted((*best_of_each(asked), *silent), key=_place))

    def find_silenced(self, paths: Iterable[str]) -> tuple[Candidate, ...]:
        """The questions of the memos at these paths that a comment at the sentence silences, in order of place."""
        wanted = [path for path in paths if path in self._readings and self._readings[path].suppressions]
        self.load(wanted)
        told = [each for path in wanted for each in self.told_by(path) if not each.refusals and not self._is_said(each)]
        return tuple(sorted(filter(self.is_suppressed, told), key=_place))

    def may_tell(self, one: str, other: str) -> bool:
        """Whether a sentence of either memo may speak of the other one, so that there is something to answer."""
        first, second = self.corpus.memo(one), self.corpus.memo(other)
        if first is None or second is None:
            return False
        pairs = ((first, second), (second, first))
        return any(self.names.may_mean(self._readings[by.path].trace, about) for by, about in pairs)

    def _declines_at(self, path: str) -> Sequence[Decline]:
        reading = self._readings.get(path)
        return reading.declines if reading is not None else ()

    def _may_ask(self, reading: Reading) -> bool:
        """Whether a body names a memo of which nothing is said: only of the memo itself and such a one is asked."""
        path = reading.memo.path
        if not reading.trace or not reading.memo.readable or not self.is_asked(path):
            return False
        named = self.names.meant_by(reading.trace)
        return any(other != path and self.answers.find(path, other) is None for other in named)

    def _tell_more(self, paths: Iterable[str], known: set[str], *, of_them: bool) -> list[Candidate]:
        """What the memos at these paths leave open, and those that speak `of_them`; nobody in `known`, which grows."""
        memos = [memo for path in paths if (memo := self.corpus.memo(path)) is not None]
        wanted = {memo.path for memo in memos}
        if of_them:
            wanted = wanted.union(*self.speakers.of_all(memos).values())
        wanted = {path for path in wanted - known if self._may_ask(self._readings[path])}
        known |= wanted
        self.load(wanted)
        return self._open(each for path in sorted(wanted) for each in self.told_by(path))

    def _open(self, told: Iterable[Candidate]) -> list[Candidate]:
        return [each for each in told if not each.refusals and self.answer(each) is None]

    def _is_said(self, candidate: Candidate) -> bool:
        return self.answers.find(candidate.successor, candidate.target) is not None

    def _hold(self, open_: Sequence[Candidate]) -> tuple[Candidate, ...]:
        return hold_rivals(open_, self._edges_among(open_))

    def _edges_among(self, candidates: Iterable[Candidate]) -> set[tuple[str, str]]:
        """The declared pairs of successor and target that the memos of these candidates declare."""
        paths = {path for each in candidates for path in (each.successor, each.target)}
        memos = [memo for path in paths if (memo := self.corpus.memo(path)) is not None]
        return {(memo.path, target) for memo in memos for target in self.answers.declared(memo)}


def best_of_each(candidates: Iterable[Candidate]) -> list[Candidate]:
    """For each pair of successor and target the candidate with the best score; of equals the first by place."""
    best: dict[tuple[str, str], Candidate] = {}
    for each in sorted(candidates, key=lambda one: (-one.score, *_place(one))):
        best.setdefault((each.successor, each.target), each)
    return list(best.values())


def _place(each: Candidate) -> tuple[str, Span, str, str]:
    return each.evidence.path, each.evidence.span, each.target, each.successor
