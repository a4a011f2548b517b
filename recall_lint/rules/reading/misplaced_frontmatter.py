"""A metadata block stands where none is read.

## What it does
Reports a validity key between fences that are not those of a block: further down in the text, behind an opening fence
that is not directly followed by a key, or below blank lines at the top of the file. Code does not count, so an example
in a code block is fine. It is an error where only blank lines come before the block, a warning elsewhere.

## Why is this bad?
A block counts on line 1 alone. What stands elsewhere is text: no edge is made and no date is read, though it looks as
if they were.

## Example
```markdown
# Limits

---
supersedes: limits-v1
---
```

## Use instead
```markdown
---
supersedes: limits-v1
---
# Limits
```

## Fix safety
Unsafe, and only where blank lines alone come before the block: the fix removes them, and what the block declares begins
to count. Elsewhere there is none, since the lines may be meant as text.
"""

from collections.abc import Iterator

from recall_core.model.memo import ProblemKind
from recall_core.model.span import Span, TextEdit
from recall_lint.diagnostic import Applicability, Diagnostic, Fix, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.reading.problems import report

RULE = Rule("RL109", "misplaced-frontmatter", Severity.WARNING)


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each memo with such a block, at its opening fence."""
    yield from report(RULE, inspection, ProblemKind.MISPLACED_BLOCK)
    for finding in report(RULE, inspection, ProblemKind.LEADING_BLANK_BLOCK, severity=Severity.ERROR):
        blank_lines = Span(1, 1, finding.span.line, 1)
        yield finding._replace(fix=Fix(Applicability.UNSAFE, (TextEdit(blank_lines, ""),)))
