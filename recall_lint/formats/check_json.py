"""The stable JSON of `check`: its schema is `recall_lint/schema/check.schema.json`.

The head stands on the first line and every memo on a line of its own.
"""

from collections.abc import Iterator

from recall_core.adapters.encode import dumps, text
from recall_lint.formats.candidate_object import candidate_object
from recall_lint.formats.check import CheckedMemo, CheckReport
from recall_lint.formats.json import diagnostic_object
from recall_lint.formats.report import View


def render(report: CheckReport, _view: View) -> Iterator[str]:
    """Every memo that was asked for, with all that is known of it."""
    head = {
        "version": 1,
        "tool_version": report.tool_version,
        "root": text(report.root),
        "at": report.at,
        "summary": {"memos": len(report.memos), "questions": report.questions, "held_back": report.held_back},
    }
    yield f'{dumps(head)[:-1]},"memos":['
    separator = "\n"
    for memo in report.memos:
        yield f"{separator}{dumps(memo_object(memo))}"
        separator = ",\n"
    yield "\n]}\n" if report.memos else "]}\n"


def memo_object(memo: CheckedMemo) -> dict[str, object]:
    """One memo, its keys in the contract's order."""
    return {
        "path": text(memo.path),
        "declared": [text(path) for path in memo.declared],
        "needs_attention": memo.needs_attention,
        "diagnostics": [diagnostic_object(each) for each in memo.diagnostics],
        "candidates": [candidate_object(each) for each in memo.suggestions],
    }
