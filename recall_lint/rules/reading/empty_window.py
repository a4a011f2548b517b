"""A validity window ends before it starts.

## What it does
Reports a memo whose `valid_until` is an earlier day than its `valid_from`. The same day for both is a window of one
day.

## Why is this bad?
There is no day on which such a memo holds. Nobody means that, so the memo is `invalid_metadata` and no search relies on
it.

## Example
```yaml
valid_from: 2026-06-01
valid_until: 2026-05-31
```

## Use instead
```yaml
valid_from: 2026-05-01
valid_until: 2026-05-31
```

## Fix safety
No fix: which of the two dates is wrong is for the author to say.
"""

from collections.abc import Iterator

from recall_lint.diagnostic import Diagnostic, Related, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule

RULE = Rule("RL106", "empty-window", Severity.ERROR)


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each memo with such a window, at the value of `valid_until`."""
    for memo in inspection.corpus.memos:
        first, last = memo.valid_from, memo.valid_until
        if first is None or last is None or not memo.has_empty_window:
            continue
        yield RULE.at(
            memo.path,
            last.span,
            f"`valid_until` {last.day} is before `valid_from` {first.day}",
            help="correct one of the two dates; `valid_until` is the last day that counts",
            related=(Related(memo.path, "`valid_from` is given here", first.span),),
        )
