"""Two memos in force replace the same one.

## What it does
Points out a memo that two or more memos in force declare to replace. It is reported at the last of them by path; the
references of the others are related places.

## Why is this bad?
Often it is not: a memo that is split up has two successors. But two people who replace the same memo without knowing
of each other leave two answers to one question, and a search states both.

## Example
`supersedes: limits-v1` in `limits-v2.md` and in `new-limits.md`.

## Use instead
Let one of them replace the other. If both replace it together, say so:
```yaml
supersedes: limits-v1  # recall: ignore RL205 split in two
```

## Fix safety
No fix: only the authors know whether both are meant to stand.
"""

from collections.abc import Iterator

from recall_lint.diagnostic import Diagnostic, Related, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.graph.wording import as_written, list_names

RULE = Rule("RL205", "competing-successors", Severity.INFO)


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each memo that several memos in force replace."""
    evaluation = inspection.evaluation
    for edges in evaluation.edges.by_target.values():
        if len(edges) < 2:
            continue
        rivals = sorted(
            (edge for edge in edges if evaluation.is_in_force(edge.successor)), key=lambda edge: edge.successor.path
        )
        if len(rivals) < 2:
            continue
        *others, last = rivals
        names = list_names([edge.successor.key for edge in others], "and")
        lasting = sum(not edge.successor.has_window for edge in rivals)
        yield RULE.at(
            last.successor.path,
            last.reference.span,
            f"{as_written(last.reference)} is replaced by {names} too",
            help="if they replace it together, say so: `# recall: ignore RL205`; else let one replace the other",
            related=(Related(edge.successor.path, "replaces it too", edge.reference.span) for edge in others),
            clock=lasting < 2,  # two that have no window stand on any day
        )
