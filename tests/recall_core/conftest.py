"""Stand-ins for a store and a model: just enough of each port for a use case to be seen working."""

# ruff: noqa: ARG002 - the signatures are those of the ports

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from recall_core.errors import ConflictError, EmbedderError, UsageError
from recall_core.generation.manifest import Source, build_fingerprint
from recall_core.generation.states import COMPLETE, State
from recall_core.generation.stored import StoredMemo, resolve_memos
from recall_core.ports.store import (
    Answer,
    BuildPlan,
    Forgotten,
    Generation,
    MemoRow,
    Query,
    Retrieved,
)

NOW = datetime(2026, 6, 15, 12, 0, tzinfo=UTC)


class StandInEmbedder:
    """Hashes words into a few dimensions, and counts what it is asked."""

    def __init__(self, dimension: int = 32, name: str = "stand-in") -> None:
        self.id, self.dimension, self.max_tokens, self.is_fused = name, dimension, 256, bool(dimension)
        self.texts: list[str] = []
        self.fails_after: int | None = None

    def embed_documents(self, texts: Sequence[str]) -> np.ndarray:
        self.texts += texts
        if self.fails_after is not None and len(self.texts) > self.fails_after:
            raise EmbedderError("the model is gone")
        return self.embed_queries(texts)

    def embed_queries(self, texts: Sequence[str]) -> np.ndarray:
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"\w+", text.lower()):
                row[int(hashlib.sha256(word.encode()).hexdigest(), 16) % self.dimension] += 1
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.where(lengths == 0, 1, lengths)


class StandInBuild:
    def __init__(self, store: "StandInStore", tenant: str, plan: BuildPlan, name: str) -> None:
        self.id, self._store, self._tenant, self._plan = name, store, tenant, plan
        self.rows: list[MemoRow] = []

    def known_vectors(self, content_hashes: Iterable[str]) -> Mapping[str, np.ndarray]:
        wanted = set(content_hashes)
        return {
            row.content_hash: row.vectors
            for generation in self._store.generations(self._tenant)
            if generation.state in COMPLETE and generation.pipeline == self._plan.pipeline
            for row in self._store.rows[generation.id]
            if row.content_hash in wanted and row.chunks
        }

    def add(self, rows: Sequence[MemoRow]) -> None:
        self.rows += [row for row in rows if row.memo.path not in self._store.barred]

    def finish(self) -> Generation:
        for row in self.rows:
            assert len(row.vectors) == len(row.chunks)
            assert row.vectors.shape[1] == self._plan.pipeline.dimension or not row.chunks
            assert not (row.refused and row.chunks)
        return self._store.complete(self, self._tenant, self._plan)


