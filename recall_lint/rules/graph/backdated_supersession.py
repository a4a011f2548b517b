"""A memo replaces one that came into the corpus after it.

## What it does
Reports a reference that a change brought in, whose memo was recorded before the memo that it replaces. When a memo was
recorded is what Git says: the commit that brought it in. In a full run all references are judged. A memo whose time is
not known, such as one that is not committed yet, gives no finding.

## Why is this bad?
A memo seldom replaces a later one. Mostly the reference stands in the wrong file, and the current memo is taken for
the outdated one.

## Example
`supersedes: limits-v2` in `limits-v1.md`, where `limits-v1.md` is the older file.

## Use instead
`supersedes: limits-v1` in `limits-v2.md`. If an older memo was really revised to take the place of a newer one, say so
with `# recall: ignore RL208`.

## Fix safety
No fix: which of the two is the current one is for people to say.
"""

from collections.abc import Iterator

from recall_core.frontmatter.scalar import write_scalar
from recall_lint.diagnostic import Diagnostic, Related, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.graph.wording import as_written, shorten

RULE = Rule("RL208", "backdated-supersession", Severity.WARNING)


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each new edge whose declarer was recorded before its target."""
    surroundings = inspection.surroundings
    edges = [edge for edge in inspection.evaluation.edges.all if surroundings.is_new(edge)]
    if not edges:
        return
    recorded = surroundings.recorded()
    for edge in edges:
        declared, replaced = recorded.get(edge.successor.path), recorded.get(edge.target.path)
        if declared is None or replaced is None or declared >= replaced:
            continue
        line = f"supersedes: {shorten(write_scalar(edge.successor.key) or edge.successor.key)}"
        yield RULE.at(
            edge.successor.path,
            edge.reference.span,
            f"{as_written(edge.reference)} was recorded on {replaced:%Y-%m-%d}, after this memo ({declared:%Y-%m-%d})",
            help=f"check the direction: if the other memo replaces this one, write `{line}` there",
            related=(Related(edge.target.path, "recorded later"),),
        )
