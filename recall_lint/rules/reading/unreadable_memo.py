"""A file cannot be read as text.

## What it does
Reports a memo that holds a byte that is not UTF-8, or a NUL, anywhere in the file; and a file that the system refused
to give.

## Why is this bad?
Bytes that one program reads as one text and another as a different one cannot be relied on. Nothing that the memo
declares is applied: it is `invalid_metadata`, and what it replaces counts as current again.

## Example
A memo saved as Latin-1: the `é` of `Café` is the single byte `0xE9`.

## Use instead
Save the file as UTF-8, for example with `iconv -f LATIN1 -t UTF-8`.

## Fix safety
No fix: which encoding the bytes were written in is a guess.
"""

from collections.abc import Iterator

from recall_core.model.memo import ProblemKind
from recall_lint.diagnostic import Diagnostic, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.reading.problems import report

RULE = Rule("RL001", "unreadable-memo", Severity.ERROR)


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each file that cannot be read, at its first bad byte."""
    return report(RULE, inspection, ProblemKind.UNREADABLE_FILE)
