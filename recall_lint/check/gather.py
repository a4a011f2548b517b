"""From readings to suggestions: what the sentences of some memos, and those of others about them, suggest to declare.

One pass: a memo's text is read once however many memos it is about, and only where a kept closure may speak of one of
those asked for.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from recall_core.graph.corpus import Corpus
from recall_core.model.memo import Memo
from recall_core.prose.candidate import Candidate
from recall_core.prose.candidates import find_candidates
from recall_core.prose.names import Names
from recall_core.prose.resemblance import Lookalikes
from recall_core.prose.rivals import hold_rivals
from recall_lint.check.answers import Answers
from recall_lint.check.near import find_near
from recall_lint.check.paste import build_paste
from recall_lint.check.speakers import Speakers
from recall_lint.check.suggestion import Answer, Kind, Paste, Suggestion, in_order, without_repetition
from recall_lint.config import Settings
from recall_lint.reading import Reading
from recall_lint.rules import RULES
from recall_lint.rules.prose.undeclared_closure import RULE as UNDECLARED
from recall_lint.suppress import apply


class Text(NamedTuple):
    """A memo's file as it is, its body as text, and the number of the body's first line."""

    data: bytes
    body: str
    first_line: int


_FEW = 4
"""Memos whose likenesses are cheaper looked for one by one than by building an index over all names."""

Read = Callable[[Sequence[str]], Mapping[str, Text]]
"""Gives the texts of the memos at some paths; those that cannot be read are left out."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What there is to say of one memo: suggestions in the order to ask in, and what it declares already."""

    memo: Memo
    declared: tuple[str, ...]
    suggestions: tuple[Suggestion, ...]


