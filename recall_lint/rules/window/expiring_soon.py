"""A memo in force will run out soon.

## What it does
Points out a memo in force whose `valid_until` lies within the next days: 30, or as many as `expiring-within-days` says;
0 switches the rule off.

## Why is this bad?
It is a reminder. When the day has passed, a search no longer relies on the memo.

## Example
`valid_until: 2026-06-30` in June.

## Use instead
Extend `valid_until`, or write the memo that replaces it.

## Fix safety
No fix. The finding depends on the day, so it does not count for the exit status unless `--at` is given.
"""

from collections.abc import Iterator

from recall_lint.diagnostic import Diagnostic, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule

RULE = Rule("RL402", "expiring-soon", Severity.INFO)


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each memo in force that ends within the configured days, at the value of `valid_until`."""
    evaluation, within = inspection.evaluation, inspection.expiring_within_days
    if within <= 0:
        return
    for memo in inspection.corpus.memos:
        if memo.valid_until is None or memo.valid_until.day is None:
            continue
        days = (memo.valid_until.day - evaluation.day).days
        if not 0 <= days <= within or not evaluation.is_in_force(memo):
            continue
        left = "with this day" if days == 0 else f"in {days} day{'s' if days > 1 else ''}"
        yield RULE.at(
            memo.path,
            memo.valid_until.span,
            f"this memo ends {left}: it holds until {memo.valid_until.day}",
            help="extend `valid_until`, or write the memo that replaces it",
            clock=True,
        )
