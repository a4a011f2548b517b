"""Findings as the protocol has them."""

from collections.abc import Iterable, Iterator
from typing import assert_never

from lsprotocol import types

from recall_core.model.escape import visible
from recall_lint.diagnostic import Diagnostic, Severity
from recall_lint.lsp.page import Page

SOURCE = "recall"
"""The name under which an editor shows our findings."""

_NOT_IN_FORCE = frozenset({"RL207", "RL302", "RL401"})
"""Their place is a memo that is not in force any more, or a reference to one."""
_OF_NO_USE = frozenset({"RL108", "RL213", "RL901"})
"""Their place could be removed, and nothing would change."""


def convert_findings(page: Page, *, with_related: bool, with_tags: bool) -> list[types.Diagnostic]:
    """The findings placed in one memo, in order of place; related places and tags where the client takes them."""
    found = page.desk.judgment.findings.get(page.path, ())
    return [convert_finding(each, page, with_related=with_related, with_tags=with_tags) for each in found]


def convert_finding(each: Diagnostic, page: Page, *, with_related: bool, with_tags: bool) -> types.Diagnostic:
    """One finding of a memo."""
    related = list(_related(each, page)) if with_related else []
    tags = list(_tags(each.code)) if with_tags else []
    return types.Diagnostic(
        page.sheet.range(each.span),
        say(each, with_related=not with_related),
        _severity(each.severity),
        each.code,
        source=SOURCE,
        related_information=related or None,
        tags=tags or None,
    )


def say(each: Diagnostic, *, with_related: bool = False) -> str:
    """The message and what to type; with the related places, where they cannot be shown as such."""
    lines = [each.message]
    if with_related:
        lines += [f"{other.path}: {other.message}" for other in each.related]
    if each.help:
        lines.append(f"help: {each.help}")
    return "\n".join(map(visible, lines))


def _related(each: Diagnostic, page: Page) -> Iterator[types.DiagnosticRelatedInformation]:
    for other in each.related:
        there = page if other.path == page.path else page.desk.page(other.path)
        start = types.Position(0, 0)
        place = types.Range(start, start)
        if there is not None and other.span is not None:
            place = there.sheet.range(other.span)
        location = types.Location(page.desk.address(other.path), place)
        yield types.DiagnosticRelatedInformation(location, visible(other.message))


def _tags(code: str) -> Iterable[types.DiagnosticTag]:
    if code in _NOT_IN_FORCE:
        yield types.DiagnosticTag.Deprecated
    if code in _OF_NO_USE:
        yield types.DiagnosticTag.Unnecessary


def _severity(severity: Severity) -> types.DiagnosticSeverity:
    match severity:
        case Severity.ERROR:
            return types.DiagnosticSeverity.Error
        case Severity.WARNING:
            return types.DiagnosticSeverity.Warning
        case Severity.INFO | Severity.OFF:
            return types.DiagnosticSeverity.Information
        case _:
            assert_never(severity)
