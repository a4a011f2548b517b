"""Edits of a file's bytes: what lies outside the spans stays as it is, BOM and line ends included."""

from collections.abc import Iterable, Sequence

from recall_core.frontmatter.fence import BOM
from recall_core.frontmatter.lines import LINE_END, LineTable
from recall_core.model.span import TextEdit


class EditError(ValueError):
    """Edits overlap, or name a place that the file does not have."""


def apply_edits(data: bytes, edits: Iterable[TextEdit]) -> bytes:
    """`data` with every edit made at its place in the original. A line end in an edit's text becomes the file's own.

    Raises EditError where two edits overlap or a span lies outside the text, and UnicodeDecodeError for bytes that are
    not UTF-8: such a file is reported (RL001) and never edited.
    """
    edits = list(edits)
    if not edits:
        return data
    whole = data.decode()
    text = whole.lstrip(BOM)
    newline = _line_end(text)
    table = LineTable(text)
    pieces = [whole[: len(whole) - len(text)]]
    position = 0
    for start, end, new in sorted(_offsets(text, table, edits), key=lambda edit: edit[:2]):
        if start < position:
            raise EditError("two edits overlap")
        pieces += (text[position:start], LINE_END.sub(newline, new))
        position = end
    pieces.append(text[position:])
    return "".join(pieces).encode()


def without_overlaps(groups: Iterable[Sequence[TextEdit]]) -> list[Sequence[TextEdit]]:
    """The groups of edits, in order, that touch nothing an earlier kept group touches; each is all or nothing."""
    kept: list[Sequence[TextEdit]] = []
    taken: list[TextEdit] = []
    for group in groups:
        if any(_touch(new, old) for new in group for old in taken):
            continue
        kept.append(group)
        taken.extend(group)
    return kept


def _touch(one: TextEdit, other: TextEdit) -> bool:
    (first, last), (begin, end) = _ends(one), _ends(other)
    return first <= end and begin <= last


def _ends(edit: TextEdit) -> tuple[tuple[int, int], tuple[int, int]]:
    span = edit.span
    return (span.line, span.column), (span.end_line, span.end_column)


def _offsets(text: str, table: LineTable, edits: Iterable[TextEdit]) -> list[tuple[int, int, str]]:
    result = []
    for edit in edits:
        span = edit.span
        start = _offset(text, table, span.line, span.column)
        end = _offset(text, table, span.end_line, span.end_column)
        if start > end:
            raise EditError("an edit ends before it starts")
        result.append((start, end, edit.text))
    return result


def _offset(text: str, table: LineTable, line: int, column: int) -> int:
    """The offset of a place that exists: on a line of the text, at most behind its last character."""
    if not 1 <= line <= len(table.starts) or column < 1:
        raise EditError("an edit lies outside the text")
    offset = table.offset(line, column)
    match = LINE_END.search(text, table.starts[line - 1])
    if offset > (match.start() if match else len(text)):
        raise EditError("an edit lies behind the end of its line")
    return offset


def _line_end(text: str) -> str:
    match = LINE_END.search(text)
    return match.group() if match else "\n"
