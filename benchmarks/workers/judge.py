"""Judge made-up hits: HITS MEMOS ROUNDS. Prints JSON: seconds a search.

A third of the hits has a window, half of them were replaced; successors are retrieved as often as not. The corpus has
MEMOS memos, all of whose standings are at hand, so that a judgment that looked at more than its own hits would show.
"""

import json
import random
import statistics
import sys
import time
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from recall_core.generation.chunk import Chunk
from recall_core.model.memo import Bound, Memo
from recall_core.model.span import START
from recall_core.trust.grounds import Grounds
from recall_core.trust.instants import Instants
from recall_core.trust.judge import judge
from recall_core.trust.policy import CalibrationStatus, Readiness, TrustPolicy
from recall_core.trust.threshold import Threshold

_SEARCHES = 2_000
_NOW = datetime(2026, 6, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class _Succession:
    path: str
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Standing:
    memo: Memo
    recorded: datetime | None
    ambiguous: bool
    successors: tuple[_Succession, ...]


@dataclass(frozen=True, slots=True)
class _Candidate:
    memo: _Standing
    chunk: Chunk
    cosine: float | None
    indexed_at: datetime


def _build_standings(memos: int, rng: random.Random) -> list[_Standing]:
    """Memos of which every second was replaced by one a few places later."""
    standings = []
    for number in range(memos):
        path = f"decisions/memo-{number:07d}.md"
        day = date(2026, 1, 1) + timedelta(rng.randrange(400))
        until = Bound(day.isoformat(), day, START) if number % 3 == 0 else None
        later = f"decisions/memo-{min(memos - 1, (number | 1) + 2):07d}.md"
        successors = (_Succession(later, (path, later)),) if number % 2 == 0 else ()
        recorded = _NOW - timedelta(rng.randrange(1000))
        standings.append(_Standing(Memo(path, path, valid_until=until), recorded, False, successors))
    return standings


def _build_search(standings: list[_Standing], hits: int, rng: random.Random) -> list[_Candidate]:
    """Neighbours, so that about half of the successors are among the hits."""
    first = rng.randrange(max(1, len(standings) - hits))
    chunk = Chunk(0, "A text.", "Title", 1, 1)
    near = [standings[(first + place) % len(standings)] for place in range(hits)]
    cosines = sorted((rng.uniform(0.3, 0.9) for _ in near), reverse=True)
    return [_Candidate(memo, chunk, cosine, _NOW) for memo, cosine in zip(near, cosines, strict=True)]


def main() -> None:
    hits, memos, rounds = (int(argument) for argument in sys.argv[1:4])
    rng = random.Random(1)
    standings = _build_standings(memos, rng)
    by_path = {standing.memo.path: standing for standing in standings}
    searches = [_build_search(standings, hits, rng) for _ in range(50)]
    readiness = Readiness(True, True, True, CalibrationStatus.CERTIFIED)
    given = {
        "grounds": Grounds(TrustPolicy(), readiness, "default", "gen_1", "cal_1"),
        "threshold": Threshold(0.6, 0.05),
        "instants": Instants(_NOW, _NOW, _NOW),
        "standings": by_path,
        "newest": _NOW,
    }
    cosines = [[hit.cosine for hit in search] for search in searches]
    cpu = []
    for _ in range(rounds + 1):
        start = time.process_time()
        for place in range(_SEARCHES):
            judge(searches[place % 50], dense_cosines=cosines[place % 50], **given)
        cpu.append((time.process_time() - start) / _SEARCHES)
    json.dump({"median": statistics.median(cpu[1:]), "best": min(cpu[1:])}, sys.stdout)


main()
