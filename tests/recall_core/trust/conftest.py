"""Candidates from a few lines of text: memos are read, resolved and turned into what the store gives."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from recall_core.frontmatter.dates import last_instant
from recall_core.frontmatter.read import read_memo
from recall_core.generation.chunk import Chunk
from recall_core.generation.stored import StoredMemo, Successor
from recall_core.graph.corpus import Corpus
from recall_core.graph.evaluate import Evaluation, as_utc
from recall_core.ports.store import Retrieved
from recall_core.trust.grounds import Grounds
from recall_core.trust.instants import Instants
from recall_core.trust.judge import judge
from recall_core.trust.policy import CalibrationStatus, Readiness, TrustPolicy
from recall_core.trust.threshold import Threshold

THRESHOLD = Threshold(0.60, 0.05, "midgap", "cal_1")
INDEXED = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def parse_instant(value: object) -> datetime:
    """A day stands for its last microsecond, as on the command line."""
    text = str(value)
    return last_instant(date.fromisoformat(text)) if len(text) == 10 else as_utc(datetime.fromisoformat(text))


def resolve(files: Mapping[str, str], recorded: Mapping[str, datetime], known_at: datetime | None) -> dict[str, Any]:
    """The standing of each memo by path, edges and ambiguity among what was known at `known_at`."""
    texts = {
        path: text if text.startswith("---") or not text else f"---\n{text}\n---\n" for path, text in files.items()
    }
    corpus = Corpus(read_memo(path, texts[path].encode()) for path in sorted(texts))
    evaluation = Evaluation(corpus, at=INDEXED, known_at=known_at, recorded=recorded)
    return {
        memo.path: StoredMemo(
            memo,
            "sha256:0",
            recorded.get(memo.path),
            memo.path in evaluation.edges.ambiguous,
            tuple(
                Successor(path, walk(evaluation.edges.successors, memo.path, path), recorded.get(path))
                for path in evaluation.superseded_by(memo)
            ),
        )
        for memo in corpus.memos
    }


def walk(successors: Mapping[str, Sequence[str]], start: str, end: str) -> tuple[str, ...]:
    ways = deque([(start, each) for each in successors.get(start, ())])
    seen = set()
    while ways:
        way = ways.popleft()
        if way[-1] == end:
            return way
        if way[-1] not in seen:
            seen.add(way[-1])
            ways.extend((*way, each) for each in successors.get(way[-1], ()))
    raise AssertionError(f"no way from {start} to {end}")


def make_candidate(memo: Any, cosine: float | None, ordinal: int = 0, text: str = "A text.") -> Retrieved:
    chunk = Chunk(ordinal, text, "Title", 3, 5)
    return Retrieved(memo, chunk, cosine, None, None if cosine is None else 1, None, INDEXED)


def make_grounds(
    status: CalibrationStatus = CalibrationStatus.CERTIFIED, *, is_strict: bool = True, **fields: Any
) -> Grounds:
    given = {
        "policy": TrustPolicy.strict() if is_strict else TrustPolicy.development(),
        "readiness": Readiness(True, True, True, status),
        "tenant_id": "default",
        "generation_id": "gen_1",
        "calibration_id": "cal_1",
        "source": "notes@abc",
    }
    return Grounds(**{**given, **fields})


class World:
    """A small corpus, and searches of it that are judged."""

    def __init__(
        self,
        files: Mapping[str, str],
        *,
        at: object = "2026-06-01",
        known_at: object = None,
        recorded: Mapping[str, object] | None = None,
        threshold: Threshold | None = THRESHOLD,
    ) -> None:
        instant = parse_instant(at)
        self.instants = Instants(instant, instant, None if known_at is None else parse_instant(known_at))
        times = {path: parse_instant(value) for path, value in (recorded or {}).items()}
        self.standings = resolve(files, times, self.instants.known_at)
        self.threshold = threshold

    def candidate(self, path: str, cosine: float | None, ordinal: int = 0, text: str = "A text.") -> Retrieved:
        return make_candidate(self.standings[path], cosine, ordinal, text)

    def search(self, *pairs: tuple[str, float | None], **options: Any) -> Any:
        """The judgment of hits in this order; `fetched` holds pairs too."""
        candidates = [self.candidate(path, cosine, ordinal) for ordinal, (path, cosine) in enumerate(pairs)]
        fetched = [self.candidate(path, cosine, 90) for path, cosine in options.pop("fetched", ())]
        given = {
            "grounds": make_grounds(),
            "threshold": self.threshold,
            "dense_cosines": [cosine for _, cosine in pairs if cosine is not None],
        }
        return judge(candidates, instants=self.instants, fetched=fetched, **{**given, **options})


@pytest.fixture(scope="session")
def tools() -> SimpleNamespace:
    """What makes candidates and grounds."""
    return SimpleNamespace(
        World=World,
        make_candidate=make_candidate,
        make_grounds=make_grounds,
        resolve=resolve,
        parse_instant=parse_instant,
        INDEXED=INDEXED,
    )


@pytest.fixture(scope="session")
def world() -> Callable[..., World]:
    return World


@pytest.fixture(scope="session")
def vectors() -> Path:
    """The folder of trust vectors, which anybody can extend."""
    return Path(__file__).resolve().parents[2] / "data" / "trust"
