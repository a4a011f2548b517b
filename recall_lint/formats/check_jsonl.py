"""One memo a line, as `json` gives it, and nothing else: no head, no summary."""

from collections.abc import Iterator

from recall_core.adapters.encode import dumps
from recall_lint.formats.check import CheckReport
from recall_lint.formats.check_json import memo_object
from recall_lint.formats.report import View


def render(report: CheckReport, _view: View) -> Iterator[str]:
    """Every memo that was asked for."""
    for memo in report.memos:
        yield f"{dumps(memo_object(memo))}\n"
