"""A reference names a part of a memo.

## What it does
Reports a `supersedes` reference with an anchor, such as `limits#quota`, and a value that YAML takes for a comment,
such as `#12` without quotes.

## Why is this bad?
A memo is replaced as a whole or not at all. A reference to a section makes no edge: the memo it names stays in force,
its outdated section included. A comment declares nothing.

## Example
`supersedes: "limits-v1#quota"`

## Use instead
`supersedes: limits-v1` if the new memo replaces all of it. Otherwise leave `supersedes` out, and say in the old memo
which section no longer holds, or split it. A file name that really holds a `#` is found when it is given in full.

## Fix safety
No fix: how much of the old memo is replaced is for its author to say.
"""

from collections.abc import Iterator

from recall_core.graph.corpus import Naming
from recall_core.model.memo import ProblemKind
from recall_lint.diagnostic import Diagnostic, Related, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.graph.wording import as_written, shorten
from recall_lint.rules.reading.problems import report

RULE = Rule("RL206", "partial-reference", Severity.WARNING)


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each reference to a section, and for each value that is only a comment."""
    for memo, reference, resolution in inspection.named(Naming.PART):
        yield RULE.at(
            memo.path,
            reference.span,
            f"{as_written(reference)} names a section: `{shorten(reference.name)}` is not replaced by this",
            help=f"write `{shorten(reference.name)}` if the whole memo is replaced, else remove the reference",
            related=(Related(match.path, "stays in force as a whole") for match in resolution.memos),
        )
    yield from report(RULE, inspection, ProblemKind.COMMENTED_VALUE)
