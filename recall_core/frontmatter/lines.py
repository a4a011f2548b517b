"""Offsets to lines and columns. A line ends at LF, CRLF or CR and nowhere else (DESIGN §3)."""

import re
from bisect import bisect_right

from recall_core.model.span import Span

LINE_END = re.compile(r"\r\n|\n|\r")


class LineTable:
    """The starts of the lines of a text whose BOMs are gone, found when a place is first asked for."""

    __slots__ = ("_end", "_starts", "_text")

    def __init__(self, text: str, end: int | None = None) -> None:
        """`end` cuts the table off: no offset behind it may be asked for."""
        self._text, self._end = text, len(text) if end is None else end
        self._starts: list[int] = []

    @property
    def starts(self) -> list[int]:
        """The offsets of the lines' first characters."""
        if not self._starts:
            self._starts = [0, *(match.end() for match in LINE_END.finditer(self._text, 0, self._end))]
        return self._starts

    def line(self, offset: int) -> int:
        """The line that holds the character at `offset`, from 1."""
        if not self._starts and "\r" not in self._text:
            return self._text.count("\n", 0, offset) + 1  # most memos are asked for one line and no more
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
