"""The one place that asks the system what time it is."""

from datetime import UTC, datetime


def now() -> datetime:
    """The current instant, aware, UTC."""
    return datetime.now(UTC)
