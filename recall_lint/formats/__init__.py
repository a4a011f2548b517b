"""Every way to write a report out, by name. A format is a module with `render(report, view)`, loaded when asked for."""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import cast

from recall_core.adapters.terminal import DEFAULT_WIDTH
from recall_lint.formats.report import Report, View

FORMATS = {
    "full": "recall_lint.formats.full",
    "concise": "recall_lint.formats.concise",
    "json": "recall_lint.formats.json",
    "jsonl": "recall_lint.formats.jsonl",
    "sarif": "recall_lint.formats.sarif",
    "github": "recall_lint.formats.github",
}


def render(
    name: str, report: Report, *, color: bool = False, verbose: bool = False, width: int = DEFAULT_WIDTH
) -> Iterator[str]:
    """`report` in the format `name`, in chunks that each end a line. KeyError for a name not in `FORMATS`."""
    module = import_module(FORMATS[name])
    renderer = cast("Callable[[Report, View], Iterator[str]]", module.render)
    return renderer(report, View(color, verbose, width))
