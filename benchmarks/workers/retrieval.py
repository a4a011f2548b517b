"""Search labelled questions by each leg and by both: DATA CACHE SAMPLES. Prints JSON.

DATA holds collections with `search.jsonl`. All memos are one corpus in the store in memory, whose arithmetic is that of
the server. A question's answer is the list of memos, each at the place of its best chunk. Intervals are percentiles
over SAMPLES bootstrap samples of the questions.
"""

import glob
import json
import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from math import log2
from typing import Any

import numpy as np

from recall_core.adapters.embedders.choose import choose_embedder
from recall_core.adapters.memory.store import MemoryStore
from recall_core.adapters.vector_cache import CachedEmbedder
from recall_core.frontmatter.read import read_memo
from recall_core.generation.chunk import CHUNKER, chunk_memo
from recall_core.generation.pipeline import Pipeline
from recall_core.ports.embedder import Embedder
from recall_core.ports.store import BuildPlan, MemoRow, Query, Snapshot

SEED = 20260301
TENANT = "benchmark"
DEPTH = 50
FIRST = 10
LEGS = ("dense", "lexical", "hybrid")


def main(data: str, cache: str, samples: int) -> None:
    """Hit@5, MRR and nDCG@10 of each leg over the answerable questions, by kind and together."""
    embedder = CachedEmbedder(choose_embedder("local"), cache)
    with open(os.path.join(data, "search.jsonl"), encoding="utf-8") as file:
        questions = [each for each in map(json.loads, file) if each["answerable"]]
    asked = embedder.embed_queries([each["query"] for each in questions])
    store = MemoryStore()
    fill(store, data, embedder)
    found: dict[str, list[list[str]]] = {leg: [] for leg in LEGS}
    with store.snapshot(TENANT) as snapshot:
        if snapshot is None:
            raise SystemExit("nothing is active")
        for question, vector in zip(questions, asked, strict=True):
            for leg, paths in search(snapshot, question["query"], vector[np.newaxis]).items():
                found[leg].append(paths)
    kinds = sorted({each["kind"] for each in questions})
    rows = [
        {"leg": leg, "kind": kind, **measure(questions, found[leg], kind, samples)}
        for kind in ("all", *kinds)
        for leg in LEGS
    ]
    print(json.dumps({"chunks": store.generations(TENANT)[0].chunks, "rows": rows}))


def fill(store: MemoryStore, data: str, embedder: Embedder) -> None:
    """Index every collection, as one corpus, and serve it."""
    pipeline = Pipeline(embedder.id, embedder.dimension, CHUNKER, "english", 1)
    with store.build(TENANT, BuildPlan(pipeline, data, "work-tree", "benchmark")) as build:
        for path in sorted(glob.glob(os.path.join(data, "*", "docs", "*.md"))):
            with open(path, "rb") as file:
                content = file.read()
            name = f"{os.path.basename(os.path.dirname(os.path.dirname(path)))}:{os.path.basename(path)[:-3]}"
            memo = read_memo(f"{name}.md", content)
            chunks = chunk_memo(content.decode("utf-8", "replace"), title=memo.title)
            vectors = embedder.embed_documents([chunk.passage for chunk in chunks])
            build.add([MemoRow(memo, f"sha256:{name}", datetime(2026, 1, 1, tzinfo=UTC), chunks, vectors)])
        generation = build.finish()
    store.promote(TENANT, generation.id, expected=None, actor="benchmark")


def search(snapshot: Snapshot, text: str, vector: np.ndarray[Any, np.dtype[np.float32]]) -> dict[str, list[str]]:
    """The memos that each leg finds, best first."""
    answers = {
        "dense": snapshot.search(Query("", vector, DEPTH, depth=DEPTH)),
        "lexical": snapshot.search(Query(text, None, DEPTH, depth=DEPTH)),
        "hybrid": snapshot.search(Query(text, vector, DEPTH, depth=DEPTH)),
    }
    return {
        leg: list(dict.fromkeys(hit.memo.memo.path[:-3] for hit in answer.hits))[:FIRST]
        for leg, answer in answers.items()
    }


def measure(questions: Sequence[Any], found: Sequence[Sequence[str]], kind: str, samples: int) -> dict[str, Any]:
    """The three figures with their 95 % intervals."""
    scores = np.array(
        [
            score(set(question["relevant"]), paths)
            for question, paths in zip(questions, found, strict=True)
            if kind in ("all", question["kind"])
        ]
    )
    chance = np.random.default_rng(SEED)
    means = np.array([scores[chance.integers(0, len(scores), len(scores))].mean(axis=0) for _ in range(samples)])
    low, high = np.percentile(means, [2.5, 97.5], axis=0)
    return {
        "questions": len(scores),
        **{
            name: [float(scores.mean(axis=0)[place]), float(low[place]), float(high[place])]
            for place, name in enumerate(("hit", "mrr", "ndcg"))
        },
    }


def score(relevant: set[str], paths: Sequence[str]) -> tuple[float, float, float]:
    """Hit@5, the reciprocal rank within the first ten, and nDCG@10 with relevance 0 or 1."""
    places = [place for place, path in enumerate(paths) if path in relevant]
    gained = sum(1 / log2(place + 2) for place in places)
    ideal = sum(1 / log2(place + 2) for place in range(min(FIRST, len(relevant))))
    return float(any(place < 5 for place in places)), 1 / (places[0] + 1) if places else 0.0, gained / ideal


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
