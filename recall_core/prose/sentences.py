"""Prose cut into sentences, as offsets into the text they stand in."""

import re
from functools import cache
from typing import NamedTuple

from recall_core.prose.layout import Block, BlockKind
from recall_core.prose.mask import Masked, block_at

_LATIN = {"al", "approx", "ca", "cf", "e.g", "esp", "est", "etc", "i.e", "resp", "vs", "viz"}
_TITLES = {
    "corp",
    "dept",
    "dr",
    "ed",
    "eds",
    "inc",
    "incl",
    "jr",
    "ltd",
    "mr",
    "mrs",
    "ms",
    "pp",
    "sr",
    "st",
    "ver",
    "vol",
}

ABBREVIATIONS = frozenset(_LATIN | _TITLES)
"""Words after whose period a sentence goes on, lower case, without that period."""

NUMBERED = frozenset({"app", "art", "ch", "eq", "fig", "figs", "no", "nos", "nr", "para", "ref", "refs", "sec", "sect"})
"""Words after whose period a sentence goes on if a number follows, so that the answer `No.` still ends one."""

CONTINUING = frozenset(",;:)]}>=%&+|/-\u2013\u2014")
"""Signs that no sentence begins with; the last two are the longer dashes."""

_CLOSERS = "\"'\u2019\u201d\u00bb)]*_~"
"""Quotes, brackets and emphasis that close around the end of a sentence."""


class Sentence(NamedTuple):
    """A sentence: half-open offsets into the body, without the blanks around it, and the block it stands in."""

    start: int
    end: int
    block: Block


def split_sentences(masked: Masked) -> list[Sentence]:
    """All sentences of a body, in order. A heading, a list item and a table cell end theirs."""
    return [sentence for block in masked.blocks for sentence in _in_block(masked, block)]


def sentence_around(masked: Masked, offset: int) -> Sentence | None:
    """The sentence that holds an offset, at the cost of its block; None between sentences."""
    block = block_at(masked.blocks, offset)
    if block is None:
        return None
    return next((found for found in _in_block(masked, block) if found.start <= offset < found.end), None)


def _in_block(masked: Masked, block: Block) -> list[Sentence]:
    prose, written = masked.text[block.start : block.end], masked.source[block.start : block.end]
    return [
        Sentence(block.start + start, block.start + end, block)
        for start, end in split_block(prose, written, block.kind)
    ]


def split_block(prose: str, written: str, kind: BlockKind) -> list[tuple[int, int]]:
    """The sentences of one block, from its masked text and the text as written, as half-open offsets into either.

    Both are needed: ends are looked for in the prose, and what stands behind one (a code span, say) in the source.
    """
    ends = [match.end() for match in _stops().finditer(prose) if _is_end(prose, written, match)]
    if kind is BlockKind.ROW:
        ends.extend(match.start() for match in _cell_end().finditer(prose) if match[0] == "|")
        ends.sort()
    elif "\n" in prose or "\r" in prose:
        ends.extend(match.start() for match in _label().finditer(prose))
        ends.sort()
    spans: list[tuple[int, int]] = []
    start = 0
    ends.append(len(prose))
    for end in ends:
        if start < end:
            inner = _inner().search(written, start, end)
            if inner:
                spans.append((inner.start(), start + len(written[start:end].rstrip(" \t\r\n"))))
            start = end
    return spans


def is_question(sentence: str) -> bool:
    """Whether a sentence ends with a question mark, closing quotes and brackets aside."""
    return sentence.rstrip(" \t\r\n" + _CLOSERS).endswith("?")


@cache
def _stops() -> re.Pattern[str]:
    """A run of stops and of what closes around them, taken whole: a second look at a part of it would be quadratic."""
    return re.compile(f"[.!?{re.escape(_CLOSERS)}]++")


@cache
def _cell_end() -> re.Pattern[str]:
    """The `|` between cells, past those in wikilinks and behind a backslash."""
    return re.compile(r"\[\[[^\[\]\r\n]*+\]\]|\\.|\|")


@cache
def _label() -> re.Pattern[str]:
    """A line that begins a field of its own, `**Status:** …`, in a block of them."""
    return re.compile(r"[\r\n][ \t]*+[*_]{0,3}[A-Z][A-Za-z0-9_ -]{0,30}:")


@cache
def _inner() -> re.Pattern[str]:
    return re.compile(r"[^ \t\r\n|]")


@cache
def _stop() -> re.Pattern[str]:
    return re.compile(r"[.!?]")


@cache
def _word_before() -> re.Pattern[str]:
    return re.compile(r"[\w.]++\Z")


def _is_end(prose: str, written: str, run: re.Match[str]) -> bool:
    """Whether a sentence ends with this run of stops: a blank and a beginning follow, and it ends no abbreviation."""
    stop = _stop().search(run[0])
    if stop is None or run.end() == len(written) or written[run.end()] not in " \t\r\n":
        return False
    following = _inner().search(written, run.end())
    if following is None:
        return True
    first = following[0]
    if first.islower() or first in CONTINUING:
        return False
    if stop[0] != ".":
        return True
    at = run.start() + stop.start()
    # Sixteen signs hold the longest abbreviation; looking no further keeps the cost linear.
    word = _word_before().search(prose[max(0, at - 16) : at])
    if word is None:
        return True
    before = word[0].lower()
    if before in ABBREVIATIONS or (len(before) == 1 and before.isalpha() and before != "i"):
        return False
    return not (before in NUMBERED and (first.isdigit() or first == "#"))
