"""Two memos have all but the same name.

## What it does
Reports a memo in whose folder another one has a name that differs only by letter case, blanks, hyphens or underscores.

## Why is this bad?
Often it is one memo written twice, or a copy that a file system made. A reference to the one is easily written with
the name of the other, and where letter case is ignored one of the two files is lost at check-out.

## Example
`rate-limits.md` beside `rate_limits.md`.

## Use instead
Keep one of them, or give one a name that says how it differs.

## Fix safety
No fix: which memo stays is for people to say.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from recall_core.model.memo import Memo
from recall_core.model.span import START
from recall_lint.diagnostic import Diagnostic, Related, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.graph.wording import shorten

RULE = Rule("RL212", "look-alike-names", Severity.WARNING)

_BETWEEN_DIGITS: Final = re.compile(r"(?<=[0-9])[-_ ]+(?=[0-9])")


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each memo of a group but the first by path."""
    first: dict[str, Memo] = {}
    groups: dict[str, list[Memo]] = {}
    for memo in inspection.corpus.memos:
        folded = look_alike_group(memo)
        other = first.setdefault(folded, memo)
        if other is not memo:
            groups.setdefault(folded, [other]).append(memo)
    for group in groups.values():
        yield from _report(group)


def look_alike_group(memo: Memo) -> str:
    """The folder and the bare letters of a name: memos that share them may look alike."""
    # The slash keeps folders apart; no key holds one.
    return memo.path[: memo.path.rfind("/") + 1] + _fold(memo.key)


def _fold(key: str) -> str:
    return key.lower().replace("-", "").replace("_", "").replace(" ", "")


def _report(group: Sequence[Memo]) -> Iterator[Diagnostic]:
    """The findings of a group. What parts two numbers is no decoration: `1-10` is not `11-0`."""
    first: dict[str, Memo] = {}
    for memo in group:
        other = first.setdefault(_fold(_BETWEEN_DIGITS.sub(".", memo.key)), memo)
        if other is not memo:
            yield RULE.at(
                memo.path,
                START,
                f"`{shorten(memo.key)}` looks like `{shorten(other.key)}` in the same folder: one memo written twice?",
                help="keep one of them, or rename one so that they differ in more than case, blanks and hyphens",
                related=(Related(other.path, "the other one"),),
            )
