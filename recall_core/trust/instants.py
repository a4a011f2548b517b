"""The instants that a search is judged at."""

from dataclasses import dataclass
from datetime import date, datetime

from recall_core.graph.evaluate import as_utc


@dataclass(frozen=True, slots=True)
class Instants:
    """`at` in valid time, `known_at` in recorded time (None: everything is known), and what the clock said.

    Naive instants are read as UTC. Windows are compared with `at`, the index's age with `clock`.
    """

    at: datetime
    clock: datetime
    known_at: datetime | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "at", as_utc(self.at))
        object.__setattr__(self, "clock", as_utc(self.clock))
        if self.known_at is not None:
            object.__setattr__(self, "known_at", as_utc(self.known_at))

    @property
    def day(self) -> date:
        """The day of UTC that windows are compared with."""
        return self.at.date()
