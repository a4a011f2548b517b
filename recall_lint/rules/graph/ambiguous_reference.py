"""A reference names more than one memo.

## What it does
Reports a `supersedes` reference whose key belongs to two or more memos.

## Why is this bad?
Which memo the author meant cannot be known. No edge is made, and every memo with that name is
`ambiguous_supersession`: a search refuses to rely on any of them until the name is unique.

## Example
`supersedes: "[[limits]]"` while both `api/limits.md` and `billing/limits.md` exist.

## Use instead
Rename one of the memos, so that the key is unique in the corpus. A directory in the reference does not help: it is
never compared.

## Fix safety
No fix: choosing for the author is the mistake this rule exists to prevent.
"""

from collections.abc import Iterator

from recall_core.graph.corpus import Naming
from recall_lint.diagnostic import Diagnostic, Related, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.graph.wording import as_written

RULE = Rule("RL202", "ambiguous-reference", Severity.ERROR)


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each reference that names several memos; all of them are listed."""
    for memo, reference, resolution in inspection.named(Naming.SEVERAL):
        yield RULE.at(
            memo.path,
            reference.span,
            f"{as_written(reference)} names {len(resolution.memos)} memos",
            help="rename one of them so that the name is unique",
            related=(Related(match.path, "could be this one") for match in resolution.memos),
        )
