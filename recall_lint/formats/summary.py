"""What a run comes to, in a sentence or two."""

from collections.abc import Iterator

from recall_core.model.escape import visible
from recall_lint.formats.report import Report, View


def render_summary(report: Report, view: View) -> Iterator[str]:
    """The notes, the counts, and the day where a finding depends on it; a line each."""
    for note in report.notes:
        yield f"note: {visible(note)}"
    yield "; ".join((_findings(report, view), *_rest(report, view))) + "."
    if any(each.clock for each in report.diagnostics):
        how = "" if report.at_given else ", the system's day; `--at DATE` sets another"
        yield f"Judged as of {report.at} (UTC){how}."


def counted(number: int, noun: str) -> str:
    """`1 memo`, `2 memos`: English plurals that take an s."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _findings(report: Report, view: View) -> str:
    counts = {"error": report.errors, "warning": report.warnings, "info": report.infos if view.verbose else 0}
    found = ", ".join(counted(number, noun) for noun, number in counts.items() if number)
    if not found:
        found = "No findings" if view.verbose or not report.infos else "No errors or warnings"
    return f"{found} in {counted(report.memos, 'memo')}"


def _rest(report: Report, view: View) -> Iterator[str]:
    if report.infos and not view.verbose:
        yield f"{counted(report.infos, 'info')} hidden, --verbose shows {'it' if report.infos == 1 else 'them'}"
    if report.suppressed:
        yield f"{report.suppressed} suppressed"
    if report.baselined:
        yield f"{report.baselined} in the baseline"
