"""Build a generation in PostgreSQL and search it: DATA CACHE FOLDER SIZE EMBEDDED ROUNDS. Prints JSON.

DATA holds the collections of `../shared/corpora` with `search.jsonl`. Their chunks are the first of SIZE; of those, and
at most EMBEDDED, the local model makes the vectors (kept below CACHE). What is missing is made of two halves of real
chunks, with a vector drawn about a real one (cosine about 0.8), so that words and neighbours are as frequent as they
are. The server, our own, lives in FOLDER.
"""

import glob
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import psycopg

from recall_core.adapters.embedded import server
from recall_core.adapters.embedders.choose import choose_embedder
from recall_core.adapters.postgres.dense import ask_nearest, ask_settings
from recall_core.adapters.postgres.reading import find_generation
from recall_core.adapters.postgres.rows import write_vector
from recall_core.adapters.postgres.store import PostgresStore, open_store
from recall_core.adapters.vector_cache import CachedEmbedder
from recall_core.frontmatter.read import read_memo
from recall_core.generation.chunk import CHUNKER, Chunk, chunk_memo
from recall_core.generation.pipeline import Pipeline
from recall_core.ports.embedder import Vectors
from recall_core.ports.store import BuildPlan, Generation, MemoRow, Query

SEED = 1
NOISE = 0.75
"""The length of what is added to a unit vector: the cosine to it is then about 1 / sqrt(1 + 0.75^2) = 0.8."""

CHUNKS_A_MEMO = 20
QUESTIONS = 150
TENANT = "benchmark"
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def main(data: str, cache: str, folder: str, *numbers: int) -> None:
    """Build, search and compare. `numbers` are the size, how many chunks are embedded for real, and the rounds."""
    size, embedded, rounds = numbers
    embedder = CachedEmbedder(choose_embedder("local"), cache)
    chunks = read_chunks(data)[:size]
    real = chunks[:embedded]
    vectors = embedder.embed_documents([chunk.passage for chunk in real])
    with open(os.path.join(data, "search.jsonl"), encoding="utf-8") as file:
        questions = [json.loads(line)["query"] for line in file][:QUESTIONS]
    asked = embedder.embed_queries(questions)
    found = server.ensure(folder, idle_seconds=3600)
    with open_store(found.serving_dsn, found.owner_dsn, applies=True) as store:
        pipeline = Pipeline(embedder.id, embedder.dimension, CHUNKER, "english", 1)
        start = time.perf_counter()
        generation = build(store, pipeline, make_rows(chunks, vectors, size))
        seconds = time.perf_counter() - start
        store.promote(TENANT, generation.id, expected=None, actor="benchmark")
        times = [search(store, questions, asked) for _ in range(rounds)]
        answer: dict[str, Any] = {
            "chunks": generation.chunks,
            "embedded": len(real),
            "build_s": seconds,
            "p50_ms": statistics.median(each[0] for each in times),
            "p95_ms": statistics.median(each[1] for each in times),
            "recall": compare(store, generation, asked, None),
            "recall_filtered": compare(store, generation, asked, 0.5),
            "recall_narrow": compare(store, generation, asked, 0.01),
            "disk_mb": measure_disk(found.owner_dsn, generation.id),
        }
    server.stop(folder)
    print(json.dumps(answer))


def read_chunks(data: str) -> list[Chunk]:
    """The chunks of all collections, in an order that depends on the seed alone."""
    chunks: list[Chunk] = []
    for path in sorted(glob.glob(os.path.join(data, "*", "docs", "*.md"))):
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        title = read_memo(os.path.basename(path), text.encode()).title
        chunks += chunk_memo(text, title=title)
    random.Random(SEED).shuffle(chunks)
    return chunks


