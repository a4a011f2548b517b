"""Promotion: the memo that replaced a near hit answers in its place.

A replaced memo that clears the threshold proves that the query is about its subject, and its successor is by
declaration what now holds on that subject. So the successor counts even if its own wording is further away.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from recall_core.model.hit import HitVerdict
from recall_core.trust.candidate import Candidate
from recall_core.trust.hit import Hit
from recall_core.trust.instants import Instants
from recall_core.trust.threshold import Threshold
from recall_core.trust.verdicts import judge_hits


def find_missing_successors(
    candidates: Sequence[Candidate], instants: Instants, threshold: Threshold | None
) -> tuple[str, ...]:
    """The paths whose best chunk `judge` wants to be handed as `fetched`, in order of the hits that they replace.

    These are the terminal successors of replaced hits that clear the threshold, where they were not retrieved.
    """
    proofs = _find_proofs(judge_hits(candidates, instants, threshold, ""), threshold)
    retrieved = {candidate.memo.memo.path for candidate in candidates}
    return tuple(path for path in proofs if path not in retrieved)


def promote(
    hits: Sequence[Hit], fetched: Iterable[Candidate], instants: Instants, threshold: Threshold | None
) -> list[Hit]:
    """The hits with successors promoted, and with fetched ones before the best hit that they replace.

    Of a retrieved successor the chunk with the highest cosine is lifted from `LOW_CONFIDENCE`, unless a chunk of it
    cleared the threshold by itself; it keeps its place. A fetched one is taken where it is in force and the successor
    was not retrieved; with several of one memo the first counts. Nothing else changes its verdict.
    """
    proofs = _find_proofs(hits, threshold)
    if not proofs or threshold is None:
        return list(hits)
    promoted = list(hits)
    retrieved: dict[str, list[int]] = {}
    for index, hit in enumerate(hits):
        if hit.path in proofs:
            retrieved.setdefault(hit.path, []).append(index)
    for path, indexes in retrieved.items():
        if (best := _choose_chunk(hits, indexes)) is not None:
            promoted[best] = replace(hits[best], verdict=HitVerdict.OK, promoted_from=hits[proofs[path]].path)
    found: dict[str, Hit] = {}
    for hit in judge_hits(fetched, instants, threshold, hits[0].source):
        is_answer = hit.verdict in (HitVerdict.OK, HitVerdict.LOW_CONFIDENCE) and hit.confidence is not None
        if is_answer and hit.path in proofs and hit.path not in retrieved:
            found.setdefault(hit.path, hit)
    return _insert(promoted, found, proofs) if found else promoted


def _find_proofs(hits: Sequence[Hit], threshold: Threshold | None) -> dict[str, int]:
    """For each successor of a replaced hit that clears the threshold, the index of the best such hit."""
    proofs: dict[str, int] = {}
    if threshold is None:
        return proofs
    for index, hit in enumerate(hits):
        if hit.verdict is HitVerdict.SUPERSEDED and threshold.is_cleared_by(hit.candidate.cosine):
            for successor in hit.candidate.memo.successors:
                proofs.setdefault(successor.path, index)
    return proofs


def _choose_chunk(hits: Sequence[Hit], indexes: Sequence[int]) -> int | None:
    """The index of the chunk to lift, or None: one that is there already, or none that may be lifted."""
    best, highest = None, 0.0
    for index in indexes:
        hit = hits[index]
        if hit.verdict is HitVerdict.OK:
            return None
        if hit.verdict is not HitVerdict.LOW_CONFIDENCE or hit.cosine is None or hit.confidence is None:
            continue
        if best is None or hit.cosine > highest:
            best, highest = index, hit.cosine
    return best


def _insert(hits: Sequence[Hit], found: dict[str, Hit], proofs: dict[str, int]) -> list[Hit]:
    before: dict[int, list[Hit]] = {}
    for path, index in proofs.items():
        if path in found:
            answer = replace(found[path], verdict=HitVerdict.OK, promoted_from=hits[index].path, is_fetched=True)
            before.setdefault(index, []).append(answer)
    return [each for index, hit in enumerate(hits) for each in (*before.get(index, ()), hit)]
