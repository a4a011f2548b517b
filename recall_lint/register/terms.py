"""By what a reading is found: the terms under which it stands in each column of a register."""

from collections.abc import Iterator
from enum import Enum

from recall_core.model.memo import Memo, Reference
from recall_core.prose.names import number_of_key
from recall_core.prose.resemblance import split_stem
from recall_core.prose.tables import find_numbers, fold_titles
from recall_lint.reading import Reading
from recall_lint.rules.graph.look_alike_names import look_alike_group
from recall_lint.rules.graph.version_sibling_unlinked import find_version


class Column(Enum):
    """What the terms of one column say of a memo."""

    KEY = "key"
    STEM = "stem"
    """The key without version, date and number."""
    TITLE = "title"
    """Title and label, folded."""
    WORDS = "words"
    """The title in lower case, to look for a word in it."""
    NUMBER = "number"
    """`12 adr`."""
    NAMED = "named"
    """The keys that frontmatter, or a declined question, names."""
    GROUP = "group"
    """The memos beside it whose names are all but the same, or of another version."""
    TOLD_KEY = "told-key"
    TOLD_TITLE = "told-title"
    TOLD_NUMBER = "told-number"
    """`12 adr`; `12 ` where a file name says it."""


def list_terms(reading: Reading) -> Iterator[tuple[Column, str]]:
    """Every column and term under which a reading stands; some twice."""
    memo, trace = reading.memo, reading.trace
    yield Column.KEY, memo.key
    if stem := split_stem(memo.key)[0]:
        yield Column.STEM, stem
    for title in fold_titles(memo):
        yield Column.TITLE, title
    if memo.title:
        yield Column.WORDS, " ".join(memo.title.casefold().split())
    for number in find_numbers(memo):
        yield Column.NUMBER, f"{number.value} {number.kind}"
    for key in list_named(reading):
        yield Column.NAMED, key
    for group in list_groups(memo):
        yield Column.GROUP, group
    for key in trace.keys:
        yield Column.TOLD_KEY, key
        if (of_key := number_of_key(key)) is not None:
            yield Column.TOLD_NUMBER, f"{of_key} "
    for title in trace.titles:
        yield Column.TOLD_TITLE, title
    for written in trace.numbers:
        word, _, digits = written.partition(" ")
        yield Column.TOLD_NUMBER, f"{int(digits)} {word}"


def list_named(reading: Reading) -> Iterator[str]:
    """The keys of the memos that a reading's frontmatter and declined questions may name."""
    for reference in _references(reading):
        if reference.key:
            yield reference.key
        if reference.name and reference.name != reference.key:
            yield reference.name


def _references(reading: Reading) -> Iterator[Reference]:
    yield from reading.memo.supersedes
    for key in reading.memo.keys:
        yield from key.references
    yield from (decline.target for decline in reading.declines if decline.target is not None)


def list_groups(memo: Memo) -> Iterator[str]:
    """Names for the groups that a rule looks at together with this memo."""
    yield f"like {look_alike_group(memo)}"
    if (version := find_version(memo)) is not None:
        yield f"version {version.folder}{version.base}"
