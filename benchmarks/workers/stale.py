"""Ask what replaced memos answer, in their own words: DATA EMBEDDER CACHE MOST COLLECTION. Prints one JSON object.

COLLECTION is `corpora` or `peps-supersession`. Of each memo the first MOST chunks are indexed, all of them for 0. DATA
holds `corpora/` (folders with `docs/`, and `search.jsonl`) and `data/peps-supersession/`. Every passage is
embedded once, with a cache in the folder CACHE, and every question retrieved once; then all arms choose from the same
hits.
"""

import json
import os
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np

from recall_core.adapters.embedders.choose import choose_embedder
from recall_core.adapters.memory.store import MemoryStore
from recall_core.adapters.vector_cache import CachedEmbedder
from recall_core.app.embed import describe_pipeline
from recall_core.calibration.admission import admit_signals
from recall_core.calibration.rule import Midgap
from recall_core.calibration.sample import Sample
from recall_core.calibration.signals import compute_signals
from recall_core.calibration.threshold import Placement, place_threshold
from recall_core.frontmatter.read import read_memo
from recall_core.generation.chunk import chunk_memo
from recall_core.generation.stored import StoredMemo, resolve_memos
from recall_core.model.hit import HitVerdict
from recall_core.model.memo import Memo
from recall_core.ports.embedder import Embedder
from recall_core.ports.store import BuildPlan, MemoRow, Query, Retrieved, Snapshot
from recall_core.trust.grounds import Grounds
from recall_core.trust.instants import Instants
from recall_core.trust.judge import judge
from recall_core.trust.policy import CalibrationStatus, Readiness, TrustPolicy
from recall_core.trust.promote import find_missing_successors
from recall_core.trust.result import TrustResult
from recall_core.trust.threshold import Threshold

K = 5
NOW = datetime(2026, 12, 1, tzinfo=UTC)
DEPTH = 50
HIDDEN = (0.1, 0.25, 0.5)
DRAWS = 20
SEED = 20260301
RECENCY = (0.1, 0.3)
"""How much the age of a memo counts beside the cosine."""
HALF_LIFE = timedelta(days=2 * 365)
_GROUNDS = Grounds(
    TrustPolicy.strict(),
    Readiness(True, True, True, CalibrationStatus.CERTIFIED),
    "default",
    "gen_1",
    calibration_id="cal_1",
)


@dataclass(frozen=True, slots=True)
class Question:
    """A question; of a trap the memo that was replaced and those that replaced it, by path."""

    text: str
    answerable: bool
    stale: frozenset[str] = frozenset()
    current: frozenset[str] = frozenset()
    is_declared: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """What one question retrieved: fused, and by the dense leg alone, the best first."""

    question: Question
    fused: tuple[Retrieved, ...]
    dense: tuple[Retrieved, ...]
    vector: Any
    signals: tuple[float, ...]
    threshold: Threshold | None = None

    @property
    def best(self) -> float:
        """The highest cosine."""
        return self.dense[0].cosine or 0.0 if self.dense else -1.0


@dataclass(frozen=True, slots=True)
class Means:
    """The model, and how many chunks of each memo are indexed; None for all."""

    embedder: Embedder
    most: int | None