def make_rows(chunks: list[Chunk], vectors: Vectors, size: int) -> Iterator[list[MemoRow]]:
    """Memos of some chunks each, some hundred at a time."""
    chance, words = np.random.default_rng(SEED), random.Random(SEED)
    halves = [(chunk.text[: len(chunk.text) // 2], chunk.text[len(chunk.text) // 2 :]) for chunk in chunks]
    for start in range(0, size, 2000):
        end = min(start + 2000, size)
        place = chance.integers(0, len(vectors), end - start)
        noise = chance.normal(size=(end - start, vectors.shape[1])).astype(np.float32)
        noise *= NOISE / np.linalg.norm(noise, axis=1, keepdims=True)
        drawn = vectors[place] + noise
        drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
        own = max(0, min(end, len(vectors)) - start)
        drawn[:own] = vectors[start : start + own]
        made = [
            chunks[number]
            if number < len(chunks)
            else Chunk(0, words.choice(halves)[0] + words.choice(halves)[1], "", 1, 9)
            for number in range(start, end)
        ]
        yield [
            _memo(start + first, made[first : first + CHUNKS_A_MEMO], drawn[first : first + CHUNKS_A_MEMO])
            for first in range(0, end - start, CHUNKS_A_MEMO)
        ]


def _memo(number: int, chunks: list[Chunk], vectors: Vectors) -> MemoRow:
    path = f"memos/{number:07}.md"
    memo = read_memo(path, b"# Memo\n")
    numbered = tuple(replace(chunk, ordinal=ordinal) for ordinal, chunk in enumerate(chunks))
    return MemoRow(memo, f"sha256:{number}", NOW, numbered, vectors)


def build(store: PostgresStore, pipeline: Pipeline, batches: Iterator[list[MemoRow]]) -> Generation:
    """A ready generation."""
    with store.build(TENANT, BuildPlan(pipeline, "/benchmark", "work-tree", "benchmark")) as building:
        for batch in batches:
            building.add(batch)
        return building.finish()


def search(store: PostgresStore, questions: list[str], asked: Vectors) -> tuple[float, float]:
    """Median and 95th percentile of one search, in milliseconds, once the question is embedded."""
    times = []
    for question, vector in zip(questions, asked, strict=True):
        start = time.perf_counter()
        with store.snapshot(TENANT) as snapshot:
            if snapshot is None:
                raise SystemExit("nothing is active")
            snapshot.search(Query(question, vector[np.newaxis], 10))
        times.append((time.perf_counter() - start) * 1000)
    times.sort()
    return times[len(times) // 2], times[int(len(times) * 0.95)]


def compare(store: PostgresStore, generation: Generation, asked: Vectors, share: float | None) -> float | None:
    """The part of the ten nearest that the approximate index finds, with a filter that leaves a share of the chunks."""
    with store._session.snapshot(TENANT) as connection:
        record = find_generation(connection, TENANT, generation.id)
        if record is None or not record.is_indexed:
            return None
        allowed = None
        if share is not None:
            chosen = np.random.default_rng(SEED).random(generation.chunks) < share
            allowed = np.flatnonzero(chosen).tolist()
        hits = 0
        ask_settings(connection, 50)
        for vector in asked:
            written = write_vector(vector)
            nearest = [
                {
                    row[0]
                    for row in sorted(
                        ask_nearest(connection, record, written, depth=depth, allowed=allowed, exact=exact).fetchall(),
                        key=lambda row: (row[1], row[0]),
                    )[:10]
                }
                for exact, depth in ((True, 10), (False, 50))
            ]
            hits += len(nearest[0] & nearest[1])
        return hits / (10 * len(asked))


def measure_disk(dsn: str, generation: str) -> float:
    """The room that a generation takes with its indexes, in units of 1,000,000 bytes."""
    with psycopg.connect(dsn) as connection:
        row = connection.execute(
            "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relname LIKE %s",
            [f"%{generation}"],
        ).fetchone()
    return float(row[0]) / 1e6 if row else 0.0


if __name__ == "__main__":
    main(*sys.argv[1:4], *map(int, sys.argv[4:]))
