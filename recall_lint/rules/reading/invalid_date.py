"""A validity date is not a day of the calendar, written `YYYY-MM-DD`.

## What it does
Reports a `valid_from` or `valid_until` that is anything but one real day as `YYYY-MM-DD`: months and days that do not
exist, numbers without their zeros, other orders and separators, times, lists, and stand-ins such as `TBD`.

## Why is this bad?
When the memo holds cannot be known, so it is `invalid_metadata` and no search relies on it. Its `supersedes` still
counts: what it replaced stays replaced, by a memo that is not in force.

## Example
```yaml
valid_until: 2026-13-01
```

## Use instead
```yaml
valid_until: 2026-12-01
```

## Fix safety
Safe where only zeros are missing (`2026-1-5` is `2026-01-05`). Unsafe where the year comes first and the separators are
others or none (`2026/01/05`, `20260105`), and where a time is cut off (`2026-01-05T10:00:00Z`). There is no fix where
day and month could be taken for each other, or where the window would then end before it starts.
"""

import re
from calendar import monthrange
from collections.abc import Iterator

from recall_core.frontmatter.dates import parse_day, repair_day
from recall_core.frontmatter.reference import is_placeholder
from recall_core.model.memo import Bound, Memo
from recall_core.model.span import TextEdit
from recall_lint.diagnostic import Applicability, Diagnostic, Fix, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.graph.wording import shorten

RULE = Rule("RL105", "invalid-date", Severity.ERROR)

_WRITTEN_AS_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_TIMESTAMP = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}[0-9:.,]*[ \t]*(?:[Zz]|[-+][0-9:]+)?"
)
_DIGITS = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each date that is none, at its value."""
    for memo in inspection.corpus.memos:
        for bound in (memo.valid_from, memo.valid_until):
            if bound is not None and bound.day is None:
                message = f"`{shorten(bound.written)}` is not a calendar date"
                yield RULE.at(memo.path, bound.span, message, help=_advise(bound), fix=_build_fix(memo, bound))


def _advise(bound: Bound) -> str:
    if bound.value is None:
        return "write one day as `YYYY-MM-DD`"
    if is_placeholder(bound.value):
        return "write the day as `YYYY-MM-DD`, or remove the line until it is known"
    if day := _repair(bound)[0]:
        return f"write `{day}`"
    if match := _WRITTEN_AS_DAY.fullmatch(bound.value):
        year, month = int(match[1]), int(match[2])
        if not 1 <= month <= 12:
            return "months go from `01` to `12`: write `YYYY-MM-DD`"
        if 1 <= year <= 9999:
            return f"{match[1]}-{match[2]} has days `01` to `{monthrange(year, month)[1]}`: write `YYYY-MM-DD`"
    return "write the day as `YYYY-MM-DD`"


def _repair(bound: Bound) -> tuple[str | None, Applicability]:
    """The day that is meant, if it can be told, and how sure that is."""
    value = bound.value or ""
    if day := repair_day(value):
        return day, Applicability.SAFE if value[4] == "-" else Applicability.UNSAFE
    if match := _TIMESTAMP.fullmatch(value):
        day = match[1]
    elif match := _DIGITS.fullmatch(value):
        day = "-".join(match.groups())
    else:
        return None, Applicability.UNSAFE
    return (day if parse_day(day) else None), Applicability.UNSAFE


def _build_fix(memo: Memo, bound: Bound) -> Fix | None:
    day, applicability = _repair(bound)
    if day is None or _would_be_empty(memo, bound, day):
        return None
    quote = bound.written[:1] if bound.written[:1] in ("'", '"') else ""
    if bound.written != f"{quote}{bound.value}{quote}":
        return None  # a block scalar, or one with escapes
    return Fix(applicability, (TextEdit(bound.span, f"{quote}{day}{quote}"),))


def _would_be_empty(memo: Memo, bound: Bound, day: str) -> bool:
    """Whether the window would end before it starts, were this date (and the other, if it can be) mended."""
    first, last = ((day if end is bound else _day_of(end)) for end in (memo.valid_from, memo.valid_until))
    return first is not None and last is not None and first > last


def _day_of(bound: Bound | None) -> str | None:
    if bound is None:
        return None
    return bound.day.isoformat() if bound.day else _repair(bound)[0]
