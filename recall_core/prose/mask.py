"""A body with everything blanked that is no prose, at unchanged length, and the links that were in it."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from recall_core.prose.blocks import read_blocks
from recall_core.prose.inline import read_inline
from recall_core.prose.layout import Block, Layout
from recall_core.prose.link import Link


class Masked(NamedTuple):
    """A body and its prose.

    `source` is the body as given; `text` has its length and its line ends, with code, comments, link targets and
    definitions as blanks. `blocks` are the runs of prose, in order; `links` are all links in them, in order of their
    ends. All offsets hold in both texts.
    """

    source: str
    text: str
    blocks: tuple[Block, ...]
    links: tuple[Link, ...]

    def is_quoted(self, offset: int) -> bool:
        """Whether an offset lies in a block quote."""
        block = block_at(self.blocks, offset)
        return block is not None and block.quoted


class MaskedBlock(NamedTuple):
    """One block and its prose. `text` has its length, and blanks for what is no prose; `links` as in `Masked`."""

    block: Block
    text: str
    links: tuple[Link, ...]


def mask(text: str) -> Masked:
    """The prose of a body. Never raises, whatever the text; the cost is linear in it."""
    layout = read_blocks(text)
    hidden = list(layout.hidden)
    links: list[Link] = []
    for block in layout.blocks:
        inline = read_inline(layout, block)
        hidden.extend(inline.hidden)
        links.extend(inline.links)
    hidden.sort()
    return Masked(text, blank(text, 0, len(text), hidden), layout.blocks, tuple(links))


def hide_blocks(text: str) -> str:
    """The body with blocks of code, comments, raw HTML and definitions as blanks; what stands within prose stays."""
    return blank(text, 0, len(text), read_blocks(text).hidden)


def mask_block(layout: Layout, block: Block) -> MaskedBlock:
    """The prose of one block alone: what a reader of a few sentences needs, at a fraction of the cost of `mask`."""
    inline = read_inline(layout, block)
    hidden = inline.hidden
    first = bisect_left(layout.hidden, (block.start, block.start))
    last = bisect_left(layout.hidden, (block.end, block.end))
    if first < last:
        hidden = tuple(sorted((*hidden, *layout.hidden[first:last])))
    return MaskedBlock(block, blank(layout.text, block.start, block.end, hidden), inline.links)


def block_at(blocks: tuple[Block, ...], offset: int) -> Block | None:
    """The block that holds an offset; None between blocks."""
    index = bisect_right(blocks, offset, key=lambda block: block.start) - 1
    return blocks[index] if index >= 0 and offset < blocks[index].end else None


def blank(text: str, start: int, end: int, hidden: Iterable[tuple[int, int]]) -> str:
    """`text[start:end]` with the hidden ranges, which are in order and may overlap, as blanks; line ends stay."""
    pieces: list[str] = []
    at = start
    for first, last in hidden:
        if last <= at:
            continue
        pieces.append(text[at:first])
        pieces.append(_blanked(text[max(at, first) : last]))
        at = last
    pieces.append(text[at:end])
    return "".join(pieces)


def _blanked(text: str) -> str:
    if "\n" not in text and "\r" not in text:
        return " " * len(text)
    return _line().sub(lambda match: " " * len(match[0]), text)


@cache
def _line() -> re.Pattern[str]:
    return re.compile(r"[^\r\n]+")
