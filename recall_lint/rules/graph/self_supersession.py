"""A memo says that it replaces itself.

## What it does
Reports a `supersedes` reference that names the memo it stands in.

## Why is this bad?
It declares nothing: the reference is ignored. The memo that was meant stays in force.

## Example
`supersedes: limits-v2` in `limits-v2.md`, often left over from a copied template.

## Use instead
`supersedes: limits-v1`, or no `supersedes` at all.

## Fix safety
No fix: which memo was meant is for its author to say.
"""

from collections.abc import Iterator

from recall_core.graph.corpus import Naming
from recall_lint.diagnostic import Diagnostic, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.graph.wording import as_written

RULE = Rule("RL203", "self-supersession", Severity.ERROR)


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each reference of a memo to itself."""
    for memo, reference, _ in inspection.named(Naming.SELF):
        yield RULE.at(
            memo.path,
            reference.span,
            f"{as_written(reference)} is this memo: a memo cannot supersede itself",
            help="name the memo that this one replaces, or remove the reference",
        )
