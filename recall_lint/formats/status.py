"""What `status` answers, for people and for programs."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from recall_core.adapters.encode import dumps, text
from recall_core.adapters.terminal import cell_width
from recall_core.model.escape import visible
from recall_core.model.verdict import Verdict
from recall_lint.formats.summary import counted

_WIDEST_PATH = 60
"""Cells to which paths are padded; a longer one pushes its own line only."""

_RANK = {verdict.value: rank for rank, verdict in enumerate(Verdict)}


@dataclass(frozen=True, slots=True)
class StatusRow:
    """One memo's standing; days as `YYYY-MM-DD`, `recorded` an instant or None where it is unknown."""

    path: str
    verdict: str
    superseded_by: tuple[str, ...] = ()
    valid_from: str | None = None
    valid_until: str | None = None
    recorded: str | None = None


@dataclass(frozen=True, slots=True)
class StatusReport:
    """The standing of the memos asked for, at a valid time and, where somebody chose one, a knowledge time."""

    tool_version: str
    root: str
    at: str
    known_at: str | None
    memos: tuple[StatusRow, ...]


def render_text(report: StatusReport) -> Iterator[str]:
    """One memo a line: verdict, path, `->` and its successors, window; the last line counts.

    What is not in force stands first, by verdict and path.
    """
    rows = sorted(report.memos, key=lambda row: (_RANK.get(row.verdict, len(_RANK)), row.path))
    verdict_width = max((len(row.verdict) for row in rows), default=0)
    path_width = min(_WIDEST_PATH, max((cell_width(visible(row.path)) for row in rows), default=0))
    for row in rows:
        yield f"{_line(row, verdict_width, path_width)}\n"
    yield f"{_counts(report, rows)}\n"


def _line(row: StatusRow, verdict_width: int, path_width: int) -> str:
    path = visible(row.path)
    details = []
    if row.superseded_by:
        details.append(f"-> {', '.join(map(visible, row.superseded_by))}")
    if row.valid_from:
        details.append(f"from {visible(row.valid_from)}")
    if row.valid_until:
        details.append(f"until {visible(row.valid_until)}")
    padding = " " * (path_width - cell_width(path))
    return f"{row.verdict:<{verdict_width}}  {path}{padding}  {'  '.join(details)}".rstrip(" ")


def _counts(report: StatusReport, rows: list[StatusRow]) -> str:
    by_verdict = Counter(row.verdict for row in rows)
    counts = ", ".join(f"{number} {verdict}" for verdict, number in by_verdict.items())
    known = f", as known at {visible(report.known_at)}" if report.known_at else ""
    return f"{counted(len(rows), 'memo')}{': ' if counts else ''}{counts}; as of {visible(report.at)}{known}."


def render_json(report: StatusReport) -> Iterator[str]:
    """One object, the memos in the order given; its schema is `recall_lint/schema/status.schema.json`."""
    head = {
        "version": 1,
        "tool_version": report.tool_version,
        "root": text(report.root),
        "at": report.at,
        "known_at": report.known_at,
    }
    yield f'{dumps(head)[:-1]},"memos":['
    separator = "\n"
    for row in report.memos:
        yield f"{separator}{dumps(_row_object(row))}"
        separator = ",\n"
    yield "\n]}\n" if report.memos else "]}\n"


def _row_object(row: StatusRow) -> dict[str, object]:
    return {
        "path": text(row.path),
        "verdict": row.verdict,
        "superseded_by": [text(path) for path in row.superseded_by],
        "valid_from": row.valid_from and text(row.valid_from),
        "valid_until": row.valid_until and text(row.valid_until),
        "recorded": row.recorded,
    }
