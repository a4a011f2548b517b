"""The directives in a memo's text: which rules a suppression names and which line it covers, and what is declined."""

import re
from collections.abc import Sequence
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from recall_core.frontmatter.fence import Shape, find_fence
from recall_core.frontmatter.lines import LineTable
from recall_core.model.span import Span, TextEdit
from recall_lint.suppress.comments import Range, html_comments, yaml_comments
from recall_lint.suppress.decline import Decline, parse_target

_WORD = b"recall:"
_DIRECTIVE = re.compile(r"[ \t\r\n]*+recall:[ \t]*+(?P<verb>ignore(?:-file)?|not-superseding)(?![\w-])")
_SEPARATOR = re.compile(r"[ \t\r\n]*+(?:,[ \t\r\n,]*+)?")
_TOKEN = re.compile(r"[^ \t\r\n,:]++")
_RULE_LIKE = re.compile(r"[Rr][Ll][0-9]*+|[A-Za-z]++(?:-[A-Za-z]++)++")
_NO_LINE_END = re.compile(r"[^\r\n]")
_BLANKS = " \t"
_MOST_NAMES = 100  # more than there are rules


class Form(Enum):
    """Which kind of comment a suppression is."""

    YAML = "yaml"
    HTML = "html"


class Named(NamedTuple):
    """A rule as a suppression names it. `loose`: perhaps the first word of the reason, if no rule is called so."""

    text: str
    span: Span
    loose: bool = False


class Suppression(NamedTuple):
    """A comment that silences rules.

    `span` is the whole comment. `line` is the line that it covers, 0 where nothing follows, None for the whole memo.
    `removal` takes the comment out, with its line where it stands alone there.
    """

    rules: tuple[Named, ...]
    span: Span
    line: int | None
    form: Form
    removal: TextEdit


class Directives(NamedTuple):
    """All that a memo says to this tool, each kind in order."""

    suppressions: tuple[Suppression, ...] = ()
    declines: tuple[Decline, ...] = ()


def may_direct(data: bytes) -> bool:
    """Whether a file is worth handing to `parse_directives`. Costs a search in bytes."""
    return _WORD in data


def parse_directives(text: str, block_end: int) -> Directives:
    """The suppressions and declines of a memo. `text` is the whole file after its BOMs; never raises.

    `block_end` is the line of the fence that closes the block, 0 without one. Where a block is opened and never
    closed, both kinds of comment count everywhere.
    """
    if "recall:" not in text:
        return Directives()
    table = LineTable(text)
    directives = [(found, match) for found in _comments(text, table, block_end) if (match := _directive(text, found))]
    if not directives:
        return Directives()
    cover = _Cover(text, table, [found.range for found, _ in directives])
    suppressions: list[Suppression] = []
    declines: list[Decline] = []
    for found, match in directives:
        span = table.span(found.range.start, found.range.end)
        removal = TextEdit(cover.removal(found.range), "")
        if match["verb"] == "not-superseding":
            declines.append(Decline(parse_target(text, match.end(), found.content_end, table), span, removal))
            continue
        line = None if match["verb"] == "ignore-file" else cover.line(found)
        rules = _rules(text, match.end(), found.content_end, table)
        suppressions.append(Suppression(rules, span, line, found.form, removal))
    return Directives(tuple(suppressions), tuple(declines))


class _Found(NamedTuple):
    """A comment: all of it, and what is written in it. `limit` is the first line that it cannot cover."""

    range: Range
    content_start: int
    content_end: int
    form: Form
    limit: int


def _comments(text: str, table: LineTable, block_end: int) -> list[_Found]:
    lines = len(table.starts)
    block_end = min(max(block_end, 0), lines)
    body, yaml_end = block_end + 1, block_end
    if not block_end and find_fence(text).shape is Shape.UNCLOSED:
        body, yaml_end = 2, lines + 1
    of_block = [
        _Found(Range(start, start + len(text[start:end].rstrip(_BLANKS))), start + 1, end, Form.YAML, yaml_end)
        for start, end in yaml_comments(text, table.starts, 2, yaml_end)
    ]
    of_body = [
        _Found(found, found.start + 4, max(found.start + 4, found.end - 3), Form.HTML, lines + 1)
        for found in html_comments(text, table.starts, body)
    ]
    if not of_block:
        return of_body
    # By eye, in a block that is never closed, one may hold the other: `# <!-- … -->`. The first to begin has it.
    kept: list[_Found] = []
    for found in sorted([*of_block, *of_body]):
        if not kept or found.range.start >= kept[-1].range.end:
            kept.append(found)
    return kept


def _directive(text: str, found: _Found) -> re.Match[str] | None:
    return _DIRECTIVE.match(text, found.content_start, found.content_end)


def _rules(text: str, start: int, end: int, table: LineTable) -> tuple[Named, ...]:
    """The rules named from `start` on: the first word, whatever it is, and those after it that look like rules."""
    named: list[Named] = []
    while len(named) < _MOST_NAMES:
        separator = _SEPARATOR.match(text, start, end)
        at = separator.end() if separator else start
        token = _TOKEN.match(text, at, end)
        if token is None or not any(map(str.isalnum, token[0])):
            break  # `: a reason`, `-- a reason`, or the end
        after_comma = separator is not None and "," in separator[0]
        if named and not _RULE_LIKE.fullmatch(token[0]):
            break
        is_code = token[0][:2].upper() == "RL"
        loose = bool(named) and not after_comma and not is_code
        named.append(Named(token[0], table.span(token.start(), token.end()), loose))
        start = token.end()
    return tuple(named)


class _Cover:
    """What stands on the lines of a text beside its directives."""

    def __init__(self, text: str, table: LineTable, ranges: Sequence[Range]) -> None:
        self.text = text
        self.table = table
        pieces: list[str] = []
        at = 0
        for start, end in ranges:
            pieces += text[at:start], _NO_LINE_END.sub(" ", text[start:end])
            at = end
        rest = "".join([*pieces, text[at:]])
        starts = [*table.starts, len(text)]
        # A `>` alone is an empty line of a quote.
        self.is_empty = [not rest[a:b].strip(" \t\r\n>") for a, b in pairwise(starts)]
        self.following = [0] * (len(starts) + 1)
        """For each line (from 1) itself or the next one that is not empty; 0 where none is."""
        for line in range(len(table.starts), 0, -1):
            self.following[line] = self.following[line + 1] if self.is_empty[line - 1] else line

    def line(self, found: _Found) -> int:
        """The line that a comment covers; 0 where nothing follows."""
        first, last = self.table.line(found.range.start), self.table.line(found.range.end)
        for line in (first, last):
            if not self.is_empty[line - 1]:
                return line
        line = self.following[last]
        return line if line < found.limit else 0

    def removal(self, comment: Range) -> Span:
        """The comment with its whole line where nothing else stands there, else with the blanks that part it off."""
        starts = self.table.starts
        first, last = self.table.line(comment.start), self.table.line(comment.end)
        line_start = starts[first - 1]
        line_end = starts[last] if last < len(starts) else len(self.text)
        before, after = self._blanks_around(comment)
        if before == line_start and (after == line_end or self.text[after] in "\r\n"):
            return self.table.span(line_start, line_end)
        if before == line_start:
            return self.table.span(comment.start, after)
        return self.table.span(before, comment.end)

    def _blanks_around(self, comment: Range) -> tuple[int, int]:
        """The offsets up to which only blanks stand before and after a comment."""
        text, (before, after) = self.text, comment
        while before and text[before - 1] in _BLANKS:
            before -= 1
        while after < len(text) and text[after] in _BLANKS:
            after += 1
        return before, after
