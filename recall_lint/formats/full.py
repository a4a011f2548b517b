"""What, where, what to type: the format for people."""

from collections.abc import Iterator
from typing import assert_never

from recall_core.model.escape import visible
from recall_core.model.span import Span
from recall_lint.diagnostic import Applicability, Diagnostic, Fix, Related
from recall_lint.formats.concise import MESSAGE_LIMIT
from recall_lint.formats.excerpt import excerpt
from recall_lint.formats.line_start import leading_path
from recall_lint.formats.paint import BOLD, CYAN, FAINT, paint, severity_style
from recall_lint.formats.report import Report, View
from recall_lint.formats.summary import render_summary

_TEXT_LIMIT = 120


def render(report: Report, view: View) -> Iterator[str]:
    """Each finding with its line and a blank line after it, then what the run comes to."""
    for diagnostic in report.shown(view):
        yield "".join(f"{line}\n" for line in _lines(diagnostic, report, view)) + "\n"
    yield "".join(f"{line}\n" for line in render_summary(report, view))


def _lines(diagnostic: Diagnostic, report: Report, view: View) -> Iterator[str]:
    span, color = diagnostic.span, view.color
    style = severity_style(diagnostic.severity)
    place = paint(f"{leading_path(diagnostic.path)}:{span.line}:{span.column}", BOLD, color=color)
    kind = paint(f"{diagnostic.severity.value} {diagnostic.code}", style, color=color)
    yield f"{place}: {kind}: {visible(diagnostic.message, limit=MESSAGE_LIMIT)}{_clock_mark(diagnostic, report)}"
    if diagnostic.line_text.strip("\r\n\ufeff"):
        yield from _excerpt_lines(diagnostic.line_text, span, style, view)
    for related in diagnostic.related:
        yield _label("=", _related(related), view)
    if diagnostic.help:
        yield _label("= help:", visible(diagnostic.help, limit=MESSAGE_LIMIT), view)
    if diagnostic.fix:
        yield from (_label("= fix:", each, view) for each in _fix(diagnostic.fix))


def _clock_mark(diagnostic: Diagnostic, report: Report) -> str:
    if not diagnostic.clock:
        return ""
    return " (depends on the day)" if report.at_given else " (depends on the day; does not count)"


def _excerpt_lines(line_text: str, span: Span, style: str, view: View) -> Iterator[str]:
    number = str(span.line)
    gutter = f"  {number} |"
    text, offset, length = excerpt(line_text, span, view.width - len(gutter) - 1)
    yield f"{paint(gutter, FAINT, color=view.color)} {text}".rstrip()
    blank = f"  {' ' * len(number)} |"
    yield f"{paint(blank, FAINT, color=view.color)} {' ' * offset}{paint('^' * length, style, color=view.color)}"


def _label(label: str, text: str, view: View) -> str:
    return f"  {paint(label, CYAN, color=view.color)} {text}"


def _related(related: Related) -> str:
    message, path = visible(related.message, limit=MESSAGE_LIMIT), visible(related.path)
    if related.span is None:
        return f"{message}: {path}"
    return f"{path}:{related.span.line}:{related.span.column}: {message}"


def _fix(fix: Fix) -> Iterator[str]:
    match fix.applicability:
        case Applicability.SAFE:
            yield "safe, `recall lint --fix` writes it"
        case Applicability.UNSAFE:
            yield "unsafe, `recall lint --fix --unsafe-fixes` writes it; look first with `--diff`"
        case Applicability.DISPLAY:
            for edit in fix.edits:
                place = f"by hand, at {edit.span.line}:{edit.span.column}"
                yield (
                    f"{place} write `{visible(edit.text, limit=_TEXT_LIMIT)}`" if edit.text else f"{place} remove this"
                )
        case _:
            assert_never(fix.applicability)
