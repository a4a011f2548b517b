"""What authors have said already of two memos: that one replaces the other, or that it does not."""

from collections.abc import Callable, Sequence
from enum import Enum

from recall_core.graph.corpus import Corpus, Naming
from recall_core.model.memo import Memo
from recall_lint.questions.declined import find_declined
from recall_lint.suppress import Decline

_SAID = (Naming.ONE, Naming.PART, Naming.SEVERAL)
"""A section or a name that several share is an answer too: what is wrong with it, lint says."""


class Answer(Enum):
    """What the author has said already."""

    DECLARED = "declared"
    DECLINED = "declined"


class Answers:
    """The answers of a corpus, looked up pair by pair. `declines` gives the declined questions at a path."""

    def __init__(self, corpus: Corpus, declines: Callable[[str], Sequence[Decline]]) -> None:
        self._corpus, self._declines = corpus, declines

    def find(self, one: str, other: str) -> Answer | None:
        """What was said of the memos at two paths; either of them may have said it."""
        first, second = self._corpus.memo(one), self._corpus.memo(other)
        if first is None or second is None:
            return None
        if self._declares(first, second) or self._declares(second, first):
            return Answer.DECLARED
        if second in self.declined(first) or first in self.declined(second):
            return Answer.DECLINED
        return None

    def declared(self, memo: Memo) -> tuple[str, ...]:
        """The paths of the memos that `memo` declares to replace, in the order of writing."""
        found = [self._corpus.resolve(memo, reference) for reference in memo.supersedes]
        return tuple(dict.fromkeys(each.memos[0].path for each in found if each.naming is Naming.ONE))

    def _declares(self, memo: Memo, target: Memo) -> bool:
        found = (self._corpus.resolve(memo, reference) for reference in memo.supersedes)
        return any(target in each.memos for each in found if each.naming in _SAID)

    def declined(self, memo: Memo) -> tuple[Memo, ...]:
        """The memos that `memo` says it does not replace."""
        said = (decline.target for decline in self._declines(memo.path))
        return tuple(other for each in said if each is not None for other in find_declined(self._corpus, memo, each))
