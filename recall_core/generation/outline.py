"""A memo's body as a row of pieces that are better not cut: paragraphs, list items, tables, code, headings."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from recall_core.prose.blocks import read_blocks
from recall_core.prose.layout import Block, BlockKind, Layout

_ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t]|\Z)")
_CLOSING_SIGNS = re.compile(r"(?:[ \t]+|\A)#+\Z")
_FENCE = re.compile(r"`{3,}|~{3,}")
_TABLE_LINE = re.compile(r"[ \t>]*[|:+-][-|:+ \t]*\Z")
_LONGEST_HEADING = 200


class PieceKind(Enum):
    """What a piece is, and so where it is cut when it alone is too long."""

    HEADING = "heading"
    PROSE = "prose"
    """A paragraph or a list item: between sentences."""
    LINES = "lines"
    """Code, a table, a comment, raw HTML: between lines."""
    RUN = "run"
    """A sentence or a line: between words."""
    WORD = "word"
    """Anywhere."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Half-open offsets into the text; the blanks and blank lines behind it are its own.

    `level` is 1 to 6 for a heading, whose words are `title`; 0 for anything else.
    """

    start: int
    end: int
    kind: PieceKind
    level: int = 0
    title: str = ""


def read_outline(text: str, start: int) -> list[Piece]:
    """The pieces of the body that begins at `start`, in order; together they are the body. Linear in it."""
    layout = read_blocks(text[start:])
    lines = _Lines(layout)
    return [
        Piece(start + first, start + last, *lines.describe(first_line)) for first, last, first_line in lines.groups()
    ]


def shorten_heading(written: str) -> str:
    """A heading on one line, at most 200 characters of it: the path stands with every chunk."""
    words = " ".join(written[: 4 * _LONGEST_HEADING].split())
    return words if len(words) <= _LONGEST_HEADING else words[: _LONGEST_HEADING - 1] + "…"


class _Lines:
    """The lines of a layout: which go with the one before, which are headings, which are no prose."""

    def __init__(self, layout: Layout) -> None:
        self._text = layout.text
        self._starts = [0]
        at = layout.text.find("\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = layout.text.find("\n", at + 1)
        count = len(self._starts)
        self._joined = bytearray(count)
        self._is_code = bytearray(count)
        self._is_row = bytearray(count)
        self._headings: dict[int, tuple[int, str]] = {}
        for block in layout.blocks:
            self._take_block(block)
        self._take_hidden(layout)
        self._join_rows()

    def groups(self) -> Iterator[tuple[int, int, int]]:
        """The offsets of each group of lines, and its first line; blank lines go with what stands above them."""
        first = 0
        for line in range(1, len(self._starts)):
            if not self._joined[line] and not self._is_blank(line):
                yield self._starts[first], self._starts[line], first
                first = line
        if self._text:
            yield self._starts[first], len(self._text), first

    def describe(self, line: int) -> tuple[PieceKind, int, str]:
        """The kind of the group that begins with `line`, and its level and title if it is a heading."""
        if line in self._headings:
            return PieceKind.HEADING, *self._headings[line]
        is_code = self._is_code[line] or self._is_row[line]
        return PieceKind.LINES if is_code else PieceKind.PROSE, 0, ""

    def _take_block(self, block: Block) -> None:
        first, last = self._join(block.start, block.end)
        if block.kind is BlockKind.ROW:
            self._is_row[first] = 1
        if block.kind is not BlockKind.HEADING or block.quoted:
            return
        written = self._text[block.start : block.end]
        sign = _ATX.match(self._text, self._starts[first], block.start)
        if sign:
            words = _CLOSING_SIGNS.sub("", written.strip(" \t"))
            self._headings[first] = (len(sign[1]), shorten_heading(words))
        elif last + 1 < len(self._starts) and set(under := self._line(last + 1).strip()) in ({"="}, {"-"}):
            self._joined[last + 1] = 1
            self._headings[first] = (1 if under[0] == "=" else 2, shorten_heading(written))

    def _take_hidden(self, layout: Layout) -> None:
        """Join the lines of code and markup. A fence's own lines are among the hidden: the first opens it."""
        opened, mark, block = 0, "", 0
        for start, end in layout.hidden:
            first, last = self._join(start, end)
            while block < len(layout.blocks) and layout.blocks[block].start < start:
                block += 1
                mark = ""  # prose again: the quote that held the fence has ended
            if first != last or self._fills_line(start, end, first):
                self._is_code[first] = 1
            fence = _FENCE.match(self._text, start, end)
            if not mark and fence:
                opened, mark = first, fence[0]
            elif mark:
                self._joined[opened + 1 : first + 1] = b"\1" * (first - opened)
                opened = first
                if self._text[start:end].strip(" \t>").startswith(mark) and self._is_closing(start, end, mark):
                    mark = ""

    def _join_rows(self) -> None:
        for line in range(1, len(self._starts)):
            if (self._is_row[line] or self._is_rule_of_table(line)) and self._is_row[line - 1]:
                self._is_row[line] = self._joined[line] = 1
            elif self._is_code[line] and self._is_code[line - 1] and not self._is_blank(line):
                self._joined[line] = 1

    def _join(self, start: int, end: int) -> tuple[int, int]:
        """Join the lines that a range covers, and return the first and the last of them."""
        first = bisect_right(self._starts, start) - 1
        last = bisect_right(self._starts, max(start, end - 1), first) - 1
        if last > first:
            self._joined[first + 1 : last + 1] = b"\1" * (last - first)
        return first, last

    def _fills_line(self, start: int, end: int, line: int) -> bool:
        written = self._line(line)
        return written[: start - self._starts[line]].strip(" \t>") == "" and end >= self._starts[line] + len(written)

    def _is_closing(self, start: int, end: int, mark: str) -> bool:
        return set(self._text[start:end].strip(" \t>")) == {mark[0]}

    def _is_rule_of_table(self, line: int) -> bool:
        written = self._line(line)
        return "|" in written and _TABLE_LINE.match(written) is not None

    def _is_blank(self, line: int) -> bool:
        return not self._line(line).strip()

    def _line(self, line: int) -> str:
        end = self._starts[line + 1] - 1 if line + 1 < len(self._starts) else len(self._text)
        return self._text[self._starts[line] : end]
