"""Reviewdog's diagnostic format, a finding or question a line, with what can be written as a suggestion.

Its columns count bytes of UTF-8. A suggestion changes the file of its own finding: an edge that belongs in another
memo is said in words.
"""

from collections.abc import Iterator

from recall_core.adapters.encode import dumps, text
from recall_core.model.escape import visible
from recall_lint.check.suggestion import Suggestion
from recall_lint.diagnostic import Applicability, Diagnostic, Severity
from recall_lint.formats.asking import QUESTION_CODE, ask, where_to_write
from recall_lint.formats.check import CheckedMemo, CheckReport
from recall_lint.formats.concise import MESSAGE_LIMIT
from recall_lint.formats.report import View

_SEVERITIES = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.INFO: "INFO", Severity.OFF: "INFO"}
_SOURCE = {"name": "recall"}


def render(report: CheckReport, _view: View) -> Iterator[str]:
    """The open questions and all findings; what several memos of the report share is one line."""
    seen: set[str] = set()
    for memo in report.memos:
        for value in _values(memo, report.prefix):
            line = f"{dumps(value)}\n"
            if line not in seen:
                seen.add(line)
                yield line


def _values(memo: CheckedMemo, prefix: str) -> Iterator[dict[str, object]]:
    for question in memo.questions:
        yield _question(question, prefix)
    for diagnostic in memo.diagnostics:
        yield _finding(diagnostic, prefix)


def _question(suggestion: Suggestion, prefix: str) -> dict[str, object]:
    evidence, paste = suggestion.evidence, suggestion.paste
    path = evidence.path if evidence is not None else suggestion.declare_in
    # The sentence's own line is not at hand, so its column in bytes is unknown: the line alone is named.
    line = evidence.span.line if evidence is not None else 1
    value: dict[str, object] = {
        "message": visible(f"{ask(suggestion)} If so, {where_to_write(suggestion)}", limit=MESSAGE_LIMIT),
        "location": {"path": text(prefix + path), "range": {"start": {"line": line}}},
        "severity": "WARNING",
        "source": _SOURCE,
        "code": {"value": QUESTION_CODE},
    }
    if paste.text and path == suggestion.declare_in:
        end = paste.line + paste.text.count("\n") + 1 if paste.replaces else paste.line
        place = {"start": {"line": paste.line, "column": 1}, "end": {"line": end, "column": 1}}
        value["suggestions"] = [{"range": place, "text": f"{text(paste.text)}\n"}]
    return value


def _finding(diagnostic: Diagnostic, prefix: str) -> dict[str, object]:
    span, line_text = diagnostic.span, diagnostic.line_text.lstrip("\ufeff")
    place: dict[str, object] = {"start": {"line": span.line, "column": _bytes(line_text, span.column)}}
    if span.end_line == span.line:
        place["end"] = {"line": span.line, "column": _bytes(line_text, span.end_column)}
    message = visible(diagnostic.message, limit=MESSAGE_LIMIT)
    if diagnostic.help:
        message += f" ({visible(diagnostic.help, limit=MESSAGE_LIMIT)})"
    value: dict[str, object] = {
        "message": message,
        "location": {"path": text(prefix + diagnostic.path), "range": place},
        "severity": _SEVERITIES[diagnostic.severity],
        "source": _SOURCE,
        "code": {"value": diagnostic.code},
    }
    suggestions = list(_edits(diagnostic, line_text))
    if suggestions:
        value["suggestions"] = suggestions
    return value


def _edits(diagnostic: Diagnostic, line_text: str) -> Iterator[dict[str, object]]:
    """The fix as one suggestion, where it is a single edit of the finding's own line: only that one is at hand."""
    fix = diagnostic.fix
    if fix is None or fix.applicability is Applicability.DISPLAY or len(fix.edits) != 1:
        return
    (edit,) = fix.edits
    line = diagnostic.span.line
    if edit.span.line == edit.span.end_line == line:
        start, end = _bytes(line_text, edit.span.column), _bytes(line_text, edit.span.end_column)
        place = {"start": {"line": line, "column": start}, "end": {"line": line, "column": end}}
        yield {"range": place, "text": text(edit.text)}


def _bytes(line_text: str, column: int) -> int:
    """A column in characters as one in bytes of UTF-8, both from 1; beyond the text both count alike."""
    before = line_text[: column - 1]
    return len(before.encode("utf-8", "replace")) + column - len(before)
