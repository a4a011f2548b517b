"""What authors have said already of two memos: that one replaces the other, or that it does not."""

from collections.abc import Mapping

from recall_core.graph.corpus import Corpus, Naming
from recall_core.model.memo import Memo
from recall_lint.check.suggestion import Answer
from recall_lint.rules.prose.declined import find_declined
from recall_lint.suppress import Decline

_SAID = (Naming.ONE, Naming.PART, Naming.SEVERAL)
"""A section or a name that several share is an answer too: what is wrong with it, lint says."""


class Answers:
    """The answers of a corpus, looked up pair by pair. `declines` holds the declined questions by path."""

    def __init__(self, corpus: Corpus, declines: Mapping[str, tuple[Decline, ...]]) -> None:
        self._corpus, self._declines = corpus, declines

    def find(self, one: str, other: str) -> Answer | None:
        """What was said of the memos at two paths; either of them may have said it."""
        first, second = self._corpus.memo(one), self._corpus.memo(other)
        if first is None or second is None:
            return None
        if self._declares(first, second) or self._declares(second, first):
            return Answer.DECLARED
        if self._declines_to(first, second) or self._declines_to(second, first):
            return Answer.DECLINED
        return None

    def declared(self, memo: Memo) -> tuple[str, ...]:
        """The paths of the memos that `memo` declares to replace, in the order of writing."""
        found = [self._corpus.resolve(memo, reference) for reference in memo.supersedes]
        return tuple(dict.fromkeys(each.memos[0].path for each in found if each.naming is Naming.ONE))

    def _declares(self, memo: Memo, target: Memo) -> bool:
        found = (self._corpus.resolve(memo, reference) for reference in memo.supersedes)
        return any(target in each.memos for each in found if each.naming in _SAID)

    def _declines_to(self, memo: Memo, target: Memo) -> bool:
        said = (decline.target for decline in self._declines.get(memo.path, ()))
        return any(target in find_declined(self._corpus, memo, each) for each in said if each is not None)
