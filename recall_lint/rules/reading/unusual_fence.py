"""Line 1 resembles a fence, and is none.

## What it does
Reports a first line such as `----`, ` ---`, `---x` or `+++` when the next line is a `key:` or `key =` line.

## Why is this bad?
A block opens with exactly three dashes in column 1. Behind anything else the lines are text, so the memo has no
metadata: no edge, no window, and nothing that says so.

## Example
```markdown
----
supersedes: limits-v1
----
```

## Use instead
```markdown
---
supersedes: limits-v1
---
```

## Fix safety
No fix: the closing line has to change with the opening one, and what lies between may not be YAML.
"""

from collections.abc import Iterator

from recall_core.model.memo import ProblemKind
from recall_lint.diagnostic import Diagnostic, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.reading.problems import report

RULE = Rule("RL111", "unusual-fence", Severity.WARNING)


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each memo that begins so."""
    return report(RULE, inspection, ProblemKind.UNUSUAL_FENCE)
