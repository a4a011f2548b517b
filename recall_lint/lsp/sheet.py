"""Places in an editor's text: our spans, which count characters, to and from the positions of the protocol."""

from enum import Enum

from lsprotocol import types

from recall_core.frontmatter.fence import BOM
from recall_core.frontmatter.lines import LINE_END, LineTable
from recall_core.model.span import Span


class Encoding(Enum):
    """In what the columns of the protocol are counted."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"

    def units(self, text: str) -> int:
        """How many columns `text`, which holds no line end, takes up."""
        if self is Encoding.UTF32 or text.isascii():
            return len(text)
        if self is Encoding.UTF8:
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text) + sum(character > "\uffff" for character in text)


class Sheet:
    """A text with the places in it. `text` is without the BOMs that it may begin with; offsets count in it.

    A line ends at LF, CRLF or CR, as in the protocol. A position that the text does not have is taken for the nearest
    one before it.
    """

    def __init__(self, text: str, encoding: Encoding) -> None:
        self.text = text.lstrip(BOM)
        self.table = LineTable(self.text)
        self._encoding = encoding
        self._shift = encoding.units(BOM) * (len(text) - len(self.text))

    @property
    def line_end(self) -> str:
        """What the lines of the text end with: its first line end, LF where there is none."""
        first = LINE_END.search(self.text)
        return first[0] if first else "\n"

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its end; empty where there is no such line."""
        starts = self.table.starts
        if not 1 <= number <= len(starts):
            return ""
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")

    def position(self, line: int, column: int) -> types.Position:
        """The position of a place that counts from 1."""
        text = self.line(line)
        shift = self._shift if line == 1 else 0
        return types.Position(line - 1, self._encoding.units(text[: column - 1]) + shift)

    def range(self, span: Span) -> types.Range:
        """The range of a span."""
        return types.Range(self.position(span.line, span.column), self.position(span.end_line, span.end_column))

    def range_between(self, start: int, end: int) -> types.Range:
        """The range of the characters from offset `start` up to `end`."""
        return self.range(self.table.span(start, end))

    def offset(self, position: types.Position) -> int:
        """The offset of a position."""
        starts = self.table.starts
        if position.line >= len(starts):
            return len(self.text)
        line = max(position.line, 0)
        text = self.line(line + 1)
        left = position.character - (self._shift if line == 0 else 0)
        if text.isascii():
            return starts[line] + min(max(left, 0), len(text))
        column = 0
        while column < len(text) and left > 0:
            left -= self._encoding.units(text[column])
            column += left >= 0
        return starts[line] + column

    def number(self, position: types.Position) -> int:
        """The number of the line, from 1, that a position is on."""
        return self.table.line(self.offset(position))


def encode(text: str) -> bytes:
    """The bytes of a text as an editor holds it; half a surrogate pair gives bytes that are not UTF-8."""
    return text.encode("utf-8", "surrogatepass")