class Collection:
    """Memos in a store in memory, and the questions asked of them."""

    def __init__(self, name: str, texts: Mapping[str, str], dates: Mapping[str, date], means: "Means") -> None:
        embedder = means.embedder
        self.name = name
        self.dates = dates
        self.embedder = embedder
        self.memos = [read_memo(path, text.encode()) for path, text in sorted(texts.items())]
        chunks = [chunk_memo(texts[memo.path], title=memo.title or memo.key)[: means.most] for memo in self.memos]
        vectors = embedder.embed_documents([chunk.passage for some in chunks for chunk in some])
        ends = np.cumsum([len(some) for some in chunks])
        rows = [
            MemoRow(memo, f"sha256:{memo.path}", None, some, vectors[end - len(some) : end])
            for memo, some, end in zip(self.memos, chunks, ends, strict=True)
        ]
        self.store = MemoryStore()
        pipeline = describe_pipeline(embedder, text_search="english", schema=1)
        with self.store.build("default", BuildPlan(pipeline, "/", "folder", "benchmark")) as build:
            build.add(rows)
            self.generation = build.finish()
        self.chunks = len(vectors)

    def retrieve(self, snapshot: Snapshot, questions: Sequence[Question]) -> list[Found]:
        """Every question, asked once."""
        found = []
        for question, vector in zip(
            questions, self.embedder.embed_queries([each.text for each in questions]), strict=True
        ):
            row = vector[np.newaxis]
            answer = snapshot.search(Query(question.text, row, 2 * DEPTH, depth=DEPTH, observes=True))
            hits = answer.hits
            assert answer.observation is not None
            dense = sorted((hit for hit in hits if hit.dense_rank is not None), key=lambda hit: hit.dense_rank or 0)
            found.append(Found(question, hits, tuple(dense), row, compute_signals(answer.observation)))
        return found

    def resolve(self, hidden: frozenset[tuple[str, int]] = frozenset()) -> dict[str, StoredMemo]:
        """The memos with what replaced each, as if some declarations (path and place in it) had been forgotten."""
        kept = [
            replace(memo, supersedes=tuple(r for n, r in enumerate(memo.supersedes) if (memo.path, n) not in hidden))
            for memo in self.memos
        ]
        return {each.memo.path: each for each in resolve_memos((memo, "", None) for memo in kept)}

    @property
    def edges(self) -> list[tuple[str, int]]:
        """Every declaration: the memo and the place in it."""
        return [(memo.path, place) for memo in self.memos for place in range(len(memo.supersedes))]


Pick = Callable[[Found], str | None]
"""The path of the first hit that would be used; None where nothing would be."""


class Arms:
    """Ways to choose from the same hits."""

    def __init__(self, collection: Collection, snapshot: Snapshot) -> None:
        self._collection = collection
        self._snapshot = snapshot
        stale = {each for memo in collection.resolve().values() if memo.successors for each in (memo.memo.path,)}
        self._synced = {path: date.max if path in stale else day for path, day in collection.dates.items()}

    def plain(self) -> dict[str, Pick]:
        """Those that know nothing of edges."""
        dates = self._collection.dates
        return {
            "plain cosine": lambda found: self._first(found, found.dense[:K]),
            "hybrid": lambda found: self._first(found, found.fused[:K]),
            **{
                f"recency-weighted {weight}": lambda found, weight=weight: self._first(
                    found, self._weigh(found, weight)
                )  # type: ignore[misc]
                for weight in RECENCY
            },
            "newest of top 3": lambda found: self._newest(found, dates),
            "newest of top 3, old files re-synced": lambda found: self._newest(found, self._synced),
        }

    def judged(self, memos: Mapping[str, StoredMemo]) -> dict[str, Pick]:
        """Those that read the edges of `memos`."""
        return {
            "edges demote only": lambda found: self._first_ok(self._judge(found, memos, promotes=False)),
            "promoted if retrieved": lambda found: self._first_ok(self._judge(found, memos, fetches=False)),
            "fetched by key": lambda found: self._first_ok(self._judge(found, memos)),
        }

    def _first(self, found: Found, hits: Iterable[Retrieved]) -> str | None:
        return next((hit.memo.memo.path for hit in hits if clears(found, hit.cosine)), None)

    def _weigh(self, found: Found, weight: float) -> list[Retrieved]:
        def score(hit: Retrieved) -> float:
            age = max(NOW.date() - self._collection.dates[hit.memo.memo.path], timedelta(0))
            return (1 - weight) * (hit.cosine or 0.0) + weight * 0.5 ** (age / HALF_LIFE)

        return sorted(found.dense, key=score, reverse=True)[:K]

    def _newest(self, found: Found, dates: Mapping[str, date]) -> str | None:
        paths = [hit.memo.memo.path for hit in found.fused[:3] if clears(found, hit.cosine)]
        return max(paths, key=lambda path: dates[path], default=None)

    def _judge(
        self, found: Found, memos: Mapping[str, StoredMemo], *, promotes: bool = True, fetches: bool = True
    ) -> TrustResult:
        hits = [replace(hit, memo=memos[hit.memo.memo.path]) for hit in found.fused[:K]]
        instants = Instants(NOW, NOW)
        fetched: list[Retrieved] = []
        if promotes and fetches:
            missing = find_missing_successors(hits, instants, found.threshold)
            best = self._snapshot.best_chunks(missing, found.vector)
            fetched = [replace(best[path], memo=memos[path]) for path in missing if path in best]
        result = judge(hits, grounds=_GROUNDS, threshold=found.threshold, instants=instants, fetched=fetched)
        if promotes:
            return result
        # Without promotion a hit is what its own cosine makes it.
        kept = tuple(hit for hit in result.hits if hit.promoted_from is None or clears(found, hit.cosine))
        return replace(result, hits=kept)

    def _first_ok(self, result: TrustResult) -> str | None:
        return next((hit.path for hit in result.hits if hit.verdict is HitVerdict.OK), None)