class Gatherer:
    """The suggestions of a corpus, memo by memo; texts, names and candidates are each made once."""

    def __init__(self, readings: Sequence[Reading], settings: Settings, read: Read) -> None:
        self._settings, self._read = settings, read
        self.corpus = Corpus(reading.memo for reading in readings)
        self._readings = {reading.memo.path: reading for reading in readings}
        self._names = Names(self.corpus.memos)
        self._answers = Answers(self.corpus, {path: each.declines for path, each in self._readings.items()})
        self._texts: dict[str, Text | None] = {}
        self._told: dict[str, tuple[Candidate, ...]] = {}
        speaking = (each for each in readings if each.closures and self._is_asked(each.memo))
        self._speakers = Speakers(speaking, self._names)

    def gather(self, paths: Iterable[str], *, resembling: frozenset[str] = frozenset()) -> list[Gathered]:
        """What there is to say of the memos at `paths`, in their order; likenesses for those in `resembling` only."""
        memos = [memo for path in paths if (memo := self.corpus.memo(path)) is not None]
        about = self._speakers.of_all(memos)
        self._load({path for memo in memos for path in (memo.path, *about[memo.path])})
        told = self._with_rivals([each for path in self._order(memos, about) for each in self._told_by(path)])
        by_memo: dict[str, list[Suggestion]] = {memo.path: [] for memo in memos}
        for each in told:
            concerned = {each.target, each.successor, each.evidence.path} & by_memo.keys()
            if concerned:
                suggestion = self._build(each)
                for path in concerned:
                    by_memo[path].append(suggestion)
        few = len(resembling) <= _FEW
        return [self._gathered(memo, by_memo[memo.path], resembling=memo.path in resembling, few=few) for memo in memos]

    def tell_all(self, paths: Iterable[str]) -> list[Suggestion]:
        """Every suggestion that a sentence of the memos at `paths`, or one about them, makes."""
        gathered = self.gather(paths)
        return without_repetition(dict.fromkeys(each for one in gathered for each in one.suggestions))

    def paste(self, declare_in: str, target: str) -> Paste:
        """What to type in one memo to declare that it replaces another."""
        memo, replaced = self.corpus.memo(declare_in), self.corpus.memo(target)
        self._load({declare_in})
        text = self._texts.get(declare_in)
        if memo is None or replaced is None or text is None or memo is replaced:
            return Paste(1, "", refusal="it is not clear which memo is meant")
        return build_paste(self.corpus, text.data, memo, replaced)

    def text(self, path: str) -> Text | None:
        """A memo's text, or None where it cannot be read."""
        self._load({path})
        return self._texts.get(path)

    def find_named(self, written: str) -> tuple[str, ...]:
        """The paths of the memos that a title, or a number such as `ADR 12`, names."""
        found = self._names.by_title(written)
        if found:
            return found
        numbered = self._names.find_numbered(written, 0, len(written))
        return numbered[0].paths[0] if len(numbered) == 1 and len(numbered[0].paths) == 1 else ()

    def _gathered(self, memo: Memo, told: list[Suggestion], *, resembling: bool, few: bool) -> Gathered:
        alike = self._likenesses(memo, {each.pair for each in told}, few=few) if resembling else ()
        suggestions = in_order(without_repetition([*told, *alike]))
        return Gathered(memo, self._answers.declared(memo), suggestions)

    def _likenesses(self, memo: Memo, told: set[frozenset[str]], *, few: bool) -> Iterator[Suggestion]:
        if not self._is_asked(memo):
            return
        lookalikes = Lookalikes(find_near(memo, self.corpus.memos)) if few else self._lookalikes
        for each in lookalikes.find(memo):
            pair = frozenset((each.newer, each.older))
            if pair in told or self._answers.find(each.newer, each.older) is not None:
                continue
            paste = self.paste(each.newer, each.older)
            yield Suggestion(each.older, each.newer, paste, Kind.RESEMBLES, each.score, why=each.why)

    @cached_property
    def _lookalikes(self) -> Lookalikes:
        return Lookalikes(self.corpus.memos)

    def _order(self, memos: Sequence[Memo], about: Mapping[str, Sequence[str]]) -> list[str]:
        return sorted({path for memo in memos for path in (memo.path, *about[memo.path])})

    def _with_rivals(self, told: list[Candidate]) -> list[Candidate]:
        """The candidates, those held back that others contest; for that, what others say of the targets is read too."""
        open_ = [each for each in told if not each.refusals and self._answer(each) is None]
        targets = {each.target: memo for each in open_ if (memo := self.corpus.memo(each.target)) is not None}
        asked = {each.evidence.path for each in told}
        about = self._speakers.of_all(list(targets.values()))
        rest = {path for memo in targets.values() for path in (memo.path, *about[memo.path])} - asked
        self._load(rest)
        beside = [
            each
            for path in sorted(rest)
            for each in self._told_by(path)
            if not each.refusals and self._answer(each) is None and {each.target, each.successor} & targets.keys()
        ]
        held = iter(hold_rivals([*open_, *beside], self._edges_among([*open_, *beside])))
        judged = {id(each): next(held) for each in open_}
        return [judged.get(id(each), each) for each in told]

    def _edges_among(self, candidates: Iterable[Candidate]) -> set[tuple[str, str]]:
        """The declared pairs of successor and target that the memos of these candidates declare."""
        paths = {path for each in candidates for path in (each.successor, each.target)}
        memos = [memo for path in paths if (memo := self.corpus.memo(path)) is not None]
        return {(memo.path, target) for memo in memos for target in self._answers.declared(memo)}

    def _told_by(self, path: str) -> tuple[Candidate, ...]:
        if path not in self._told:
            memo, text = self.corpus.memo(path), self._texts.get(path)
            if memo is None or text is None or not memo.readable or self._is_silenced(path):
                self._told[path] = ()
            else:
                is_index = self._settings.is_index(path)
                self._told[path] = find_candidates(memo, text.body, text.first_line, self._names, is_index=is_index)
        return self._told[path]

    def _load(self, paths: set[str]) -> None:
        missing = sorted(path for path in paths if path not in self._texts)
        if missing:
            found = self._read(missing)
            self._texts.update({path: found.get(path) for path in missing})

    def _is_asked(self, memo: Memo) -> bool:
        """Whether sentences of this memo are claims: it is no index file, and nobody silenced the question there."""
        return not self._settings.is_index(memo.path) and not self._is_silenced(memo.path)

    def _is_silenced(self, path: str) -> bool:
        return UNDECLARED.code in self._settings.ignored_at(path)

    def _answer(self, candidate: Candidate) -> Answer | None:
        answer = self._answers.find(candidate.successor, candidate.target)
        return Answer.DECLINED if answer is None and self._is_ignored(candidate) else answer

    def _is_ignored(self, candidate: Candidate) -> bool:
        """Whether an inline comment silences RL301 where the sentence stands: that is an answer too."""
        evidence = candidate.evidence
        reading = self._readings.get(evidence.path)
        if reading is None or not reading.suppressions:
            return False
        finding = UNDECLARED.at(evidence.path, evidence.span, "")
        return bool(apply([finding], {evidence.path: reading.suppressions}, RULES, lambda _code: False).suppressed)

    def _build(self, candidate: Candidate) -> Suggestion:
        held_back = candidate.refusals[0] if candidate.refusals else None
        return Suggestion(
            candidate.target,
            candidate.successor,
            self.paste(candidate.successor, candidate.target),
            Kind.TOLD,
            candidate.score,
            candidate.evidence,
            held_back,
            self._answer(candidate),
            candidate.is_proof and held_back is None,
        )
