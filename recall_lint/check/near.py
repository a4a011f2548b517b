"""The memos that could resemble a given one at all: a cheap look before the careful one."""

import re
from collections.abc import Sequence

from recall_core.model.memo import Memo
from recall_core.prose.resemblance import MAX_POSTING, split_stem
from recall_lint.register.known import Known
from recall_lint.register.terms import Column

_WORD = re.compile(r"[^\W_]{3,}")


def find_near(memo: Memo, memos: Sequence[Memo]) -> list[Memo]:
    """The memos with this one's stem in their name, or a telling word of its title in theirs; it is one of them.

    A word that stands in very many titles tells nothing.
    """
    base, _ = split_stem(memo.key)
    found = {memo.path: memo}
    if base:
        found |= {other.path: other for other in memos if base in other.key.casefold()}
    words = _telling_words(memo)
    if words:
        titles = [other.title.casefold() for other in memos]
        for word in words:
            at = [index for index, title in enumerate(titles) if word in title]
            if len(at) <= MAX_POSTING:
                found |= {memos[index].path: memos[index] for index in at}
    return list(found.values())


def find_near_known(memo: Memo, known: Known) -> list[Memo]:
    """The same of a corpus that is known through its register, but that very many of one stem tell nothing either."""
    found = {memo.path: memo}
    base, _ = split_stem(memo.key)
    alike = known.find(Column.STEM, base) if base else ()
    paths = set(alike) if len(alike) <= MAX_POSTING else set()
    for word in _telling_words(memo):
        paths |= known.find_holding(Column.WORDS, word, MAX_POSTING) or set()
    found |= {path: known.memo(path) for path in sorted(paths)}
    return list(found.values())


def _telling_words(memo: Memo) -> set[str]:
    return {word for word in _WORD.findall(memo.title.casefold()) if not word.isdigit()}
