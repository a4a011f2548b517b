"""The one way to write a day: zero-padded `YYYY-MM-DD`, ASCII digits, a real Gregorian day."""

import re
from datetime import UTC, date, datetime, time

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LOOSE_DAY = re.compile(r"([0-9]{4})([-/.])([0-9]{1,2})\2([0-9]{1,2})")


def parse_day(text: str) -> date | None:
    """The day that `text` names, or None. Stricter than `date.fromisoformat`, which takes `20260101` and week dates."""
    if not _DAY.fullmatch(text):
        return None
    try:
        return date(int(text[:4]), int(text[5:7]), int(text[8:]))
    except ValueError:
        return None


def repair_day(text: str) -> str | None:
    """The `YYYY-MM-DD` form of a day written year first with short numbers or other separators, else None."""
    match = _LOOSE_DAY.fullmatch(text)
    if match is None:
        return None
    repaired = f"{match[1]}-{match[3]:0>2}-{match[4]:0>2}"
    return repaired if parse_day(repaired) else None


def last_instant(day: date) -> datetime:
    """The last microsecond of the day, inclusive: an author writing "until the 31st" means the whole of the 31st."""
    return datetime.combine(day, time.max, UTC)
