"""Which suggestions are proposals: proved, not answered, and all of their sentence or none of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from recall_core.model.span import Span
from recall_lint.check.suggestion import Kind, Suggestion


@dataclass(frozen=True, slots=True)
class Plan:
    """What `fix` would write, and what is told and not proposed; each in order of place."""

    proposals: tuple[Suggestion, ...]
    refusals: tuple[Suggestion, ...]

    def by_memo(self) -> Mapping[str, Sequence[Suggestion]]:
        """The proposals by the memo that they are written in, in order of paths."""
        found: dict[str, list[Suggestion]] = {}
        for each in sorted(self.proposals, key=lambda one: one.declare_in):
            found.setdefault(each.declare_in, []).append(each)
        return found

    def group_of(self, proposal: Suggestion) -> tuple[Suggestion, ...]:
        """The proposals that stand or fall with this one: those of the same words."""
        claim = _claim(proposal)
        return tuple(each for each in self.proposals if _claim(each) == claim)

    def without(self, failed: Iterable[Suggestion]) -> "Plan":
        """This plan without the groups of the proposals that could not be written."""
        gone = {each for one in failed for each in self.group_of(one)}
        return replace(self, proposals=tuple(each for each in self.proposals if each not in gone))


class _Claim(NamedTuple):
    """The words that tell of one replacement, of one memo or of several: `supersedes A, B and C`."""

    path: str
    span: Span


def build_plan(suggestions: Iterable[Suggestion]) -> Plan:
    """The plan over all suggestions of the memos in question; likenesses and what is answered are left out."""
    told = [each for each in suggestions if each.kind is Kind.TOLD]
    claims: dict[_Claim | None, list[Suggestion]] = {}
    for each in told:
        claims.setdefault(_claim(each), []).append(each)
    proposals: dict[tuple[str, str], Suggestion] = {}
    refusals: list[Suggestion] = []
    for claim, members in claims.items():
        open_ = [each for each in members if each.answer is None]
        if claim is not None and all(map(_is_proved, members)):
            for each in open_:
                _put_better(proposals, each)
            continue
        because = next((each.held_back for each in members if each.held_back is not None), None)
        refusals.extend(each._replace(held_back=each.held_back or because, is_proof=False) for each in open_)
    # What is proved elsewhere needs no second reason why not.
    refusals = [each for each in refusals if (each.declare_in, each.target) not in proposals]
    return Plan(tuple(sorted(proposals.values(), key=_place)), tuple(sorted(refusals, key=_place)))


def _is_proved(suggestion: Suggestion) -> bool:
    """Whether nothing stands against it; what is answered already hinders no companion."""
    if suggestion.answer is not None:
        return suggestion.held_back is None
    return suggestion.is_proof and suggestion.held_back is None


def _put_better(proposals: dict[tuple[str, str], Suggestion], proposal: Suggestion) -> None:
    """Of two sentences that prove one edge the replacing memo's own, else the better."""
    edge = (proposal.declare_in, proposal.target)
    known = proposals.get(edge)
    if known is None or _strength(proposal) > _strength(known):
        proposals[edge] = proposal


def _strength(suggestion: Suggestion) -> tuple[bool, float]:
    own = suggestion.evidence is not None and suggestion.evidence.path == suggestion.declare_in
    return own, suggestion.score


def _claim(suggestion: Suggestion) -> _Claim | None:
    evidence = suggestion.evidence
    return _Claim(evidence.path, evidence.span) if evidence is not None else None


def _place(suggestion: Suggestion) -> tuple[str, int, int, str]:
    evidence = suggestion.evidence
    if evidence is None:
        return suggestion.declare_in, 0, 0, suggestion.target
    return evidence.path, evidence.span.line, evidence.span.column, suggestion.target
