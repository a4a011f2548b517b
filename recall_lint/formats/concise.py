"""`path:line:col: CODE message`, one finding a line, for editors and grep (errorformat `%f:%l:%c: %m`)."""

from collections.abc import Iterator

from recall_core.model.escape import visible
from recall_lint.formats.line_start import leading_path
from recall_lint.formats.report import Report, View

MESSAGE_LIMIT = 500


def render(report: Report, view: View) -> Iterator[str]:
    """One line a finding, and nothing else; no output means nothing to show."""
    for each in report.shown(view):
        place = f"{leading_path(each.path)}:{each.span.line}:{each.span.column}"
        yield f"{place}: {each.code} {visible(each.message, limit=MESSAGE_LIMIT)}\n"
