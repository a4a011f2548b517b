"""One JSON object a finding a line, with the keys that `json` gives it, and nothing else: no head, no summary.

A reader may stop at any line, and `wc -l` counts findings; whoever wants the counts asks for `json`.
"""

from collections.abc import Iterator

from recall_core.adapters.encode import dumps
from recall_lint.formats.json import diagnostic_object
from recall_lint.formats.report import Report, View


def render(report: Report, _view: View) -> Iterator[str]:
    """Every finding, infos included."""
    for diagnostic in report.diagnostics:
        yield f"{dumps(diagnostic_object(diagnostic))}\n"
