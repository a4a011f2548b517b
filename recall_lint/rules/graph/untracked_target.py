"""A reference names a file that is not in Git.

## What it does
Reports a `supersedes` reference to a file that lies in the work tree, but would not be part of the next commit. It is a
warning where the work tree is linted. In a hook, where the corpus is what the commit holds, the file is no memo, and it
is an error.

## Why is this bad?
The commit names a memo that only this machine has. Everybody else gets a dangling reference.

## Example
`supersedes: limits-v1`, and `limits-v1.md` was never added.

## Use instead
```
git add limits-v1.md
```

## Fix safety
No fix: nothing here ever changes what Git holds.
"""

from collections.abc import Iterator

from recall_core.graph.corpus import Naming
from recall_lint.diagnostic import Diagnostic, Related, Severity
from recall_lint.inspection import Absence, Inspection
from recall_lint.rule import Rule
from recall_lint.rules.graph.absent_files import find_absent, of_kind
from recall_lint.rules.graph.wording import as_written, git_add

RULE = Rule("RL002", "untracked-target", Severity.ERROR)


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each edge into an untracked memo, and for each reference whose file the commit would not hold."""
    if inspection.surroundings.untracked:
        yield from _check_edges(inspection)
    for memo, reference, _ in inspection.named(Naming.MISSING):
        files = of_kind(find_absent(inspection, reference).files, Absence.UNTRACKED)
        if files:
            paths = [file.path for file in files]
            yield RULE.at(
                memo.path,
                reference.span,
                f"{as_written(reference)} is not in Git: this commit would not hold it",
                help=git_add(paths),
                related=(Related(path, "not in Git") for path in paths),
            )


def _check_edges(inspection: Inspection) -> Iterator[Diagnostic]:
    untracked = inspection.surroundings.untracked
    for edge in inspection.evaluation.edges.all:
        if edge.target.path in untracked:
            yield RULE.at(
                edge.successor.path,
                edge.reference.span,
                f"{as_written(edge.reference)} is not in Git yet",
                help=git_add([edge.target.path]),
                related=(Related(edge.target.path, "not in Git"),),
                severity=Severity.WARNING,
            )
