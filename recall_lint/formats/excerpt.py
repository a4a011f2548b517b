"""A source line with its place underlined, as cells in a terminal."""

from typing import NamedTuple

from recall_core.adapters.terminal import cell_width
from recall_core.model.escape import visible_characters
from recall_core.model.span import Span

_TAB = 4
_CONTEXT = 20
"""Cells to leave after a span for what follows it, before what stands in front takes the rest."""


class Excerpt(NamedTuple):
    """The text shown, the cells in front of the underline, and the cells underlined (at least one)."""

    text: str
    offset: int
    length: int


def excerpt(line_text: str, span: Span, width: int) -> Excerpt:
    """`line_text`, the line that `span` starts on, escaped and cut to `width` cells around the span.

    A span of several lines is underlined to the end of its first. Places beyond the line's end count as its end.
    """
    text = line_text.rstrip("\r\n")
    if span.line == 1:
        text = text.lstrip("\ufeff")  # no character to columns
    first = min(span.column - 1, len(text))
    last = len(text) if span.end_line > span.line else min(span.end_column - 1, len(text))
    last = max(first, last)

    # Only characters that could be shown are looked at: a line may be a whole file.
    start, stop = max(0, first - width), min(len(text), first + 2 * width)
    shown, widths = _cells(text[start:stop])
    first, last = first - start, min(last, stop) - start
    left, right = 0, len(shown)
    if start > 0 or stop < len(text) or sum(widths) > width:
        left, right = _window(widths, first, last, width - 2)

    before = "…" if start + left > 0 else ""
    after = "…" if start + right < len(text) else ""
    offset = len(before) + sum(widths[left:first])
    length = sum(widths[first : min(last, right)])
    return Excerpt(f"{before}{''.join(shown[left:right])}{after}".rstrip(), offset, max(1, length))


def _cells(text: str) -> tuple[list[str], list[int]]:
    """What to show for each character, and the cells it takes; tabs reach to the next multiple of four."""
    shown = visible_characters(text)
    widths: list[int] = []
    column = 0
    for index, character in enumerate(text):
        if character == "\t":
            shown[index] = " " * (_TAB - column % _TAB)
        widths.append(cell_width(shown[index]))
        column += widths[-1]
    return shown, widths


def _window(widths: list[int], first: int, last: int, budget: int) -> tuple[int, int]:
    """The characters to show where not all fit: the span, a little after it, what stands in front, then the rest."""
    left = right = first
    used = 0

    def extend(end: int, limit: int) -> None:
        nonlocal right, used
        while right < end and used + widths[right] <= limit:
            used += widths[right]
            right += 1

    extend(last, budget)
    if right == last:
        extend(len(widths), min(budget, used + _CONTEXT))
        while left > 0 and used + widths[left - 1] <= budget:
            left -= 1
            used += widths[left]
        extend(len(widths), budget)
    return left, right
