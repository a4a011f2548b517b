"""Colour for people: the text stays the same, with or without."""

from typing import assert_never

from recall_lint.diagnostic import Severity

BOLD = "1"
FAINT = "2"
CYAN = "36"


def paint(text: str, style: str, *, color: bool) -> str:
    """`text`, in a style when there is colour."""
    return f"\x1b[{style}m{text}\x1b[0m" if color else text


def severity_style(severity: Severity) -> str:
    """Red, yellow or blue, bold."""
    match severity:
        case Severity.ERROR:
            return "1;31"
        case Severity.WARNING:
            return "1;33"
        case Severity.INFO | Severity.OFF:
            return "1;34"
        case _:
            assert_never(severity)
