"""Offsets to lines and columns. A line ends at LF, CRLF or CR and nowhere else (DESIGN §3)."""

import re
from bisect import bisect_right

from recall_core.model.span import Span

LINE_END = re.compile(r"\r\n|\n|\r")


class LineTable:
    """The starts of the lines of a text whose BOMs are gone."""

    __slots__ = ("starts",)

    def __init__(self, text: str, end: int | None = None) -> None:
        """`end` cuts the table off: no offset behind it may be asked for."""
        if "\r" in text:
            self.starts = [0, *(match.end() for match in LINE_END.finditer(text, 0, len(text) if end is None else end))]
            return
        starts = [0]
        stop = len(text) if end is None else end
        position = text.find("\n", 0, stop)
        while position >= 0:
            starts.append(position + 1)
            position = text.find("\n", position + 1, stop)
        self.starts = starts

    def line(self, offset: int) -> int:
        """The line that holds the character at `offset`, from 1."""
        return bisect_right(self.starts, offset)

    def span(self, start: int, end: int) -> Span:
        """The span of the characters from `start` up to `end`."""
        starts = self.starts
        first = bisect_right(starts, start)
        last = first if start == end else bisect_right(starts, end)
        return Span(first, start - starts[first - 1] + 1, last, end - starts[last - 1] + 1)

    def offset(self, line: int, column: int) -> int:
        """The offset of a place; raises IndexError for a line that the text does not have."""
        return self.starts[line - 1] + column - 1


def line_at(text: str, offset: int) -> str:
    """The line around `offset`, without its end."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    match = LINE_END.search(text, offset)
    return text[start : match.start() if match else len(text)]
