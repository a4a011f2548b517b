"""From what the reader could not read to a rule's findings."""

from collections.abc import Iterator

from recall_core.model.memo import ProblemKind
from recall_lint.diagnostic import Applicability, Diagnostic, Fix, Related, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule


def report(
    rule: Rule, inspection: Inspection, *kinds: ProblemKind, severity: Severity | None = None
) -> Iterator[Diagnostic]:
    """A finding of `rule` for each problem of these kinds; edits that the reader found are a safe fix."""
    for memo, problem in inspection.problems(*kinds):
        related = tuple(Related(memo.path, message, span) for span, message in problem.related)
        fix = Fix(Applicability.SAFE, problem.edits) if problem.edits else None
        yield rule.at(
            memo.path, problem.span, problem.message, help=problem.help, related=related, fix=fix, severity=severity
        )
