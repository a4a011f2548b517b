"""What every rule has: a code, a name, a severity, and a way to say where."""

from collections.abc import Iterable
from typing import NamedTuple

from recall_core.model.span import Span
from recall_lint.diagnostic import Diagnostic, Fix, Related, Severity


class Rule(NamedTuple):
    """The identity of a rule. `severity` is the default; configuration may set another."""

    code: str
    name: str
    severity: Severity

    def at(
        self,
        path: str,
        span: Span,
        message: str,
        *,
        help: str = "",  # noqa: A002 - the word of every message here
        related: Iterable[Related] = (),
        fix: Fix | None = None,
        severity: Severity | None = None,
        clock: bool = False,
    ) -> Diagnostic:
        """A finding of this rule at `span` of `path`."""
        return Diagnostic(
            self.code, self.name, severity or self.severity, path, span, message, help, tuple(related), fix, clock
        )
