"""What is said of one hit of a search: its verdict, where it comes from and how long it holds."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum


class HitVerdict(Enum):
    """Whether a hit can be relied on; only `OK` should be acted on. The members stand in order of precedence.

    Those that `Verdict` has too mean the same. `NOT_ENTAILED` comes from the entailment stage alone, `UNVERIFIED` from
    development mode without a threshold.
    """

    INVALID_METADATA = "invalid_metadata"
    NOT_YET_KNOWN = "not_yet_known"
    AMBIGUOUS_SUPERSESSION = "ambiguous_supersession"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    NOT_YET_VALID = "not_yet_valid"
    LOW_CONFIDENCE = "low_confidence"
    NOT_ENTAILED = "not_entailed"
    UNVERIFIED = "unverified"
    OK = "ok"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a hit stands: the corpus with its revision, the memo's path in it, the chunk, and when it was indexed."""

    source: str
    path: str
    ordinal: int
    line: int
    end_line: int
    heading: str
    indexed_at: datetime


@dataclass(frozen=True, slots=True)
class Validity:
    """The window of a memo, days as `YYYY-MM-DD` or as written where they are none, and its terminal successors."""

    valid_from: str | None
    valid_until: str | None
    superseded_by: tuple[str, ...]
