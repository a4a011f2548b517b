"""The stable JSON of `lint`: one object, its schema in `recall_lint/schema/lint.schema.json`.

The head stands on the first line and every finding on a line of its own, so that two outputs can be compared by eye.
"""

from collections.abc import Iterator

from recall_core.adapters.encode import dumps, text
from recall_core.model.span import Span
from recall_lint.diagnostic import Diagnostic, Fix, Related
from recall_lint.formats.report import Report, View


def render(report: Report, _view: View) -> Iterator[str]:
    """The whole report, infos included."""
    head = {
        "version": 1,
        "tool_version": report.tool_version,
        "root": text(report.root),
        "at": report.at,
        "summary": {
            "memos": report.memos,
            "errors": report.errors,
            "warnings": report.warnings,
            "infos": report.infos,
            "suppressed": report.suppressed,
            "baselined": report.baselined,
        },
    }
    yield f'{dumps(head)[:-1]},"diagnostics":['
    separator = "\n"
    for diagnostic in report.diagnostics:
        yield f"{separator}{dumps(diagnostic_object(diagnostic))}"
        separator = ",\n"
    yield "\n]}\n" if report.diagnostics else "]}\n"


def diagnostic_object(diagnostic: Diagnostic) -> dict[str, object]:
    """One finding, its keys in the contract's order. `url` is null until the rules' pages are published."""
    return {
        "code": diagnostic.code,
        "rule": diagnostic.rule,
        "severity": diagnostic.severity.value,
        "path": text(diagnostic.path),
        **_span_object(diagnostic.span),
        "message": text(diagnostic.message),
        "help": text(diagnostic.help),
        "url": None,
        "clock": diagnostic.clock,
        "fix": _fix_object(diagnostic.fix) if diagnostic.fix else None,
        "related": [_related_object(each) for each in diagnostic.related],
    }


def _span_object(span: Span) -> dict[str, object]:
    return {"line": span.line, "column": span.column, "end_line": span.end_line, "end_column": span.end_column}


def _fix_object(fix: Fix) -> dict[str, object]:
    edits = [{**_span_object(edit.span), "text": text(edit.text)} for edit in fix.edits]
    return {"applicability": fix.applicability.value, "edits": edits}


def _related_object(related: Related) -> dict[str, object]:
    # A memo as a whole has no line: null, never a made-up 1.
    line, column = (related.span.line, related.span.column) if related.span else (None, None)
    return {"path": text(related.path), "line": line, "column": column, "message": text(related.message)}
