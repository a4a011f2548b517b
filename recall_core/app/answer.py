"""What a search answers: a judged result with what it was asked, or why no judgment was possible."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from recall_core.ports.store import Generation
from recall_core.trust.refusal import Refusal
from recall_core.trust.result import TrustResult

Value = None | bool | int | float | str | Sequence["Value"] | Mapping[str, "Value"]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A judged result. `at` and `known_at` are as they were written; `known_at` is None for all that is known.

    `notes` are sentences about what could not be done as asked.
    """

    query: str
    k: int
    at: str
    known_at: str | None
    generation: Generation
    judged: TrustResult
    diagnostics: Mapping[str, Value]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """No judgment was possible. `detail` is for whoever runs the search, on stderr alone; empty where none is known."""

    refusal: Refusal
    detail: str = ""
