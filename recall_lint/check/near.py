"""The memos that could resemble a given one at all: a cheap look before the careful one."""

import re
from collections.abc import Sequence

from recall_core.model.memo import Memo
from recall_core.prose.resemblance import MAX_POSTING, split_stem

_WORD = re.compile(r"[^\W_]{3,}")


def find_near(memo: Memo, memos: Sequence[Memo]) -> list[Memo]:
    """The memos with this one's stem in their name, or a telling word of its title in theirs; it is one of them.

    A word that stands in very many titles tells nothing.
    """
    base, _ = split_stem(memo.key)
    found = {memo.path: memo}
    if base:
        found |= {other.path: other for other in memos if base in other.key.casefold()}
    words = {word for word in _WORD.findall(memo.title.casefold()) if not word.isdigit()}
    if words:
        titles = [other.title.casefold() for other in memos]
        for word in words:
            at = [index for index, title in enumerate(titles) if word in title]
            if len(at) <= MAX_POSTING:
                found |= {memos[index].path: memos[index] for index in at}
    return list(found.values())
