"""Abstention: no hit can be relied on, and a sentence says why of the best candidate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, assert_never

from recall_core.model.hit import HitVerdict
from recall_core.trust.candidate import Candidate, Standing
from recall_core.trust.hit import Hit, render_bound
from recall_core.trust.instants import Instants
from recall_core.trust.names import quote_name, quote_names
from recall_core.trust.threshold import Threshold
from recall_core.trust.verdicts import judge_standing


class ReasonCode(Enum):
    """The class of an abstention's reason."""

    SUPERSEDED = "superseded"
    OUTSIDE_WINDOW = "outside_window"
    NOT_YET_KNOWN = "not_yet_known"
    INVALID_METADATA = "invalid_metadata"
    AMBIGUOUS_SUPERSESSION = "ambiguous_supersession"
    LOW_CONFIDENCE = "low_confidence"
    NOT_ENTAILED = "not_entailed"
    NOTHING_RETRIEVED = "nothing_retrieved"


@dataclass(frozen=True, slots=True)
class Abstention:
    """Why nothing can be relied on: the class, and one line in which every file name is quoted and made harmless."""

    code: ReasonCode
    reason: str


@dataclass(frozen=True, slots=True)
class Background:
    """What the sentence may say of successors: those retrieved or fetched, and those that were only looked up."""

    candidates: Sequence[Candidate]
    looked_up: Mapping[str, Standing]
    instants: Instants

    def standing(self, path: str) -> Standing | None:
        """The memo's standing, or None where nobody looked it up."""
        found = next((each.memo for each in self.candidates if each.memo.memo.path == path), None)
        return self.looked_up.get(path) if found is None else found


def abstain(hits: Sequence[Hit], threshold: Threshold | None, background: Background) -> Abstention | None:
    """Why there is no `OK` hit; None where there is one, and where there is no threshold to decide by.

    The best candidate is the first that clears the threshold, for it would have been the answer; else the first.
    """
    if threshold is None or any(hit.verdict is HitVerdict.OK for hit in hits):
        return None
    if not hits:
        return Abstention(ReasonCode.NOTHING_RETRIEVED, "nothing was retrieved: no memo resembles the question")
    best = next((hit for hit in hits if threshold.is_cleared_by(hit.cosine)), hits[0])
    return _explain(best, threshold, background)


def _explain(hit: Hit, threshold: Threshold, background: Background) -> Abstention | None:
    name = quote_name(hit.path)
    match hit.verdict:
        case HitVerdict.INVALID_METADATA:
            code = ReasonCode.INVALID_METADATA
            reason = (
                f"the best match, {name}, has frontmatter that cannot be read as a window; `recall lint` shows where"
            )
        case HitVerdict.NOT_YET_KNOWN:
            code = ReasonCode.NOT_YET_KNOWN
            reason = f"the best match, {name}, had not been written{_tell_known_at(background.instants)}"
        case HitVerdict.AMBIGUOUS_SUPERSESSION:
            code = ReasonCode.AMBIGUOUS_SUPERSESSION
            reason = (
                f"a `supersedes` names the best match, {name}, and other memos of the same name, so that which of them"
                " is replaced cannot be known; disambiguate the corpus: rename one of them"
            )
        case HitVerdict.SUPERSEDED:
            code = ReasonCode.SUPERSEDED
            reason = f"the best match, {name}, is superseded by {_tell_successors(hit, background)}"
        case HitVerdict.EXPIRED | HitVerdict.NOT_YET_VALID:
            code = ReasonCode.OUTSIDE_WINDOW
            reason = f"the best match, {name}, {_tell_window(hit.verdict, hit.candidate.memo, background.instants)}"
        case HitVerdict.LOW_CONFIDENCE:
            return Abstention(
                ReasonCode.LOW_CONFIDENCE,
                f"the best match, {name}, {_tell_distance(hit, threshold)}; the corpus probably has no answer",
            )
        case HitVerdict.NOT_ENTAILED:
            return abstain_near_miss(hit)
        case HitVerdict.UNVERIFIED | HitVerdict.OK:
            return None
        case _:
            assert_never(hit.verdict)
    if not threshold.is_cleared_by(hit.cosine):
        reason = f"{reason}; besides, it {_tell_distance(hit, threshold)}"
    return Abstention(code, reason)


def abstain_near_miss(hit: Hit) -> Abstention:
    """The reason of the entailment stage: `hit` is the best of those that it demoted."""
    reason = f"the best match, {quote_name(hit.path)}, is near the question but does not answer it"
    return Abstention(ReasonCode.NOT_ENTAILED, reason)


def _tell_known_at(instants: Instants) -> str:
    return "" if instants.known_at is None else f" by {instants.known_at.isoformat()}"


_NOT_IN_FORCE: Final = {
    HitVerdict.INVALID_METADATA: "has frontmatter that cannot be read",
    HitVerdict.NOT_YET_KNOWN: "had not been written",
    HitVerdict.AMBIGUOUS_SUPERSESSION: "is itself named ambiguously",
    HitVerdict.SUPERSEDED: "is itself superseded",
}


def _tell_successors(hit: Hit, background: Background) -> str:
    """The successors, the last asserted first, and why none of those that are known stands in its place."""
    paths = hit.superseded_by
    told = quote_names(paths)
    why = [reason for path in paths if (reason := _tell_standing(path, background)) is not None]
    if not why:
        return told
    if len(paths) == 1:
        return f"{told}, which {why[0]}"
    if len(why) < len(paths) or len(set(why)) > 1:
        each = [f"{quote_name(path)} {reason}" for path in paths[:3] if (reason := _tell_standing(path, background))]
        return f"{told}: {', '.join(each)}" if each else told
    return f"{told}, each of which {why[0]}"


def _tell_standing(path: str, background: Background) -> str | None:
    """Why a successor is not in force; None where it is, or where nobody looked."""
    standing = background.standing(path)
    if standing is None:
        return None
    verdict = judge_standing(standing, background.instants)
    if verdict in (HitVerdict.EXPIRED, HitVerdict.NOT_YET_VALID):
        return _tell_window(verdict, standing, background.instants)
    return _NOT_IN_FORCE.get(verdict)


def _tell_window(verdict: HitVerdict, standing: Standing, instants: Instants) -> str:
    """What a window says of a memo that is outside it: not true any more, or not yet."""
    memo = standing.memo
    if verdict is HitVerdict.EXPIRED:
        return (
            f"expired: it was valid until {render_bound(memo.valid_until)}, and the day asked about is {instants.day}"
        )
    return f"is not yet valid: it holds from {render_bound(memo.valid_from)}, and the day asked about is {instants.day}"


def _tell_distance(hit: Hit, threshold: Threshold) -> str:
    if hit.confidence is None or hit.cosine is None:
        return "has no cosine to compare with the threshold"
    return f"has the cosine {hit.cosine:.3f}, below the threshold {threshold.value:.3f}"
