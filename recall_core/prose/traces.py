"""Traces: which memos the sentences of a body may speak of, found without knowing the corpus.

A trace decides whose bodies are read for questions, so it errs on one side only: what `find_candidates` can put without
a refusal, about whatever memo, has left a trace. So has most of what is held back; see `TRACED` for what has not.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cache

from recall_core.frontmatter.reference import normalise_key
from recall_core.prose.blocks import read_blocks
from recall_core.prose.layout import Block, BlockKind, Layout, level_line_ends
from recall_core.prose.link import Link, LinkKind
from recall_core.prose.markers import TRACED, Form, Mark, find_marks, lower_in_place
from recall_core.prose.mask import mask_block
from recall_core.prose.mentions import find_tokens, may_mention
from recall_core.prose.names import list_numbers, name_of_path, trim_label
from recall_core.prose.reduce import MAX_TITLE, MIN_TITLE, find_quotes
from recall_core.prose.tables import fold
from recall_core.prose.trace import Trace

NOTHING = Trace()


def find_trace(text: str) -> Trace:
    """What a body, which begins at the start of a line and without BOM, leaves behind. Never raises; linear in it."""
    flat = level_line_ends(text)
    lowered = lower_in_place(flat)
    marks = list(_worth_reading(flat, lowered, find_marks(lowered, TRACED)))
    if not marks:
        return NOTHING
    layout = read_blocks(_as_far_as_needed(flat, marks[-1].end))
    starts = [mark.start for mark in marks]
    collector = _Collector(layout)
    heading: Block | None = None
    before: Block | None = None
    for block in layout.blocks:
        if block.kind is BlockKind.HEADING and not block.quoted:
            heading = block
        if bisect_left(starts, block.start) < bisect_left(starts, block.end):
            collector.read(block, heading, before)
        before = block
    return collector.trace()


class _Collector:
    """Collects what the blocks of one body name."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._read: set[int] = set()
        self._keys: dict[str, None] = {}
        self._titles: dict[str, None] = {}
        self._numbers: dict[str, None] = {}

    def read(self, block: Block, heading: Block | None, before: Block | None) -> None:
        """Take in a block with a word of replacement, and those above it that may be the subject of its sentences."""
        masked = mask_block(self._layout, block)
        marks = find_marks(lower_in_place(masked.text), TRACED)
        if not marks:
            return
        self._take(block, masked.text, masked.links)
        if not any(mark.form is Form.PASSIVE for mark in marks):
            return  # only `superseded by this memo` may be without a subject of its own
        is_item = block.kind is BlockKind.ITEM and before is not None and before.kind is BlockKind.ITEM
        for above in (heading, before if is_item else None):
            if above is not None and above.start not in self._read:
                masked = mask_block(self._layout, above)
                self._take(above, masked.text, masked.links)

    def trace(self) -> Trace:
        """What was named in all blocks."""
        for names in (self._keys, self._titles, self._numbers):
            names.pop("", None)
        return Trace(tuple(self._keys), tuple(self._titles), tuple(self._numbers))

    def _take(self, block: Block, prose: str, links: Iterable[Link]) -> None:
        self._read.add(block.start)
        written = self._layout.text[block.start : block.end]
        for link in links:
            if link.embedded or link.kind is LinkKind.URL:
                continue
            if link.kind is LinkKind.WIKILINK or link.is_local:
                self._keys[normalise_key(link.path)] = self._keys[name_of_path(link.path)] = None
            label = trim_label(written[link.label_start - block.start : link.label_end - block.start])
            self._titles[fold(label)] = None
            if " " not in label:
                self._keys[normalise_key(label)] = None
            self._numbers.update(dict.fromkeys(_numbered_in(label)))
        for start, end in find_quotes(prose):
            if MIN_TITLE < end - start < MAX_TITLE:
                self._titles[fold(prose[start:end])] = None
        for _, token in find_tokens(prose):
            self._keys[normalise_key(token)] = None
        self._numbers.update(dict.fromkeys(_numbered_in(prose)))


def _numbered_in(text: str) -> Iterator[str]:
    """Every number behind a word, with that word: whether it is a kind of memo, the corpus says."""
    for match in _numbered().finditer(text):
        word = match["word"].lower()
        numbers, _ = list_numbers(text, match["number"], match.end(), plural=True)
        for number in numbers:
            yield f"{word} {number}"


def _worth_reading(flat: str, lowered: str, marks: Iterable[Mark]) -> Iterator[Mark]:
    """The marks whose paragraph holds anything that could name a memo: reading the others would be for nothing.

    A paragraph is taken as far as the next line without a character, so it is never too short. In `superseded by this
    memo` the name may stand in the heading above.
    """
    end, holds = 0, False
    for mark in marks:
        if mark.end > end:
            start = max(flat.rfind("\n\n", 0, mark.start), 0)
            end = _end_of_paragraph(flat, mark.end)
            holds = may_mention(flat, start, end) or any(lowered.find(own, start, end) >= 0 for own in _OWN)
        if holds:
            yield mark


_OWN = ("this", "present", "current")
"""Every name that a memo has for itself, its number aside, holds one of these words."""


def _end_of_paragraph(flat: str, offset: int) -> int:
    end = flat.find("\n\n", offset)
    return len(flat) if end < 0 else end + 1


def _as_far_as_needed(flat: str, offset: int) -> str:
    """The body up to the end of the paragraph at `offset`, or all of it where what follows may define links."""
    end = _end_of_paragraph(flat, offset)
    return flat if flat.find("]:", end) >= 0 else flat[:end]


@cache
def _numbered() -> re.Pattern[str]:
    """Any word and a number as `Names.find_numbered` reads them once the kinds of the corpus are known."""
    return re.compile(
        r"(?<![\w/.@#-])(?P<word>[^\W\d_]{2,13})(?:[ \t\r\n\u00a0]{1,4}|-|\u2011|\u2013)?(?:\#|[nN][oO]\. ?)?"
        r"(?P<number>[0-9]{1,5})(?![\w]|\.[0-9]|-\w|/[^\W\d])"
    )
