"""A key is given twice in one metadata block.

## What it does
Reports each later use of a key, and names the place of the first. It is an error for `supersedes`, `valid_from` and
`valid_until`, a warning for any other key.

## Why is this bad?
YAML allows a key once. Some readers keep the first value, some the last, and none says which. For a validity key that
is a memo with two meanings, so the whole block counts as unreadable and none of its edges is applied.

## Example
```yaml
---
supersedes: limits-v1
supersedes: limits-v2
---
```

## Use instead
```yaml
---
supersedes: [limits-v1, limits-v2]
---
```

## Fix safety
No fix: whether both values are meant, or one of them is left over, is for the author to say.
"""

from collections.abc import Iterator

from recall_core.model.memo import ProblemKind
from recall_lint.diagnostic import Diagnostic, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.reading.problems import report

RULE = Rule("RL103", "duplicate-key", Severity.ERROR)


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding at each later key."""
    yield from report(RULE, inspection, ProblemKind.DUPLICATE_VALIDITY_KEY)
    yield from report(RULE, inspection, ProblemKind.DUPLICATE_KEY, severity=Severity.WARNING)
