"""Results for people, as a table, and for programs, as JSON."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from benchmarks.machine import remarks
from benchmarks.row import Goal, Metric, Row

_COLUMNS = {
    Metric.CPU_MEDIAN: "CPU median s",
    Metric.CPU_BEST: "CPU best s",
    Metric.WALL_BEST: "wall best s",
    Metric.PEAK: "peak MB",
    Metric.RATIO: "ratio",
    Metric.EACH: "µs each",
    Metric.DISK: "disk MB",
    Metric.SHARE: "share",
    Metric.COUNT: "count",
    Metric.PER_100: "per 100",
    Metric.PER_SECOND: "a second",
    Metric.P50: "p50 ms",
    Metric.P95: "p95 ms",
}
_UNITS = {
    Metric.CPU_MEDIAN: "s CPU",
    Metric.CPU_BEST: "s CPU",
    Metric.WALL_BEST: "s",
    Metric.PEAK: "MB",
    Metric.RATIO: "times the peer",
    Metric.EACH: "µs",
    Metric.DISK: "MB",
    Metric.SHARE: "",
    Metric.COUNT: "",
    Metric.PER_100: "per 100",
    Metric.PER_SECOND: "a second",
    Metric.P50: "ms",
    Metric.P95: "ms",
}
_NOT_REACHED = "NOT REACHED"


def render_json(machine: Mapping[str, Any], rows: Iterable[Row], failures: Sequence[str]) -> str:
    """One object: `machine`, `rows`, and what could not be measured."""
    results = {"version": 1, "machine": machine, "rows": [row.to_json() for row in rows], "failures": list(failures)}
    return json.dumps(results, indent=1, ensure_ascii=False) + "\n"


def render_heading(machine: Mapping[str, Any]) -> str:
    """What was measured where, and what to keep in mind."""
    first = (
        f"recall {machine['recall']} on {machine['python']}, git {machine['git']}, {machine['cores']} cores "
        f"({machine['processor']}), {machine['platform']}"
    )
    return "\n".join([first, *(f"note: {remark}" for remark in remarks(machine))])


def build_cells(rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Headings and cells; a figure that no row has gets no column."""
    shown = [metric for metric in _COLUMNS if any(metric in row.figures for row in rows)]
    headings = ["", "size", *(_COLUMNS[metric] for metric in shown), "goal", "", ""]
    return headings, [_cells(row, shown) for row in rows]


def _cells(row: Row, shown: Sequence[Metric]) -> list[str]:
    figures = [_number(row.figures[metric], metric) if metric in row.figures else "" for metric in shown]
    goals = ", ".join(_words(goal) for goal in row.goals)
    verdict = "" if row.reached is None else "reached" if row.reached else _NOT_REACHED
    return [row.name, "" if row.size is None else f"{row.size:,}", *figures, goals, verdict, row.note]


def _number(value: float, metric: Metric) -> str:
    match metric:
        case Metric.RATIO:
            return f"{value:.2f}"
        case Metric.EACH:
            return f"{value:.2f}" if value < 10 else f"{value:,.0f}"
        case Metric.COUNT:
            return f"{value:,.0f}"
        case Metric.SHARE:
            return f"{value:.3f}"
        case Metric.PER_100:
            return f"{value:.1f}"
        case Metric.PEAK | Metric.DISK:
            return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"
        case _:
            return f"{value:.3f}" if value >= 0.01 or value == 0 else f"{value:.5f}"


def _words(goal: Goal) -> str:
    return f"{'≥' if goal.at_least else '≤'} {goal.limit:g} {_UNITS[goal.metric]}".rstrip()


def render_plain(rows: Sequence[Row]) -> str:
    """A table in columns, without colour."""
    headings, cells = build_cells(rows)
    widths = [max(len(row[column]) for row in [headings, *cells]) for column in range(len(headings))]
    last = len(headings) - 3
    lines = []
    for row in [headings, *cells]:
        aligned = (
            cell.rjust(width) if 0 < column < last else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join(aligned).rstrip())
    return "\n".join(lines)


def print_rich(rows: Sequence[Row]) -> None:
    """The same table on a terminal."""
    headings, cells = build_cells(rows)
    table = Table(box=None, pad_edge=False, header_style="bold")
    last = len(headings) - 3
    for column, heading in enumerate(headings):
        table.add_column(heading, justify="right" if 0 < column < last else "left", overflow="fold")
    for row in cells:
        style = {"reached": "green", _NOT_REACHED: "bold red"}.get(row[-2], "")
        table.add_row(*(Text(cell) for cell in row[:-2]), Text(row[-2], style), Text(row[-1], "dim"))
    Console().print(table)
