"""Offsets in a body as lines and columns of its file."""

from dataclasses import dataclass

from recall_core.model.span import Span


@dataclass(slots=True)
class Places:
    """Turns offsets, asked for in order, into lines and columns; each stretch of the text is looked at once."""

    text: str
    line: int
    line_start: int = 0
    offset: int = 0

    def span(self, start: int, end: int) -> Span:
        """The span of a range within one line."""
        self.line += self.text.count("\n", self.offset, start)
        last = self.text.rfind("\n", self.offset, start)
        if last >= 0:
            self.line_start = last + 1
        self.offset = start
        column = start - self.line_start + 1
        return Span(self.line, column, self.line, column + end - start)
