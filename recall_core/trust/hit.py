"""One hit after it was judged."""

from dataclasses import dataclass

from recall_core.model.hit import HitVerdict, Provenance, Validity
from recall_core.model.memo import Bound
from recall_core.trust.candidate import Candidate


@dataclass(frozen=True, slots=True)
class Hit:
    """A candidate with its verdict. `confidence` is None without a threshold or without a cosine.

    `promoted_from` is the path of the replaced memo whose relevance this hit was given; `is_fetched` says that it was
    looked up by key for that, on top of what was retrieved. `entailment` is the entailer's score, None where it was not
    asked.
    """

    candidate: Candidate
    verdict: HitVerdict
    confidence: float | None
    source: str
    promoted_from: str | None = None
    is_fetched: bool = False
    entailment: float | None = None

    @property
    def path(self) -> str:
        """The memo's path in the corpus."""
        return self.candidate.memo.memo.path

    @property
    def cosine(self) -> float | None:
        """The candidate's own."""
        return self.candidate.cosine

    @property
    def text(self) -> str:
        """The chunk as it is written."""
        return self.candidate.chunk.text

    @property
    def provenance(self) -> Provenance:
        """Where it comes from."""
        chunk = self.candidate.chunk
        return Provenance(
            self.source,
            self.path,
            chunk.ordinal,
            chunk.line,
            chunk.end_line,
            chunk.heading,
            self.candidate.indexed_at,
        )

    @property
    def validity(self) -> Validity:
        """Its window, and what replaced it in the end."""
        memo = self.candidate.memo.memo
        return Validity(render_bound(memo.valid_from), render_bound(memo.valid_until), self.superseded_by)

    @property
    def superseded_by(self) -> tuple[str, ...]:
        """The paths of the terminal successors, the last asserted first."""
        return tuple(successor.path for successor in self.candidate.memo.successors)


def render_bound(bound: Bound | None) -> str | None:
    """The day as `YYYY-MM-DD`; what is no day as it was written."""
    if bound is None:
        return None
    return bound.written if bound.day is None else bound.day.isoformat()
