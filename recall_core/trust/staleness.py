"""How old an index is, whatever its hits say: one that stopped updating answers confidently and wrongly."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from recall_core.graph.evaluate import as_utc


@dataclass(frozen=True, slots=True)
class Staleness:
    """`newest` is when the newest content was indexed, None where nothing ever was; ages are in seconds.

    `max_age_seconds` is None where no age is too old.
    """

    is_stale: bool
    newest: datetime | None
    age_seconds: float | None
    max_age_seconds: float | None


def judge_staleness(newest: datetime | None, *, clock: datetime, max_age: timedelta | None) -> Staleness:
    """Stale is what was never indexed, and what is older than `max_age`; exactly that age is fresh.

    Content from after `clock` (clocks differ) has the age 0. Naive instants are read as UTC.
    """
    limit = None if max_age is None else max_age.total_seconds()
    if newest is None:
        return Staleness(True, None, None, limit)
    newest = as_utc(newest)
    age = max(0.0, (as_utc(clock) - newest).total_seconds())
    return Staleness(limit is not None and age > limit, newest, age, limit)
