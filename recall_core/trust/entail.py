"""The entailment stage: proximity is a candidate, entailment is the evidence. Opt-in, after `judge`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Protocol

from recall_core.errors import EntailerError
from recall_core.model.hit import HitVerdict
from recall_core.trust.abstain import abstain_near_miss
from recall_core.trust.order import put_valid_first
from recall_core.trust.result import TrustResult


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a text answers the query, and the entailer's score for it: higher is surer, its range is its own."""

    is_entailed: bool
    score: float


class Entailer(Protocol):
    """Whoever reads a text and says whether it answers the query."""

    def entail(self, query: str, texts: Sequence[str]) -> Sequence[Decision]:
        """One decision for each text, in their order."""
        ...


def apply_entailment(result: TrustResult, query: str, entailer: Entailer) -> TrustResult:
    """The result with the `OK` hits that do not answer the query demoted to `NOT_ENTAILED`.

    Only `OK` hits are shown to the entailer, with the headings that they stand under, in one call, and none when there
    is none: a demoted hit can never come back. Cosine, confidence and provenance stay. Where none is left the result
    abstains as a near miss. Raises EntailerError for another number of decisions than texts, or for a score that is no
    finite number.
    """
    asked = result.ok_hits
    if not asked:
        return result
    decisions = list(entailer.entail(query, [hit.candidate.chunk.passage for hit in asked]))
    _check(decisions, len(asked))
    judged = [
        replace(
            hit,
            verdict=HitVerdict.OK if decision.is_entailed else HitVerdict.NOT_ENTAILED,
            entailment=decision.score,
        )
        for hit, decision in zip(asked, decisions, strict=True)
    ]
    others = [hit for hit in result.hits if hit.verdict is not HitVerdict.OK]
    hits = put_valid_first((*judged, *others))
    abstention = None if hits[0].verdict is HitVerdict.OK else abstain_near_miss(hits[0])
    return replace(result, hits=hits, abstention=abstention)


def _check(decisions: Sequence[Decision], asked: int) -> None:
    what_to_type = "search without `--entail`, or configure another entailer"
    if len(decisions) != asked:
        raise EntailerError(f"the entailer decided on {len(decisions)} of {asked} texts", help=what_to_type)
    if not all(isfinite(decision.score) for decision in decisions):
        raise EntailerError("the entailer gave a score that is no finite number", help=what_to_type)
