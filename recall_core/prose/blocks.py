"""Finds the blocks of a Markdown body: which lines make one run of prose, and which are code or definitions.

One pass over the lines, after CommonMark, and kinder than it where authors are careless: a list ends at an unindented
line only, and a fence in a list item may stand deeper than the item's text. Every line is read once, so the cost is
linear in the text whatever its shape.
"""

import re
from functools import cache
from typing import NamedTuple

from recall_core.prose.layout import Block, BlockKind, Definition, Layout, level_line_ends, normalise_id

TAB = 4
"""The width of a tab stop, and how far a line must be indented to be code."""

MAX_MARKERS = 8
"""List markers read on one line; what follows is text. Without this, `- - - …` would cost the square of its length."""


def read_blocks(text: str) -> Layout:
    """The layout of a body. Never raises; an unclosed fence or comment runs to the end."""
    flat = level_line_ends(text)
    reader = _Reader(flat)
    position, size = 0, len(flat)
    find, read_line = flat.find, reader.read_line
    while position < size:
        end = find("\n", position)
        position = read_line(position, end if end >= 0 else size)
    reader.close()
    return Layout(flat, tuple(reader.blocks), tuple(reader.hidden), reader.definitions)


@cache
def _head() -> re.Pattern[str]:
    """What a line begins with, after its indent. Alternatives in order of precedence, matched to the line's end."""
    return re.compile(
        r"(?P<indent>[ \t]*+)(?:"
        r"(?P<blank>\Z)"
        r"|(?P<rule>[-*_=+:|][-*_=+:| \t]*+\Z)"
        r"|(?P<fence>`{3,}+(?=[^`]*+\Z)|~{3,}+)"
        r"|(?P<heading>\#{1,6}+(?=[ \t]|\Z))"
        r"|(?P<item>(?:[-*+]|[0-9]{1,9}[.)])[ \t]++|\[\^[^\[\] \t]++\]:(?:[ \t]++|\Z))"
        r"|(?P<row>\|)"
        r"|(?P<comment><!--)"
        r"|(?P<raw><(?i:pre|script|style|textarea)(?=[ \t>]|\Z))"
        r"|(?P<definition>\[(?!\^)(?P<id>[^\[\]]{1,999}+)\]:[ \t]*+(?:<(?P<angle>[^<>]*+)>|(?P<target>[^ \t<][^ \t]*+))"
        r"(?:[ \t]++(?:\"[^\"]*+\"|'[^']*+'|\([^()]*+\)))?+[ \t]*+\Z)"
        r")?+"
    )


def _match_head(text: str, start: int, end: int) -> re.Match[str]:
    match = _head().match(text, start, end)
    if match is None:
        raise AssertionError("every part of the pattern may be empty, so it matches anywhere")
    return match


@cache
def _closing_fence() -> re.Pattern[str]:
    return re.compile(r"([ \t]*+)(`{3,}+|~{3,}+)[ \t]*+\Z")


@cache
def _closing_tag() -> re.Pattern[str]:
    return re.compile(r"</(?:pre|script|style|textarea)>", re.IGNORECASE)


@cache
def _quote_mark() -> re.Pattern[str]:
    return re.compile(r"([ \t]*+)>[ \t]?")


class _Fence(NamedTuple):
    mark: str
    """The run of backticks or tildes that opened it."""
    depth: int
    indent: int