def measure(collection: Collection, questions: Sequence[Question]) -> dict[str, Any]:
    """All arms on the traps of a collection, and what is left when declarations are hidden."""
    with collection.store.snapshot("default", collection.generation.id) as snapshot:
        assert snapshot is not None
        found = collection.retrieve(snapshot, questions)
        found, admission = calibrate(found)
        others = [each for each in found if not each.question.answerable]
        arms = Arms(collection, snapshot)
        memos = collection.resolve()
        traps = [each for each in found if each.question.stale]
        declared = [each for each in traps if each.question.is_declared]
        picks = {**arms.plain(), **arms.judged(memos)}
        chance = random.Random(SEED)
        ablations = {}
        for share in HIDDEN:
            outcomes: Counter[str] = Counter()
            for _ in range(DRAWS):
                hidden = frozenset(chance.sample(collection.edges, round(share * len(collection.edges))))
                pick = arms.judged(collection.resolve(hidden))["fetched by key"]
                outcomes.update(judge_outcome(each.question, pick(each)) for each in declared)
            ablations[str(share)] = {name: count / (DRAWS * len(declared)) for name, count in outcomes.items()}
        return {
            "collection": collection.name,
            "embedder": collection.embedder.id,
            "memos": len(collection.memos),
            "chunks": collection.chunks,
            "edges": len(collection.edges),
            "ambiguous": sum(memo.ambiguous for memo in memos.values()),
            "admission": admission,
            "false_answers": sum(clears(each, each.best) for each in others) / len(others),
            "arms": {
                name: [judge_outcome(each.question, pick(each)) for each in declared] for name, pick in picks.items()
            },
            "undeclared": {
                name: [judge_outcome(each.question, pick(each)) for each in traps if not each.question.is_declared]
                for name, pick in picks.items()
            },
            "ablations": ablations,
        }


def calibrate(found: Sequence[Found]) -> tuple[list[Found], str]:
    """Each question with its threshold, midgap of all labels moved by signals where these are admitted; and why."""
    samples = [
        Sample(str(place), each.question.answerable, each.best, each.best, None, each.signals)
        for place, each in enumerate(found)
    ]
    judged = admit_signals(samples)
    placed = place_threshold(
        [sample.score for sample in judged.samples if sample.answerable],
        [sample.score for sample in judged.samples if not sample.answerable],
        Midgap(),
    )
    assert isinstance(placed, Placement)
    evidence = judged.evidence
    moved = [
        replace(
            each,
            threshold=Threshold(placed.threshold - (evidence.shift(each.signals) if evidence else 0.0), placed.scale),
        )
        for each in found
    ]
    return moved, judged.admission.reason


