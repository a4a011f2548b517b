"""`path:line:col: CODE message`: the open questions and the findings, one a line, for editors and grep."""

from collections.abc import Iterator

from recall_core.model.escape import visible
from recall_lint.diagnostic import Severity
from recall_lint.formats.asking import QUESTION_CODE, ask, where_to_write
from recall_lint.formats.check import CheckReport
from recall_lint.formats.concise import MESSAGE_LIMIT
from recall_lint.formats.line_start import leading_path
from recall_lint.formats.report import View


def render(report: CheckReport, _view: View) -> Iterator[str]:
    """Nothing else: what is held back or merely resembles is no line to jump to. Two memos' question is one line."""
    seen: set[str] = set()
    for memo in report.memos:
        lines = []
        for each in memo.questions:
            if each.evidence is not None:
                span = each.evidence.span
                place = f"{leading_path(each.evidence.path)}:{span.line}:{span.column}"
                message = visible(f"{ask(each)} If so, {where_to_write(each)}", limit=MESSAGE_LIMIT)
                lines.append(f"{place}: {QUESTION_CODE} {message}\n")
        for found in memo.diagnostics:
            if found.severity is not Severity.INFO:
                place = f"{leading_path(found.path)}:{found.span.line}:{found.span.column}"
                lines.append(f"{place}: {found.code} {visible(found.message, limit=MESSAGE_LIMIT)}\n")
        for line in lines:
            if line not in seen:
                seen.add(line)
                yield line
