"""From readings to suggestions: what the sentences of some memos, and those of others about them, suggest to declare.

One pass: a memo's text is read once however many memos it is about, and only where a kept closure may speak of one of
those asked for.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from recall_core.model.memo import Memo
from recall_core.prose.candidate import Candidate
from recall_core.prose.resemblance import Lookalikes
from recall_lint.check.near import find_near
from recall_lint.check.paste import build_paste
from recall_lint.check.suggestion import Kind, Paste, Suggestion, in_order, without_repetition
from recall_lint.questions.text import Text
from recall_lint.questions.told import Told

_FEW = 4
"""Memos whose likenesses are cheaper looked for one by one than by building an index over all names."""


class Gathered(NamedTuple):
    """What there is to say of one memo: suggestions in the order to ask in, and what it declares already."""

    memo: Memo
    declared: tuple[str, ...]
    suggestions: tuple[Suggestion, ...]


class Gatherer:
    """The suggestions of a corpus, memo by memo; texts, names and candidates are each made once.

    `find_near` gives all memos that could resemble one, where somebody knows them; else the whole corpus is looked at.
    """

    def __init__(self, told: Told, find_near: Callable[[Memo], Iterable[Memo]] | None = None) -> None:
        self.corpus, self._told, self._find_near = told.corpus, told, find_near

    def gather(self, paths: Iterable[str], *, resembling: frozenset[str] = frozenset()) -> list[Gathered]:
        """What there is to say of the memos at `paths`, in their order; likenesses for those in `resembling` only."""
        memos = [memo for path in paths if (memo := self.corpus.memo(path)) is not None]
        about = self._told.speakers.of_all(memos)
        read = sorted({path for memo in memos for path in (memo.path, *about[memo.path])})
        self._told.load(read)
        told = self._told.with_rivals([each for path in read for each in self._told.told_by(path)])
        by_memo: dict[str, list[Suggestion]] = {memo.path: [] for memo in memos}
        concerned = [{each.target, each.successor, each.evidence.path} & by_memo.keys() for each in told]
        declaring = (each.successor for each, here in zip(told, concerned, strict=True) if here)
        self._told.load(path for path in declaring if self.corpus.memo(path) is not None)
        for each, here in zip(told, concerned, strict=True):
            if here:
                suggestion = self._build(each)
                for path in here:
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
        known = memo is not None and replaced is not None and memo is not replaced
        text = self.text(declare_in) if known else None
        if memo is None or replaced is None or text is None:
            return Paste(1, "", refusal="it is not clear which memo is meant")
        return build_paste(self.corpus, text.data, memo, replaced)

    def text(self, path: str) -> Text | None:
        """A memo's text, or None where it cannot be read."""
        return self._told.text(path)

    def find_named(self, written: str) -> tuple[str, ...]:
        """The paths of the memos that a title, or a number such as `ADR 12`, names."""
        found = self._told.names.by_title(written)
        if found:
            return found
        numbered = self._told.names.find_numbered(written, 0, len(written))
        return numbered[0].paths[0] if len(numbered) == 1 and len(numbered[0].paths) == 1 else ()

    def _gathered(self, memo: Memo, told: list[Suggestion], *, resembling: bool, few: bool) -> Gathered:
        alike = self._likenesses(memo, {each.pair for each in told}, few=few) if resembling else ()
        suggestions = in_order(without_repetition([*told, *alike]))
        return Gathered(memo, self._told.answers.declared(memo), suggestions)

    def _likenesses(self, memo: Memo, told: set[frozenset[str]], *, few: bool) -> Iterator[Suggestion]:
        if not self._told.is_asked(memo.path):
            return
        for each in self._beside(memo, few=few).find(memo):
            pair = frozenset((each.newer, each.older))
            if pair in told or self._told.answers.find(each.newer, each.older) is not None:
                continue
            paste = self.paste(each.newer, each.older)
            yield Suggestion(each.older, each.newer, paste, Kind.RESEMBLES, each.score, why=each.why)

    def _beside(self, memo: Memo, *, few: bool) -> Lookalikes:
        if self._find_near is not None:
            return Lookalikes(self._find_near(memo))
        return Lookalikes(find_near(memo, self.corpus.memos)) if few else self._lookalikes

    @cached_property
    def _lookalikes(self) -> Lookalikes:
        return Lookalikes(self.corpus.memos)

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
            self._told.answer(candidate),
            candidate.is_proof and held_back is None,
        )
