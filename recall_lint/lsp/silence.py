"""A comment that silences one finding, checked by reading it back."""

from collections.abc import Iterator

from recall_core.frontmatter.edit import EditError, apply_edits
from recall_core.frontmatter.fence import Shape
from recall_core.model.span import Span, TextEdit
from recall_lint.diagnostic import Diagnostic
from recall_lint.lsp.page import Page
from recall_lint.reading import read_file
from recall_lint.rules import RULES
from recall_lint.suppress import apply
from recall_lint.suppress.apply import UNUSED_SUPPRESSION


def silence(page: Page, finding: Diagnostic) -> TextEdit | None:
    """The edit that takes `finding` away, and nothing else; None where no comment would be read there."""
    if finding.code == UNUSED_SUPPRESSION:
        return None
    for edit in _places(page, finding):
        if _is_read(page, finding, edit):
            return edit
    return None


def _places(page: Page, finding: Diagnostic) -> Iterator[TextEdit]:
    """Beside a comment that is there already, on a line of its own above the finding, else for the whole memo."""
    memo, line = page.reading.memo, finding.span.line
    for suppression in page.reading.suppressions:
        if suppression.line == line and suppression.rules:
            last = suppression.rules[-1].span
            yield TextEdit(Span(last.end_line, last.end_column, last.end_line, last.end_column), f", {finding.code}")
    text = page.sheet.line(line)
    indent = text[: len(text) - len(text.lstrip(" \t"))]
    if 1 < line < memo.block_end:
        yield TextEdit(Span(line, 1, line, 1), f"{indent}# recall: ignore {finding.code}\n")
    elif line > memo.block_end:
        yield TextEdit(Span(line, 1, line, 1), f"<!-- recall: ignore {finding.code} -->\n")
    if page.fence.shape is Shape.BLOCK:
        yield TextEdit(Span(2, 1, 2, 1), f"# recall: ignore-file {finding.code}\n")
        return
    end = page.sheet.table.span(len(page.sheet.text), len(page.sheet.text))
    comment = f"<!-- recall: ignore-file {finding.code} -->"
    yield TextEdit(end, f"{comment}\n" if end.column == 1 else f"\n{comment}\n")


def _is_read(page: Page, finding: Diagnostic, edit: TextEdit) -> bool:
    try:
        after = read_file(page.path, apply_edits(page.content, [edit]))
    except (EditError, UnicodeDecodeError):
        return False
    before = page.reading.memo
    said = [each.written for each in after.memo.supersedes]
    if said != [each.written for each in before.supersedes] or after.memo.readable != before.readable:
        return False
    shift = edit.text.count("\n") if edit.span.line <= finding.span.line else 0
    span = finding.span
    moved = finding._replace(span=span._replace(line=span.line + shift, end_line=span.end_line + shift))
    if span.line == 1:
        moved = finding
    return bool(apply([moved], {page.path: after.suppressions}, RULES, lambda _code: False).suppressed)
