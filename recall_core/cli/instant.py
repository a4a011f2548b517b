"""DATE on the command line: a day, or an RFC 3339 instant. A day stands for its last microsecond, UTC."""

import re
from datetime import UTC, datetime
from typing import Any

import click

# Python reads more of ISO 8601: week dates, forms without hyphens and colons, a comma before the fraction.
_RFC_3339 = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})", re.IGNORECASE
)


class Instant(click.ParamType["Moment"]):
    """Converts DATE to a `Moment`."""

    name = "DATE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> "Moment":
        """The moment that `value` names; anything else is a usage error that says what to type."""
        if isinstance(value, Moment):
            return value
        from recall_core.frontmatter.dates import last_instant, parse_day

        text = str(value)
        if (day := parse_day(text)) is not None:
            return Moment(text, last_instant(day))
        try:
            instant = datetime.fromisoformat(text.upper()) if _RFC_3339.fullmatch(text) else None
        except ValueError:
            instant = None
        if instant is None:
            self.fail(f"`{text}` is no date; write YYYY-MM-DD, or an instant such as 2026-06-01T12:00:00Z", param, ctx)
        from recall_core.graph.evaluate import as_utc

        return Moment(text, as_utc(instant))


class Moment:
    """An instant, and how it was written."""

    __slots__ = ("instant", "written")

    def __init__(self, written: str, instant: datetime) -> None:
        self.written, self.instant = written, instant


def moment_of_day(now: datetime) -> Moment:
    """The day that `now` lies in, UTC."""
    from recall_core.frontmatter.dates import last_instant

    day = now.astimezone(UTC).date()
    return Moment(day.isoformat(), last_instant(day))
