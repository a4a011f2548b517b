"""What a search answers: hits that were judged, or a refusal when no judgement was possible."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from recall_core.app.mode import Mode
from recall_core.generation.chunk import Chunk
from recall_core.ports.store import Generation

Value = None | bool | int | float | str | Sequence["Value"] | Mapping[str, "Value"]


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk with its verdict. `confidence` is None without a calibration, `cosine` without an embedding.

    `promoted_from` is the path of the replaced memo in whose place it stands; `superseded_by` are paths, the last
    asserted first. `why` holds what the verdict was made of.
    """

    verdict: str
    confidence: float | None
    cosine: float | None
    chunk: Chunk
    path: str
    indexed_at: datetime
    valid_from: date | None
    valid_until: date | None
    superseded_by: tuple[str, ...] = ()
    promoted_from: str | None = None
    why: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Staleness:
    """How old the newest indexed content is, beside the age that is allowed."""

    newest: datetime
    age: timedelta
    max_age: timedelta

    @property
    def stale(self) -> bool:
        """Whether it is older than is allowed."""
        return self.age > self.max_age


@dataclass(frozen=True, slots=True)
class Judged:
    """The judgement on what was retrieved. `reason_code` is None unless it abstained."""

    hits: tuple[Hit, ...]
    abstained: bool
    reason: str
    reason_code: str | None
    threshold: float | None = None
    gap_warning: bool = False


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A whole answer. `failure_code` is what strict mode would have refused with; None where it would not have.

    `notes` are sentences about what the server could not do as asked.
    """

    query: str
    k: int
    at: str
    known_at: str | None
    mode: Mode
    generation: Generation
    judged: Judged
    calibration_id: str | None
    calibration_status: str
    query_set_digest: str | None
    failure_code: str | None
    staleness: Staleness
    diagnostics: Mapping[str, Value]
    notes: tuple[str, ...] = ()

    @property
    def is_trusted(self) -> bool:
        """Whether strict mode would have answered the same."""
        return self.failure_code is None


@dataclass(frozen=True, slots=True)
class Refusal:
    """No judgement was possible: identities and what to do, never the query, a text, a path or a score."""

    failure_code: str
    calibration_status: str
    advice: str
    tenant: str
    generation: str | None
