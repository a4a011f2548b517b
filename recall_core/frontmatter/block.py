"""The text of one block: nodes to offsets, offsets to places in the file."""

import re

from recall_core.frontmatter.fence import Fence
from recall_core.frontmatter.lines import LineTable
from recall_core.frontmatter.nodes import Node
from recall_core.frontmatter.reference import BLANKS
from recall_core.model.span import Span

_PROPERTIES = re.compile(r"(?:[!&][^\s\[\]{},]*[ \t\r\n]+)+")


class UnreadableError(Exception):
    """A value under a validity key that cannot be read as one."""

    def __init__(self, node: Node, message: str, help: str = "") -> None:  # noqa: A002 - the word of every message here
        super().__init__(message)
        self.node, self.message, self.help = node, message, help


class BlockText:
    """The block that `fence` found in `text`; `table` covers at least the block. Offsets count from its start."""

    __slots__ = ("_base", "_table", "text")

    def __init__(self, text: str, fence: Fence, table: LineTable) -> None:
        self.text = text[fence.start : fence.end]
        self._base, self._table = fence.start, table

    def span(self, start: int, end: int) -> Span:
        """The place in the file of the characters from `start` up to `end`."""
        return self._table.span(self._base + start, self._base + end)

    def extent(self, node: Node) -> tuple[int, int]:
        """Offsets of a node without its tag and anchor, and without the blank lines that end a block scalar."""
        start, end = node.start_mark.index, node.end_mark.index
        if self.text[start : start + 1] in ("!", "&") and (match := _PROPERTIES.match(self.text, start, end)):
            start = match.end()
        return start, start + len(self.text[start:end].rstrip(BLANKS))

    def node_span(self, node: Node) -> Span:
        """The place in the file of a node, as `extent` cuts it."""
        start, end = self.extent(node)
        return self.span(start, end)

    def line_around(self, start: int, end: int) -> tuple[int, int, int]:
        """Offsets: where the line of `start` begins, where the line of `end` ends, and where the next one begins."""
        text = self.text
        first = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
        last = end
        while last < len(text) and text[last] not in "\r\n":
            last += 1
        return first, last, last + (2 if text.startswith("\r\n", last) else 1 if last < len(text) else 0)
