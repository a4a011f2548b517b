"""A claim: what one sentence says of who replaces whom, and what holds it back."""

from typing import NamedTuple

from recall_core.prose.candidate import Refusal
from recall_core.prose.markers import Family, Mark
from recall_core.prose.reduce import AMBIGUOUS, MISSING, Mentioned

DECISIVE = (
    Refusal.CATALOGUE,
    Refusal.QUOTED,
    Refusal.QUESTION,
    Refusal.REPORTED_SPEECH,
    Refusal.NEGATED,
    Refusal.CONDITIONAL,
    Refusal.PROPOSAL,
    Refusal.HEDGED,
    Refusal.FUTURE,
    Refusal.PARTIAL,
    Refusal.AUGMENTING,
    Refusal.ALTERNATIVE,
    Refusal.OTHER_SUBJECT,
    Refusal.SELF,
    Refusal.TARGET_MISSING,
    Refusal.TARGET_AMBIGUOUS,
    Refusal.RIVAL,
)
"""The refusals, the one that says most first."""

PROVING = (Family.SUPERSEDE, Family.REPLACE, Family.OBSOLETE)
"""Families whose plain verb is proof; to deprecate or to retire a memo may leave it without a successor."""


class Claim(NamedTuple):
    """`successors` replace `targets`; an empty side is this memo. All pairs share the refusals."""

    mark: Mark
    targets: tuple[Mentioned, ...]
    successors: tuple[Mentioned, ...]
    refusals: frozenset[Refusal]
    is_proof: bool
    score: float


def build_claim(  # noqa: PLR0917 - each call reads as a row of a table
    mark: Mark,
    targets: tuple[Mentioned, ...],
    successors: tuple[Mentioned, ...],
    refusals: set[Refusal] | frozenset[Refusal],
    is_proof: bool,
    score: float,
) -> Claim:
    """A claim that is also held back where a reference names no memo, several, or only a part of one.

    `is_proof` is what the words prove; nothing that is held back is proof.
    """
    held = set(refusals)
    for each in (*targets, *successors):
        if each.sign == MISSING:
            held.add(Refusal.TARGET_MISSING)
        elif each.sign == AMBIGUOUS:
            held.add(Refusal.TARGET_AMBIGUOUS)
        if each.names_part:
            held.add(Refusal.PARTIAL)
    return Claim(mark, targets, successors, frozenset(held), is_proof and not held, score)