class StandInStore:
    """Generations in a list; nothing of it is fit for use beyond these tests."""

    def __init__(self) -> None:
        self.all: list[Generation] = []
        self.rows: dict[str, list[MemoRow]] = {}
        self.barred: set[str] = set()
        self.searches: list[Query] = []

    def generations(self, tenant: str) -> list[Generation]:
        return [each for each in reversed(self.all) if each.tenant == tenant]

    def generation(self, tenant: str, generation: str) -> Generation | None:
        return next((each for each in self.generations(tenant) if each.id == generation), None)

    def active(self, tenant: str) -> Generation | None:
        return next((each for each in self.generations(tenant) if each.state is State.ACTIVE), None)

    def corpus(self, tenant: str, generation: str) -> list[StoredMemo]:
        return resolve_memos((row.memo, row.content_hash, row.recorded) for row in self.rows[generation])

    @contextmanager
    def build(self, tenant: str, plan: BuildPlan) -> Iterator[StandInBuild]:
        for each in self.generations(tenant):
            if each.root != plan.root:
                raise ConflictError(f"the tenant `{tenant}` holds {each.root}", help="choose another with --tenant")
        build = StandInBuild(self, tenant, plan, f"gen_{len(self.all) + 1}")
        try:
            yield build
        finally:
            if build.id not in self.rows:
                self.all.append(self._generation(build, tenant, plan, State.FAILED))
                self.rows[build.id] = []

    def complete(self, build: StandInBuild, tenant: str, plan: BuildPlan) -> Generation:
        generation = self._generation(build, tenant, plan, State.READY)
        self.all.append(generation)
        self.rows[build.id] = build.rows
        return generation

    @contextmanager
    def snapshot(self, tenant: str, generation: str | None = None) -> "Iterator[StandInSnapshot | None]":
        found = self.active(tenant) if generation is None else self.generation(tenant, generation)
        yield None if found is None else StandInSnapshot(self, found)

    def promote(self, tenant: str, generation: str, *, expected: str | None, actor: str) -> Generation:
        active = self.active(tenant)
        if (active.id if active else None) != expected:
            raise ConflictError("another was promoted meanwhile")
        if active is not None:
            self._set(active.id, State.RETIRED)
        return self._set(generation, State.ACTIVE)

    def rollback(self, tenant: str, *, actor: str) -> Generation:
        before = next((each for each in self.generations(tenant) if each.state is State.RETIRED), None)
        if before is None:
            raise UsageError("nothing was served before")
        active = self.active(tenant)
        assert active is not None
        self._set(active.id, State.RETIRED)
        return self._set(before.id, State.ACTIVE)

    def retire(self, tenant: str, generation: str, *, actor: str) -> None:
        self._set(generation, State.RETIRED)
        self.rows[generation] = []

    def forget(self, tenant: str, paths: Sequence[str], *, actor: str, dry_run: bool) -> Forgotten:
        held = {row.memo.path for each in self.generations(tenant) for row in self.rows[each.id]}
        known, unknown = [path for path in paths if path in held], [path for path in paths if path not in held]
        touched = [
            each.id for each in self.generations(tenant) if any(r.memo.path in known for r in self.rows[each.id])
        ]
        chunks = sum(len(row.chunks) for each in touched for row in self.rows[each] if row.memo.path in known)
        if not dry_run:
            self.barred.update(known)
            for each in touched:
                self.rows[each] = [row for row in self.rows[each] if row.memo.path not in known]
        return Forgotten(tuple(known), tuple(unknown), chunks, tuple(touched))

    def _set(self, generation: str, state: State) -> Generation:
        position = next(number for number, each in enumerate(self.all) if each.id == generation)
        self.all[position] = replace(self.all[position], state=state)
        return self.all[position]

    def _generation(self, build: StandInBuild, tenant: str, plan: BuildPlan, state: State) -> Generation:
        fingerprint = build_fingerprint(Source(row.memo.path, row.content_hash) for row in build.rows)
        refused = tuple(sorted(row.memo.path for row in build.rows if row.refused))
        chunks = sum(len(row.chunks) for row in build.rows)
        counts = (len(build.rows), chunks, refused)
        named = (build.id, tenant, state, plan.pipeline, plan.root, plan.revision, fingerprint, fingerprint, NOW, None)
        return Generation(*named, *counts)


class StandInSnapshot:
    def __init__(self, store: StandInStore, generation: Generation) -> None:
        self.generation, self._store = generation, store
        self._memos = {each.memo.path: each for each in store.corpus(generation.tenant, generation.id)}

    def search(self, query: Query) -> Answer:
        self._store.searches.append(query)
        words = set(re.findall(r"\w+", query.text.lower()))
        hits = []
        for row in self._store.rows[self.generation.id]:
            if query.paths is not None and row.memo.path not in query.paths:
                continue
            for chunk, vector in zip(row.chunks, row.vectors, strict=True):
                cosine = float(vector @ query.vector[0]) if query.vector is not None else None
                lexical = float(len(words & set(re.findall(r"\w+", chunk.passage.lower()))))
                if lexical or cosine is not None:
                    memo = self._memos[row.memo.path]
                    hits.append(Retrieved(memo, chunk, cosine, lexical, None, 1, NOW))
        hits.sort(key=lambda hit: -(hit.cosine if hit.cosine is not None else hit.lexical))
        cosines = tuple(hit.cosine for hit in hits if hit.cosine is not None)
        return Answer(self.generation, tuple(hits[: query.limit]), cosines)

    def memos(self, paths: Iterable[str]) -> Mapping[str, StoredMemo]:
        return {path: self._memos[path] for path in paths if path in self._memos}

    def best_chunks(self, paths: Iterable[str], vector: np.ndarray) -> Mapping[str, Retrieved]:
        raise AssertionError("nobody asks for these yet")


@pytest.fixture
def store() -> StandInStore:
    return StandInStore()


@pytest.fixture
def embedder() -> StandInEmbedder:
    return StandInEmbedder()


@pytest.fixture
def make_embedder() -> type[StandInEmbedder]:
    return StandInEmbedder
