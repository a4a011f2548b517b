"""Workflow commands that GitHub shows as annotations on the changed lines.

`%`, CR and LF are written as the runner decodes them, in properties `:` and `,` too; everything that acts is spelt out
before, so no text of a memo ends its own command or begins another.
"""

from collections.abc import Iterator
from typing import assert_never

from recall_core.model.escape import visible
from recall_lint.diagnostic import Diagnostic, Severity
from recall_lint.formats.concise import MESSAGE_LIMIT
from recall_lint.formats.report import Report, View


def render(report: Report, _view: View) -> Iterator[str]:
    """One command a finding, infos as notices."""
    for diagnostic in report.diagnostics:
        yield f"::{_command(diagnostic.severity)} {_properties(report, diagnostic)}::{_data(_message(diagnostic))}\n"


def _command(severity: Severity) -> str:
    match severity:
        case Severity.ERROR:
            return "error"
        case Severity.WARNING:
            return "warning"
        case Severity.INFO | Severity.OFF:
            return "notice"
        case _:
            assert_never(severity)


def _properties(report: Report, diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    properties = {"file": report.prefix + diagnostic.path, "line": str(span.line)}
    # The service refuses columns for an annotation of several lines.
    if span.end_line == span.line:
        properties |= {"col": str(span.column), "endLine": str(span.end_line), "endColumn": str(span.end_column)}
    else:
        properties["endLine"] = str(span.end_line)
    properties["title"] = f"{diagnostic.code} {diagnostic.rule}"
    return ",".join(f"{name}={_property(value)}" for name, value in properties.items())


def _message(diagnostic: Diagnostic) -> str:
    lines = [visible(diagnostic.message, limit=MESSAGE_LIMIT)]
    for related in diagnostic.related:
        place = f":{related.span.line}:{related.span.column}" if related.span else ""
        lines.append(f"{visible(related.message, limit=MESSAGE_LIMIT)}: {visible(related.path)}{place}")
    if diagnostic.help:
        lines.append(f"help: {visible(diagnostic.help, limit=MESSAGE_LIMIT)}")
    return "\n".join(lines)


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(visible(value)).replace(":", "%3A").replace(",", "%2C")
