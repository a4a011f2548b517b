"""From the bytes of a file to a memo: one pass, never an exception for what an author wrote."""

import re

from recall_core.frontmatter.fence import (
    BOM,
    Fence,
    Shape,
    find_fence,
    find_fence_like,
    find_unusual_fence,
)
from recall_core.frontmatter.lines import LineTable
from recall_core.frontmatter.parse import describe_undeclared, parse_block
from recall_core.frontmatter.reference import normalise_key
from recall_core.model.memo import Memo, Problem, ProblemKind
from recall_core.model.span import START, Span

_HEADING = re.compile(r"(?:\A|(?<=[\r\n]))#[ \t]+([^\r\n]+)")
_BLANK_LINE = re.compile(r"(?<=[\r\n])(?<!\r(?=\n))[ \t]*[\r\n]")
_FENCE_SIGNS = tuple("- \t+\u2013\u2014")
_LARGEST_TITLE = 300


def read_memo(path: str, data: bytes) -> Memo:
    """The memo that the file at `path` holds. Bytes that are no UTF-8, or a NUL, make it unreadable (RL001)."""
    text = decode(data)
    if text is None:
        return _refuse_bytes(path, data)
    return read_text(path, text, find_fence(text))


def decode(data: bytes) -> str | None:
    """The text of a file without its BOMs, or None where it is no text that can be read."""
    if b"\0" in data:
        return None
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    return text.lstrip(BOM) if text.startswith(BOM) else text


def read_text(path: str, text: str, fence: Fence) -> Memo:
    """The memo that a text without BOMs holds, whose block `fence` is."""
    key = normalise_key(path)
    match fence.shape:
        case Shape.BODY:
            return Memo(path, key, _find_title(text, 0), problems=_find_unusual_fence(text))
        case Shape.UNCLOSED:
            return Memo(path, key, readable=False, problems=(_describe_unclosed(text, fence),))
        case Shape.BLOCK:
            table = LineTable(text, fence.body)
            fields = parse_block(text, fence, table)
            return Memo(
                path,
                key,
                fields.title or _find_title(text, fence.body),
                fields.label,
                fields.supersedes if fields.readable else (),
                fields.valid_from if fields.readable else None,
                fields.valid_until if fields.readable else None,
                fields.readable,
                table.line(fence.end),
                tuple(fields.problems),
                tuple(fields.keys),
            )


def refuse_file(path: str, reason: str) -> Memo:
    """The memo of a file that the system would not give."""
    message = f"the file cannot be read: {reason}; nothing that the memo declares is applied"
    wanted = "check its permissions" if "ermission" in reason else ""
    problem = Problem(ProblemKind.UNREADABLE_FILE, START, message, wanted)
    return Memo(path, normalise_key(path), readable=False, problems=(problem,))


def _refuse_bytes(path: str, data: bytes) -> Memo:
    nul = data.find(b"\0")
    try:
        data[: nul if nul >= 0 else len(data)].decode()
    except UnicodeDecodeError as error:
        offset, what = error.start, f"the byte 0x{data[error.start]:02X} is not UTF-8"
        wanted = "save the file as UTF-8"
    else:
        offset, what, wanted = nul, "a NUL byte", "remove it"
    before = data[:offset].decode().lstrip(BOM)
    line_table = LineTable(before)
    span = line_table.span(len(before), len(before))
    message = f"{what}; nothing that the memo declares is applied"
    problem = Problem(ProblemKind.UNREADABLE_FILE, Span(*span[:2], span.line, span.column + 1), message, wanted)
    return Memo(path, normalise_key(path), readable=False, problems=(problem,))


def _describe_unclosed(text: str, fence: Fence) -> Problem:
    table = LineTable(text)
    message = "the metadata block opened here is never closed"
    message += describe_undeclared(text, fence.start, fence.end, table)
    related: tuple[tuple[Span, str], ...] = ()
    wanted = "add a line `---` after the last key"
    if blank := _BLANK_LINE.search(text, fence.start):
        wanted = f"add a line `---` before line {table.line(blank.start())}"
    if like := find_fence_like(text, fence):
        related = ((table.span(*like), "this resembles a fence, but is none"),)
        # Behind a blank line a row of dashes is rather a table's or a heading's.
        if blank is None or like[0] < blank.start() or text[like[0] : like[1]].strip(" \t-.") == "":
            wanted = f"write `---` alone on line {table.line(like[0])}"
    return Problem(ProblemKind.UNCLOSED_BLOCK, START, message, wanted, related)


def _find_unusual_fence(text: str) -> tuple[Problem, ...]:
    if text[:1] not in _FENCE_SIGNS:
        return ()
    place = find_unusual_fence(text)
    if place is None:
        return ()
    span = LineTable(text, place[1]).span(*place)
    message = f"`{text[: place[1]].rstrip()[:20]}` does not open a metadata block: the memo has no metadata"
    toml = "+++" in text[: place[1]]
    wanted = "write YAML between lines of exactly three dashes" if toml else "use exactly three dashes"
    return (Problem(ProblemKind.UNUSUAL_FENCE, span, message, wanted),)


def _find_title(text: str, start: int) -> str:
    """The first level-one heading, or "". Only suggestions use it, so a `# comment` in code does no harm."""
    if "\r" not in text:  # a plain search is ten times faster than the pattern
        position = start if text.startswith("# ", start) else text.find("\n# ", start) + 1
        if position == 0 and not text.startswith("# "):
            return ""
        end = text.find("\n", position)
        return text[position + 2 : end if end >= 0 else len(text)].strip()[:_LARGEST_TITLE]
    match = _HEADING.search(text, start)
    return match[1].strip()[:_LARGEST_TITLE] if match else ""
