"""A metadata block is not valid YAML, or a validity key in it cannot be read.

## What it does
Reports a block that YAML refuses, at the place of the error in the file. Also reported: merge conflict markers, a block
over 64 KiB, and a validity key whose value is an alias, a mapping, lists nested over 8 levels deep, or something that
`<<` would bring in.

## Why is this bad?
Nothing in the block is applied: a memo that replaces another no longer does. The finding quotes the validity lines that
do not count.

## Example
```yaml
---
title: Rate limits: second try
supersedes: rate-limits
---
```

## Use instead
```yaml
---
title: "Rate limits: second try"
supersedes: rate-limits
---
```

## Fix safety
No fix: the finding says what to type, but what the line was meant to say is for its author to confirm.
"""

from collections.abc import Iterator

from recall_core.model.memo import ProblemKind
from recall_lint.diagnostic import Diagnostic, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.reading.problems import report

RULE = Rule("RL102", "invalid-frontmatter", Severity.ERROR)


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each block that cannot be read, at its first error."""
    return report(RULE, inspection, ProblemKind.INVALID_BLOCK)