class _Reader:
    """The state of the pass: the open block, the quote depth, the lists, the fence."""

    __slots__ = (
        "blocks",
        "definitions",
        "depth",
        "end",
        "fence",
        "hidden",
        "in_table",
        "kind",
        "lists",
        "quoted_lists",
        "start",
        "text",
    )

    def __init__(self, text: str) -> None:
        self.text = text
        self.blocks: list[Block] = []
        self.hidden: list[tuple[int, int]] = []
        self.definitions: dict[str, Definition] = {}
        self.start = -1
        """Where the open block starts; below 0 there is none. Only paragraphs and items stay open for another line."""
        self.end = -1
        self.kind = BlockKind.PARAGRAPH
        self.depth = 0
        self.lists: list[int] = []
        """For each open list item, outermost first, the column at which its content starts."""
        self.quoted_lists: list[int] = []
        self.in_table = False
        self.fence: _Fence | None = None

    def read_line(self, start: int, end: int) -> int:
        """Take in one line, and return where the next one starts."""
        if self.fence is not None and self._read_in_fence(self.fence, start, end):
            return end + 1
        # Blank lines and plain text at the margin are most of the lines: they take the short way.
        if start == end:
            self._read_blank(0)
            return end + 1
        if not self.in_table and self.text[start].isalpha():
            if self.start >= 0:
                self.end = end
            else:
                self.lists.clear()
                self.depth = 0
                self._begin(start, end, BlockKind.PARAGRAPH)
            return end + 1
        if self.text.find(">", start, end) < 0:
            return self._read_content(start, end, 0)
        at, depth = self._skip_quote_marks(start, end)
        self._hide(start, at)
        return self._read_content(at, end, depth)

    def close(self) -> None:
        """End the open block."""
        if self.end > self.start >= 0:
            self.blocks.append(Block(self.start, self.end, self.kind, self.depth > 0))
        self.start = -1

    def _skip_quote_marks(self, start: int, end: int, limit: int = -1) -> tuple[int, int]:
        """The offset after the line's quote marks, and their number, at most `limit` of them."""
        depth = 0
        pattern = _quote_mark()
        # Deeper than that it is code, whose prompts may be `>>>`.
        indent = (self.lists[-1] if self.lists else 0) + TAB
        while depth != limit and (mark := pattern.match(self.text, start, end)):
            if self._width(start, mark.end(1)) >= indent:
                break
            start = mark.end()
            depth += 1
        return start, depth

    def _read_in_fence(self, fence: _Fence, start: int, end: int) -> bool:
        """Take in a line of fenced code; False where the quote that held the fence has ended before this line."""
        at, depth = self._skip_quote_marks(start, end, fence.depth) if fence.depth else (start, 0)
        if depth < fence.depth:
            self.fence = None
            return False
        self._hide(start, end)
        closing = _closing_fence().match(self.text, at, end)
        if closing and closing[2].startswith(fence.mark) and self._width(at, closing.end(1)) < fence.indent + TAB:
            self.fence = None
        return True

    def _read_content(self, start: int, end: int, depth: int) -> int:
        """Take in a line whose content, after `depth` quote marks, begins at `start`."""
        lists = self._lists_at(depth)
        match = _match_head(self.text, start, end)
        indent = self._width(start, match.end("indent"))
        if match.lastgroup == "blank":
            self._read_blank(depth)
            return end + 1
        if indent >= TAB and self._is_code_or_continued(start, end, depth, indent, lists):
            return end + 1
        markers = 0
        while match.lastgroup == "item" and markers < MAX_MARKERS and not self._continues_sentence(match, depth, lists):
            self._open_item(match, start, depth, indent, lists)
            markers += 1
            at = match.end()
            if self.text.startswith(">", at):
                at, marks = self._skip_quote_marks(at, end)
                self._hide(match.end(), at)
                self.depth = depth = depth + marks
                self.start = self.end = at
            match = _match_head(self.text, at, end)
            indent = self._width(start, match.end("indent"))
        return self._read_leaf(match, end, depth, indent)

    def _read_leaf(self, match: re.Match[str], end: int, depth: int, indent: int) -> int:
        """Take in a line from behind its quote marks and list markers, and return where the next one starts."""
        content = match.end("indent")
        match match.lastgroup:
            case "rule":
                self._read_rule(content, end, depth)
            case "fence":
                self._break(depth, indent)
                self.fence = _Fence(match["fence"], depth, indent)
                self._hide(content, end)
            case "heading":
                self._break(depth, indent)
                self._add(match.end(), end, BlockKind.HEADING)
            case "row":
                self._break(depth, indent)
                self._add(content, end, BlockKind.ROW)
            case "comment":
                return self._read_markup(content, depth, indent, self._comment_end(content))
            case "raw":
                closing = _closing_tag().search(self.text, content)
                return self._read_markup(content, depth, indent, closing.end() if closing else len(self.text))
            case "definition":
                self._break(depth, indent)
                self._hide(content, end)
                group = "angle" if match["angle"] is not None else "target"
                self.definitions.setdefault(normalise_id(match["id"]), Definition(*match.span(group)))
            case _:
                self._read_text(content, end, depth, indent)
        return end + 1

    def _lists_at(self, depth: int) -> list[int]:
        """The lists open at this quote depth; another depth than the line before starts afresh."""
        if depth == 0:
            return self.lists
        if depth != self.depth:
            self.quoted_lists = []
        return self.quoted_lists

    def _read_blank(self, depth: int) -> None:
        self.close()
        self.depth = depth
        self.in_table = False

    def _is_code_or_continued(self, start: int, end: int, depth: int, indent: int, lists: list[int]) -> bool:
        """Take in a line indented like code, if it is code or continues a paragraph; False where a list explains it."""
        if self.start >= 0 and depth <= self.depth:
            if lists:
                return False
            self.end = end
            return True
        _leave_items(lists, indent)
        if indent < (lists[-1] if lists else 0) + TAB:
            return False
        self._break(depth, indent)
        self._hide(start, end)
        return True

    def _continues_sentence(self, match: re.Match[str], depth: int, lists: list[int]) -> bool:
        """Whether a number that begins a line only looks like a list marker: a paragraph went on to `2019. The`."""
        marker = match["item"].rstrip(" \t")
        return self.start >= 0 and depth == self.depth and not lists and marker[0].isdigit() and marker[:-1] != "1"

    def _open_item(self, match: re.Match[str], line: int, depth: int, indent: int, lists: list[int]) -> None:
        """Begin a list item on the line whose content begins at `line`."""
        self.close()
        self.depth = depth
        while lists and indent < lists[-1]:
            lists.pop()
        marker = match["item"].rstrip(" \t")
        bare = indent + len(marker)
        column = self._width(line, match.end()) if marker[0] != "[" else indent + TAB
        # More than four blanks after the marker belong to the content.
        lists.append(column if column - bare <= TAB else bare + 1)
        self._begin(match.end(), match.end(), BlockKind.ITEM)

    def _read_rule(self, start: int, end: int, depth: int) -> None:
        """A thematic break, the line under a heading or a table's head: no text, and the end of what stands above."""
        signs = set(self.text[start:end].replace(" ", "").replace("\t", ""))
        if self.kind is BlockKind.PARAGRAPH and depth == self.depth:
            if signs in ({"="}, {"-"}):
                self.kind = BlockKind.HEADING
            elif {"|", "-"} <= signs:
                self.kind = BlockKind.ROW
        self.close()
        self.depth = depth
        self.in_table = {"|", "-"} <= signs
        self._hide(start, end)

    def _read_markup(self, start: int, depth: int, indent: int, markup_end: int) -> int:
        """Hide a comment or raw HTML, which may span lines, and take the rest of its last line for text."""
        self._break(depth, indent)
        self._hide(start, markup_end)
        end = self.text.find("\n", markup_end)
        end = end if end >= 0 else len(self.text)
        if self.text[markup_end:end].strip(" \t"):
            self._begin(markup_end, end, BlockKind.PARAGRAPH)
        return end + 1

    def _comment_end(self, start: int) -> int:
        # From two on, since `<!-->` is a whole comment.
        closing = self.text.find("-->", start + 2)
        return closing + 3 if closing >= 0 else len(self.text)

    def _read_text(self, start: int, end: int, depth: int, indent: int) -> None:
        """Take in a line of plain text: it continues the open block or begins one."""
        if self.in_table and depth == self.depth:
            self._add(start, end, BlockKind.ROW)
        elif self.start >= 0 and depth <= self.depth:
            # Fewer quote marks than before: a lazy continuation, still in the quote.
            self.end = end
        else:
            if self.start < 0:
                _leave_items(self._lists_at(depth), indent)
            self._break(depth, max(indent, 1))
            self._begin(start, end, BlockKind.PARAGRAPH)

    def _break(self, depth: int, indent: int) -> None:
        """End the open block; what stands at the margin ends the lists too."""
        self.close()
        lists = self._lists_at(depth)
        if indent == 0:
            lists.clear()
        self.depth = depth
        self.in_table = self.in_table and depth == self.depth

    def _begin(self, start: int, end: int, kind: BlockKind) -> None:
        self.start, self.end, self.kind = start, end, kind

    def _add(self, start: int, end: int, kind: BlockKind) -> None:
        """Put down a block that no further line can continue."""
        self.close()
        if start < end:
            self.blocks.append(Block(start, end, kind, self.depth > 0))

    def _hide(self, start: int, end: int) -> None:
        if start < end:
            self.hidden.append((start, end))

    def _width(self, start: int, end: int) -> int:
        """The columns that `start:end` fills, counted from `start`."""
        if self.text.find("\t", start, end) < 0:
            return end - start
        return len(self.text[start:end].expandtabs(TAB))


def _leave_items(lists: list[int], indent: int) -> None:
    """Leave the items that a line after a blank one is too little indented for; the outermost only at the margin."""
    while len(lists) > 1 and indent < lists[-1]:
        lists.pop()
    if indent == 0:
        lists.clear()
