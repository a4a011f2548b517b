"""The part of a corpus that decides what is said of a few of its memos."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from recall_core.model.memo import Memo, Reference
from recall_core.prose.names import Names
from recall_core.prose.tables import fold
from recall_lint.reading import Reading
from recall_lint.register.known import Known, KnownCorpus
from recall_lint.register.register import list_dangling
from recall_lint.register.terms import Column, list_groups, list_named


def select_part(
    known: Known, chosen: Collection[str], gone: Iterable[str], renamed: Callable[[], Collection[str]], *, most: int
) -> list[Reading] | None:
    """The readings, in order of paths, that decide the findings in the memos at `chosen` and those they are part of.

    These memos, those that a rule compares by name with them, and whoever is joined with one of these by references,
    over any number of steps in either direction. A memo that names one of the keys in `gone` is one of them too.
    `renamed` gives the new paths of memos that have another one in the commit before.
    None where the whole corpus is needed: they are more than `most`, or all names have to be looked through for what
    somebody meant who names a memo that is not there, and who is one of them or may have meant one of `chosen`.
    """
    pending = [path for path in chosen if path in known]
    for path in tuple(pending):
        for group in list_groups(known.memo(path)):
            pending += known.find(Column.GROUP, group)
    for key in gone:
        pending += known.find(Column.NAMED, key)
    found: dict[str, Reading] = {}
    while pending:
        path = pending.pop()
        if path in found:
            continue
        if len(found) == most:
            return None
        found[path] = reading = known[path]
        pending += known.find(Column.NAMED, reading.memo.key)
        for key in list_named(reading):
            pending += known.with_key(key)
    readings = [found[path] for path in sorted(found)]
    corpus = KnownCorpus((reading.memo for reading in readings), known)
    meant = [known.memo(path) for path in chosen if path in known]
    for path in known.maybe_dangling:
        for reference in list_dangling(corpus, known.memo(path)):
            if path in found or any(_may_be_meant(reference, memo) for memo in meant) or set(chosen) & set(renamed()):
                return None
    return readings


_DIGITS = re.compile(r"[0-9]+")


def _may_be_meant(reference: Reference, memo: Memo) -> bool:
    """Whether a reference that names no memo may be taken for this one: by letter case, by a number or by its title."""
    if memo.key.casefold() in (reference.key.casefold(), reference.name.casefold()):
        return True
    bare = reference.value.strip("[] \t")
    bare = bare[:-3] if bare[-3:].lower() == ".md" else bare
    if bare and fold(bare) in (fold(memo.title), fold(memo.label)):
        return True
    numbers = {digits.lstrip("0") for digits in _DIGITS.findall(reference.value)}
    return any(digits.lstrip("0") in numbers for digits in _DIGITS.findall(f"{memo.key} {memo.label} {memo.title}"))


class KnownSpeakers:
    """The memos with traces, to be asked who speaks of whom: what `Speakers` answers, found through the register."""

    def __init__(self, known: Known, names: Names, is_asked: Callable[[str], bool]) -> None:
        self._known, self._names, self._is_asked = known, names, is_asked

    def of_all(self, memos: Sequence[Memo]) -> dict[str, tuple[str, ...]]:
        """The paths of those that may speak of each memo, by its path; the memo itself is none of them."""
        return {memo.path: self._ask(memo) for memo in memos}

    def _ask(self, memo: Memo) -> tuple[str, ...]:
        return tuple(
            path
            for path in sorted(set(self._may_name(memo)))
            if path != memo.path and self._is_asked(path) and self._names.may_mean(self._known[path].trace, memo)
        )

    def _may_name(self, memo: Memo) -> Iterator[str]:
        titles, numbers = self._names.meanings(memo)
        yield from self._known.find(Column.TOLD_KEY, memo.key)
        for title in titles:
            yield from self._known.find(Column.TOLD_TITLE, title)
        for number in numbers:
            for _, path in self._known.find_beginning(Column.TOLD_NUMBER, f"{number} "):
                yield path
