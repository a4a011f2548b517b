"""A memo has run out, and nothing replaces it.

## What it does
Points out a memo whose `valid_until` has passed and that no other memo replaces.

## Why is this bad?
It need not be: some memos are meant to end. But nothing says what holds now, and a search for it finds no answer.

## Example
`valid_until: 2026-03-31` in April, and no memo says `supersedes:` with this memo's name.

## Use instead
Declare its successor, extend `valid_until`, or leave it: an expired memo is never taken for a current one.

## Fix safety
No fix. The finding depends on the day, so it does not count for the exit status unless `--at` is given.
"""

from collections.abc import Iterator

from recall_core.model.verdict import Verdict
from recall_lint.diagnostic import Diagnostic, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule

RULE = Rule("RL401", "expired-memo", Severity.INFO)


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each memo whose verdict is `expired`, at the value of `valid_until`."""
    evaluation = inspection.evaluation
    for memo in inspection.corpus.memos:
        if memo.valid_until is None or evaluation.verdict(memo) is not Verdict.EXPIRED:
            continue
        yield RULE.at(
            memo.path,
            memo.valid_until.span,
            f"this memo held until {memo.valid_until.day}, and no memo replaces it",
            help="declare its successor, extend `valid_until`, or leave it if nothing holds instead",
            clock=True,
        )
