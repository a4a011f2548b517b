"""Closures: sentences that say one memo takes another's place, with what they mention."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from recall_core.model.span import Span
from recall_core.prose.blocks import read_blocks
from recall_core.prose.layout import Block, level_line_ends
from recall_core.prose.link import Link, LinkKind
from recall_core.prose.markers import STRONG, Family, Form, Mark, find_marks, lower_in_place
from recall_core.prose.mask import MaskedBlock, block_at, mask_block
from recall_core.prose.mentions import Mention, find_mentions, may_mention
from recall_core.prose.places import Places
from recall_core.prose.sentences import is_question, split_block
from recall_core.prose.voice import is_callout, own_voice_ends

MAX_SENTENCE = 400
"""Characters of a sentence that a closure keeps."""

NEGATIONS = frozenset(("not", "never", "neither", "nor", "no", "none", "nothing", "cannot", "without", "longer"))
_VERBS = {"be", "been", "being", "designed", "expected", "get", "going", "has", "have", "intended", "meant", "supposed"}
FILLERS = frozenset(_VERBS | {"a", "an", "and", "ever", "itself", "of", "or", "the", "to", "with", "yet"})
"""Words that may stand between a negation and what it negates; so may adverbs in -ly, `only` aside."""

OBJECTS = frozenset({"nothing", "none", "neither", "no"})
"""Words that negate a marker from behind: `replaces nothing`."""

STEMS = ("supersed", "superced", "replac", "obsolet", "deprecat", "retir")
"""Beginnings of the markers: one negation covers a list of them, `does not replace or retire`."""


@dataclass(frozen=True, slots=True)
class Closure:
    """A closure word in the body whose sentence mentions something that could be a memo.

    `span` is the place of the word itself, lines counted in the file. `sentence` is as written, cut to `MAX_SENTENCE`
    characters; `mentions` is never empty.
    """

    span: Span
    family: Family
    sentence: str
    mentions: tuple[Mention, ...]


def find_closures(text: str, first_line: int = 1) -> tuple[Closure, ...]:
    """All closures of the strong families in a body, in order, and what is withdrawn or rejected in favour of another.

    `text` is the body from the start of a line, without BOM; `first_line` is that line's number in the file. Left out
    is what stands in code or comments, asks, is directly negated, or stands in a block quote, unless that is a callout
    or stands above the first section. Never raises; linear in the text.
    """
    flat = level_line_ends(text)
    marks = list(_beside_names(flat, _find_closing(lower_in_place(flat))))
    if not marks:
        return ()
    families = tuple({mark.family for mark in marks})
    voiced = own_voice_ends(flat)
    layout = read_blocks(_as_far_as_needed(flat, marks[-1].end))
    places = Places(flat, first_line)
    closures: list[Closure] = []
    last: Block | None = None
    for mark in marks:
        block = block_at(layout.blocks, mark.start)
        if block is None or block is last:
            continue
        if block.quoted and block.start >= voiced and not is_callout(flat, block):
            continue
        last = block
        closures.extend(_close_block(mask_block(layout, block), text, families, places))
    return tuple(closures)


def _find_closing(lowered: str) -> list[Mark]:
    """The marks of the strong families, and `in favour of` behind what happens to a memo: `withdrawn in favour of`."""
    marks = find_marks(lowered, STRONG)
    if "favo" in lowered:
        behind = _withdrawn()
        marks += [
            mark
            for mark in find_marks(lowered, (Family.IN_FAVOUR_OF,))
            if behind.search(lowered, max(0, mark.start - 90), mark.start)
        ]
        marks.sort(key=lambda mark: mark.start)
    return marks


@cache
def _withdrawn() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:withdrawn|rejected|retracted|abandoned|closed|dropped|discontinued|declined|archived|shelved)\b"
    )


def _beside_names(flat: str, marks: Iterable[Mark]) -> Iterator[Mark]:
    """The marks whose paragraph holds anything that could be a mention: reading the others would be for nothing.

    A paragraph is taken as far as the next line without a character, so it is never too short.
    """
    end, holds = 0, False
    for mark in marks:
        if mark.end > end:
            start = max(flat.rfind("\n\n", 0, mark.start), 0)
            end = _end_of_paragraph(flat, mark.end)
            holds = may_mention(flat, start, end)
        if holds:
            yield mark


def _end_of_paragraph(flat: str, offset: int) -> int:
    end = flat.find("\n\n", offset)
    return len(flat) if end < 0 else end + 1


def _as_far_as_needed(flat: str, offset: int) -> str:
    """The body up to the end of the paragraph at `offset`, or all of it where what follows may define links."""
    end = _end_of_paragraph(flat, offset)
    return flat if flat.find("]:", end) >= 0 else flat[:end]


def is_denied(lowered: str, start: int, mark: Mark) -> bool:
    """Whether a marker is directly negated, as in `does not replace`; `start` is where its sentence starts."""
    # Sixty characters hold every filler that is looked past; looking no further keeps the cost linear.
    before = lowered[max(start, mark.start - 60) : mark.start]
    for word in reversed(before.split()):
        bare = word.strip("*_~\"'\u2018\u2019\u201c\u201d`")
        if bare in NEGATIONS or bare.endswith(("n't", "n\u2019t")):
            return True
        if bare not in FILLERS and not bare.startswith(STEMS) and (not bare.endswith("ly") or bare == "only"):
            break
    after = [word.strip("*_~.,;") for word in lowered[mark.end : mark.end + 20].split()]
    return next((word in OBJECTS for word in after if word != "by"), False)


def _close_block(masked: MaskedBlock, text: str, families: tuple[Family, ...], places: Places) -> Iterator[Closure]:
    """The closures of one block, of these families."""
    base = masked.block.start
    lowered = lower_in_place(masked.text)
    links = sorted(masked.links, key=lambda link: link.start)
    starts = [link.start - base for link in links]
    marks = [
        mark
        for mark in _find_closing(lowered)
        if mark.family in families and not _is_in_title(lowered, base, links, starts, mark)
    ]
    if not marks:
        return
    written = text[base : masked.block.end]
    at = [mark.start for mark in marks]
    for start, end in split_block(masked.text, written, masked.block.kind):
        inside = marks[bisect_left(at, start) : bisect_left(at, end)]
        if not inside or is_question(masked.text[start:end]):
            continue
        held = links[bisect_left(starts, start) : bisect_left(starts, end)]
        mentions = find_mentions(masked.text[start:end], written[start:end], base + start, held)
        if not mentions:
            continue
        for mark in inside:
            if not is_denied(lowered, start, mark):
                span = places.span(base + mark.start, base + mark.end)
                yield Closure(span, mark.family, _cut(written, start, end, mark), mentions)


def _is_in_title(lowered: str, base: int, links: list[Link], starts: list[int], mark: Mark) -> bool:
    """Whether a marker is part of the name that a link shows, as in `[Replace the cache](0012.md)`.

    A label that begins with the marker says something itself: `[superseded by 12](0012.md)`. `links` are in order, and
    `starts` are their offsets in the block.
    """
    index = bisect_left(starts, mark.end) - 1
    if index < 0 or links[index].label_end - base < mark.end:
        return False
    link = links[index]
    if link.kind is LinkKind.WIKILINK or link.embedded:
        return True
    if lowered[link.label_start - base : mark.start].strip("*_~ "):
        return True
    is_imperative = mark.form is Form.ACTIVE and lowered[mark.end - 1] != "s"
    return is_imperative or mark.form is Form.NOMINAL


def _cut(written: str, start: int, end: int, mark: Mark) -> str:
    """The sentence as written; of a very long one the part from its start, or from shortly before the marker."""
    if mark.end - start > MAX_SENTENCE:
        start = mark.start - MAX_SENTENCE // 2
    return written[start : min(end, start + MAX_SENTENCE)]
