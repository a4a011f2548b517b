"""A value of `supersedes` stands for "nothing yet".

## What it does
Reports an item of `supersedes` that is, as a whole and in any letter case, `n/a`, `na`, `none`, `nil`, `tbd`, `todo`,
`-` or `?`, or a name that begins with the `NNNN` or `XXXX` of a template.

## Why is this bad?
It declares nothing, even if a memo of that name exists, and it hides whether the question was ever answered. Other
tools take it for a name.

## Example
```yaml
title: Limits
supersedes: n/a
```

## Use instead
```yaml
title: Limits
```

## Fix safety
Safe: the fix removes the line, or the item from its list. Where a comment stands beside the value, or the block would
no longer begin with a key, it writes `[]` in its place, which declares nothing.
"""

from collections.abc import Iterator

from recall_core.model.memo import ProblemKind
from recall_lint.diagnostic import Diagnostic, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.reading.problems import report

RULE = Rule("RL108", "placeholder-value", Severity.WARNING)


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each such item. In a date it is RL105."""
    return report(RULE, inspection, ProblemKind.PLACEHOLDER_VALUE)
