"""A metadata block is opened and never closed.

## What it does
Reports a memo whose first line is `---`, followed by a `key:` line, without a closing `---` or `...` in column 1.

## Why is this bad?
Where the metadata ends and the text begins cannot be known, so nothing in the block is applied: a memo that replaces
another no longer does, and nothing in its text shows it.

## Example
```markdown
---
supersedes: limits-v1
# Limits
```

## Use instead
```markdown
---
supersedes: limits-v1
---
# Limits
```

## Fix safety
No fix: which line was meant to be the last one of the block is for its author to say.
"""

from collections.abc import Iterator

from recall_core.model.memo import ProblemKind
from recall_lint.diagnostic import Diagnostic, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.reading.problems import report

RULE = Rule("RL101", "unclosed-frontmatter", Severity.ERROR)


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each memo with such a block."""
    return report(RULE, inspection, ProblemKind.UNCLOSED_BLOCK)
