"""The judgement of development mode: without a calibration nothing is `ok`; what the corpus declares still holds."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime

from recall_core.app.answer import Hit, Judged, Value
from recall_core.generation.stored import StoredMemo
from recall_core.graph.evaluate import as_utc
from recall_core.model.memo import Bound
from recall_core.model.verdict import Verdict
from recall_core.ports.store import Retrieved, Snapshot

UNVERIFIED = "unverified"

_REASONS = {
    Verdict.SUPERSEDED: ("superseded", "every hit was replaced, and what replaced it was not found"),
    Verdict.EXPIRED: ("outside_window", "no hit holds on that day"),
    Verdict.NOT_YET_VALID: ("outside_window", "no hit holds on that day"),
    Verdict.NOT_YET_KNOWN: ("not_yet_known", "no hit was recorded by then"),
    Verdict.INVALID_METADATA: ("invalid_metadata", "the metadata of every hit is broken"),
    Verdict.AMBIGUOUS_SUPERSESSION: ("ambiguous_supersession", "it is not clear which memo was replaced"),
    Verdict.OK: (None, ""),
}


def judge_unverified(
    hits: Iterable[Retrieved], snapshot: Snapshot, *, at: datetime, known_at: datetime | None
) -> Judged:
    """The hits in the order they were found, each with what its memo declares.

    One that nothing speaks against is `unverified`. Abstains where there is none, for the reason of the best hit.
    """
    found = tuple(hits)
    successors = _Successors(found, snapshot, known_at)
    judged = [(_verdict(each.memo, successors, at, known_at), each) for each in found]
    shown = tuple(_hit(verdict, each, successors.of(each.memo)) for verdict, each in judged)
    if not judged:
        return Judged((), True, "nothing was found", "nothing_retrieved")
    if any(verdict is Verdict.OK for verdict, _ in judged):
        return Judged(shown, False, "no calibration: nothing says whether these hits answer the question", None)
    code, reason = _REASONS[judged[0][0]]
    return Judged(shown, True, reason, code)


class _Successors:
    """What replaced the memos of some hits, as it was known at `known_at`; None stands for now."""

    def __init__(self, hits: Iterable[Retrieved], snapshot: Snapshot, known_at: datetime | None) -> None:
        self._known_at = None if known_at is None else as_utc(known_at)
        self._recorded: Mapping[str, datetime | None] = {}
        if known_at is not None:
            steps = {step for hit in hits for each in hit.memo.successors for step in each.steps}
            self._recorded = {path: stored.recorded for path, stored in snapshot.memos(steps).items()}

    def of(self, memo: StoredMemo) -> tuple[str, ...]:
        """The paths of its successors, the last asserted first."""
        if self._known_at is None:
            return tuple(each.path for each in memo.successors)
        ends: dict[str, None] = {}
        passed: set[str] = set()
        for each in memo.successors:
            known = list(self._known(each.steps[1:]))
            if known:
                ends[known[-1]] = None
                passed.update(known[:-1])
        return tuple(end for end in ends if end not in passed)

    def _known(self, steps: Iterable[str]) -> Iterable[str]:
        """The first steps, up to one that was recorded later: an edge is as old as the memo that declares it."""
        for step in steps:
            recorded = self._recorded.get(step)
            if self._known_at is not None and recorded is not None and recorded > self._known_at:
                return
            yield step


def _verdict(memo: StoredMemo, successors: _Successors, at: datetime, known_at: datetime | None) -> Verdict:
    """The first that applies, in the order of `Verdict`."""
    if not memo.memo.is_valid:
        return Verdict.INVALID_METADATA
    if known_at is not None and memo.recorded is not None and memo.recorded > as_utc(known_at):
        return Verdict.NOT_YET_KNOWN
    if memo.ambiguous:
        return Verdict.AMBIGUOUS_SUPERSESSION
    if successors.of(memo):
        return Verdict.SUPERSEDED
    day = as_utc(at).date()
    last, first = _day(memo.memo.valid_until), _day(memo.memo.valid_from)
    if last is not None and day > last:
        return Verdict.EXPIRED
    return Verdict.NOT_YET_VALID if first is not None and day < first else Verdict.OK


def _hit(verdict: Verdict, found: Retrieved, superseded_by: tuple[str, ...]) -> Hit:
    memo = found.memo.memo
    return Hit(
        UNVERIFIED if verdict is Verdict.OK else verdict.value,
        None,
        found.cosine,
        found.chunk,
        memo.path,
        found.indexed_at,
        _day(memo.valid_from),
        _day(memo.valid_until),
        superseded_by,
        why=_why(verdict, found),
    )


def _why(verdict: Verdict, found: Retrieved) -> dict[str, Value]:
    recorded = found.memo.recorded
    return {
        "rule": verdict.value,
        "cosine": found.cosine,
        "threshold": None,
        "calibration_id": None,
        "bm25": found.lexical,
        "dense_rank": found.dense_rank,
        "lexical_rank": found.lexical_rank,
        "recorded": recorded.isoformat() if recorded is not None else None,
        "edges": [list(each.steps) for each in found.memo.successors],
    }


def _day(bound: Bound | None) -> date | None:
    return bound.day if bound is not None else None