def clears(found: Found, cosine: float | None) -> bool:
    """Whether a hit of this question is near enough to be used."""
    return found.threshold is not None and found.threshold.is_cleared_by(cosine)


def judge_outcome(question: Question, path: str | None) -> str:
    """What the first usable hit is: `stale`, `in force`, `other` (another memo), or `abstained`."""
    if path is None:
        return "abstained"
    return "stale" if path in question.stale else "in force" if path in question.current else "other"


def load(path: str) -> list[dict[str, Any]]:
    """The rows of a file with one JSON object a line."""
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def read_corpora(folder: str, means: Means) -> tuple[Collection, list[Question]]:
    """The memos of all collections as one corpus, and the search set."""
    texts: dict[str, str] = {}
    for name in sorted(os.listdir(folder)):
        docs = os.path.join(folder, name, "docs")
        for file in sorted(os.listdir(docs)) if os.path.isdir(docs) else ():
            with open(os.path.join(docs, file), encoding="utf-8", newline="") as opened:
                texts[f"{name}/{file}"] = opened.read()
    dates = {path: _valid_from(read_memo(path, text.encode())) for path, text in texts.items()}

    def place(names: Iterable[str]) -> frozenset[str]:
        return frozenset(f"{each.replace(':', '/', 1)}.md" for each in names)

    questions = [
        Question(
            row["query"],
            row["answerable"],
            place(row["trap_stale"]),
            place(row["relevant"]),
            bool(row.get("edge_declared")),
        )
        for row in load(os.path.join(folder, "search.jsonl"))
    ]
    named = {path for each in questions for path in (*each.stale, *each.current)}
    if missing := named - texts.keys():
        raise SystemExit(f"the search set names memos that are not there: {sorted(missing)}")
    return Collection("corpora", texts, dates, means), questions


def read_peps(folder: str, means: Means) -> tuple[Collection, list[Question]]:
    """The proposals with the edges that their authors declared, and the questions in the words of replaced ones."""
    rows = {row["id"]: row for row in load(os.path.join(folder, "docs.jsonl"))}
    older: dict[str, list[str]] = {}
    for edge in load(os.path.join(folder, "edges.jsonl")):
        if edge["old"] in rows and edge["new"] in rows:
            older.setdefault(edge["new"], []).append(edge["old"])
    texts = {
        f"{name}.md": "---\n"
        + (f"supersedes: [{', '.join(older[name])}]\n" if name in older else "")
        + f"title: {json.dumps(row['title'])}\n---\n\n{row['text']}\n"
        for name, row in rows.items()
    }
    dates = {f"{name}.md": _created(row["created"]) for name, row in rows.items()}
    reached = Collection("peps-supersession", texts, dates, means)
    memos = reached.resolve()
    questions = []
    for row in load(os.path.join(folder, "queries.jsonl")):
        stale = frozenset(f"{each}.md" for each in row["stale_ids"])
        current = frozenset(f"{each}.md" for each in row["current_ids"])
        leads = any(successor.path in current for path in stale for successor in memos[path].successors)
        questions.append(Question(row["query"], row["answerable"], stale, current, leads))
    return reached, questions


def _valid_from(memo: Memo) -> date:
    bound = memo.valid_from
    return bound.day if bound is not None and bound.day is not None else date.min


def _created(text: str | None) -> date:
    for form in ("%d-%b-%Y", "%d-%B-%Y", "%Y-%m-%d"):
        try:
            return datetime.strptime((text or "").strip(), form).replace(tzinfo=UTC).date()
        except ValueError:
            continue
    return date.min


READERS = {"corpora": (read_corpora, "corpora"), "peps-supersession": (read_peps, "data/peps-supersession")}


def main(data: str, name: str, cache: str, most: str, collection: str) -> None:
    """One collection."""
    means = Means(CachedEmbedder(choose_embedder(name), cache), int(most) or None)
    read, folder = READERS[collection]
    print(json.dumps(measure(*read(os.path.join(data, folder), means))))


if __name__ == "__main__":
    main(*sys.argv[1:])
