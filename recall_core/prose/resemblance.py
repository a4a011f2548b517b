"""Memos that merely look alike: a hint for their author, never a claim."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache

from recall_core.model.memo import Memo
from recall_core.prose.candidate import Resemblance

MAX_FOUND = 3
"""Resemblances that are listed for one memo."""

MIN_WORDS = 3
"""Words that a title needs so that its likeness to another one says anything."""

MIN_SHARED = 0.75
"""The share of the words of both titles that they have in common."""

MAX_POSTING = 200
"""A word in more titles than that says nothing about two of them."""

_LITTLE = frozenset(
    (
        "a",
        "an",
        "and",
        "as",
        "at",
        "by",
        "for",
        "from",
        "how",
        "in",
        "is",
        "of",
        "on",
        "or",
        "our",
        "the",
        "to",
        "use",
        "we",
        "with",
    )
)


class Lookalikes:
    """The stems and titles of a corpus, for many questions: building it reads every memo once."""

    def __init__(self, memos: Iterable[Memo]) -> None:
        self._memos = tuple(memos)
        self._series: dict[str, list[int]] = {}
        self._titled: dict[str, list[int]] = {}
        self._words: list[frozenset[str]] = []
        for index, memo in enumerate(self._memos):
            base, _ = split_stem(memo.key)
            self._series.setdefault(base, []).append(index)
            words = _title_words(memo)
            self._words.append(words)
            for word in words:
                self._titled.setdefault(word, []).append(index)

    def find(self, memo: Memo) -> tuple[Resemblance, ...]:
        """At most `MAX_FOUND` memos that look like this one, the most alike first."""
        found: dict[str, Resemblance] = {}
        base, version = split_stem(memo.key)
        series = self._series.get(base, []) if base else []
        if len(series) <= MAX_POSTING:
            for index in series:
                other = self._memos[index]
                if other.path == memo.path or split_stem(other.key)[1] == version:
                    continue
                found[other.path] = _order(memo, other, "same name with another version or date", 0.9)
        words = _title_words(memo)
        if len(words) >= MIN_WORDS:
            for index, shared in self._shared(words).items():
                other = self._memos[index]
                score = shared / len(words | self._words[index])
                if score >= MIN_SHARED and other.path != memo.path and other.path not in found:
                    found[other.path] = _order(memo, other, "very similar title", 0.8 * score)
        ordered = sorted(found.values(), key=lambda each: (-each.score, each.newer, each.older))
        return tuple(ordered[:MAX_FOUND])

    def _shared(self, words: frozenset[str]) -> Counter[int]:
        """For each memo that shares a telling word the number of shared words."""
        near = {i for word in words if len(at := self._titled.get(word, ())) <= MAX_POSTING for i in at}
        return Counter({index: len(words & self._words[index]) for index in near})


def find_resemblances(memo: Memo, memos: Iterable[Memo]) -> tuple[Resemblance, ...]:
    """What `Lookalikes(memos).find(memo)` says, for one question."""
    return Lookalikes(memos).find(memo)


def split_stem(key: str) -> tuple[str, tuple[int, ...]]:
    """A file's stem without version, date and leading number, and those numbers: `limits-v2` is `limits` and 2.

    The stem is "" where nothing but a kind and a number would be left, as in `pep-0440`.
    """
    folded = key.casefold()
    match = _parts().fullmatch(folded)
    if match is None or not match["base"]:
        return "", ()
    numbers = " ".join(match[name] or "" for name in ("date", "number", "version", "until"))
    return match["base"], tuple(int(each) for each in re.findall(r"[0-9]{1,9}", numbers))


def _order(memo: Memo, other: Memo, why: str, score: float) -> Resemblance:
    newer, older = (memo, other) if _age(memo) >= _age(other) else (other, memo)
    return Resemblance(newer.path, older.path, why, round(score, 3))


def _age(memo: Memo) -> tuple[str, tuple[int, ...], str]:
    start = memo.valid_from.day.isoformat() if memo.valid_from and memo.valid_from.day else ""
    return start, split_stem(memo.key)[1] or tuple(int(each) for each in re.findall(r"[0-9]{1,9}", memo.key)), memo.key


def _title_words(memo: Memo) -> frozenset[str]:
    words = _word().findall(memo.title.casefold())
    return frozenset(word for word in words if word not in _LITTLE and not word.isdigit())


@cache
def _parts() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?P<date>(?:19|20)[0-9]{2}(?:[-_.]?[0-9]{2}){1,2})[-_ ]+)?"
        r"(?:(?:[a-z]{2,8}[-_ ]?)?(?P<number>[0-9]{1,5})[-_ ]+)?"
        r"(?P<base>[^\W\d_].*?)"
        r"(?:[-_. ](?:v|version|rev|r|draft)[-_.]?(?P<version>[0-9]{1,5}(?:[._-][0-9]{1,5}){0,3}))?"
        r"(?:[-_ ]+(?P<until>(?:19|20)[0-9]{2}(?:[-_.]?[0-9]{2}){0,2}))?"
    )


@cache
def _word() -> re.Pattern[str]:
    return re.compile(r"[^\W_]+")
