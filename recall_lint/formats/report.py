"""What a run of `lint` found: the value that every format renders."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from recall_core.adapters.terminal import DEFAULT_WIDTH
from recall_lint.diagnostic import Diagnostic, Severity


class RuleSummary(NamedTuple):
    """What a reader of SARIF is told of a rule: its name, the first line of its page, its default severity."""

    name: str
    summary: str
    severity: Severity


class View(NamedTuple):
    """How a person wants to see a report; machine formats look at none of it. `width` is in terminal cells."""

    color: bool = False
    verbose: bool = False
    width: int = DEFAULT_WIDTH


class Report(NamedTuple):
    """The findings of one run, sorted by path, line, column and code, and their counts; make one by `build_report`.

    `at` is the day that the corpus was judged on, `at_given` whether somebody chose it (else findings that depend on it
    do not count). `notes` are sentences about the run as a whole. `prefix` leads from the top of the repository to the
    root (`docs/`; empty where they are one), for services that know of the repository only. SARIF alone needs `rules`.
    """

    tool_version: str
    root: str
    at: str
    memos: int
    diagnostics: tuple[Diagnostic, ...]
    errors: int
    warnings: int
    infos: int
    suppressed: int = 0
    baselined: int = 0
    notes: tuple[str, ...] = ()
    at_given: bool = False
    prefix: str = ""
    rules: Mapping[str, RuleSummary] = MappingProxyType({})

    def shown(self, view: View) -> tuple[Diagnostic, ...]:
        """The findings that a person sees: infos only when asked for."""
        if view.verbose:
            return self.diagnostics
        return tuple(each for each in self.diagnostics if each.severity is not Severity.INFO)


def build_report(
    *,
    tool_version: str,
    root: str,
    at: str,
    memos: int,
    diagnostics: Iterable[Diagnostic],
    suppressed: int = 0,
    baselined: int = 0,
    notes: Iterable[str] = (),
    at_given: bool = False,
    prefix: str = "",
    rules: Mapping[str, RuleSummary] | None = None,
) -> Report:
    """A report with its findings sorted and counted."""
    ordered = tuple(sorted(diagnostics, key=_place))
    counts = dict.fromkeys(Severity, 0)
    for diagnostic in ordered:
        counts[diagnostic.severity] += 1
    return Report(
        tool_version,
        root,
        at,
        memos,
        ordered,
        counts[Severity.ERROR],
        counts[Severity.WARNING],
        counts[Severity.INFO],
        suppressed,
        baselined,
        tuple(notes),
        at_given,
        prefix,
        rules or {},
    )


def _place(diagnostic: Diagnostic) -> tuple[str, int, int, str, str]:
    # The message last: two findings of a rule at one place must not swap between runs.
    return diagnostic.path, diagnostic.span.line, diagnostic.span.column, diagnostic.code, diagnostic.message
