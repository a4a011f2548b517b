"""A Markdown body taken apart: its runs of prose, what is none, and its link definitions."""

from enum import Enum
from typing import NamedTuple


class BlockKind(Enum):
    """What a run of prose is."""

    PARAGRAPH = "paragraph"
    ITEM = "item"
    """The first paragraph of a list item or a footnote."""
    HEADING = "heading"
    ROW = "row"
    """One line of a table."""


class Block(NamedTuple):
    """One run of prose: half-open offsets into the text, without the list marker or `#` before it.

    `quoted` tells whether it stands in a block quote. Code spans, links and sentences never leave their block.
    A named tuple because one is made for every paragraph of every memo read.
    """

    start: int
    end: int
    kind: BlockKind
    quoted: bool


class Definition(NamedTuple):
    """`[id]: target "title"`: the offsets of the target, angle brackets left out."""

    start: int
    end: int


class Layout(NamedTuple):
    """A body taken apart.

    `text` is the body with every line end as one LF at the place where it was (a CRLF becomes a blank and an LF), so
    offsets hold in both. `hidden` are the ranges that are no prose: fenced and indented code, comments, raw HTML,
    link definitions, and the `>` before a continued line. `blocks` and `hidden` are in order; a quote mark may lie in
    a block, nothing else overlaps. `definitions` go by their normalised id.
    """

    text: str
    blocks: tuple[Block, ...]
    hidden: tuple[tuple[int, int], ...]
    definitions: dict[str, Definition]


def level_line_ends(text: str) -> str:
    """The text with LF, CRLF and lone CR all ending in one LF, at unchanged length and offsets."""
    if "\r" not in text:
        return text
    return text.replace("\r\n", " \n").replace("\r", "\n")


def normalise_id(written: str) -> str:
    """A link id as CommonMark compares it: case folded, blanks collapsed."""
    return " ".join(written.casefold().split())
