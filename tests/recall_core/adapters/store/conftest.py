"""The contract of generation stores: every test of this folder runs on each of `STORES`."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any
from uuid import uuid4

import numpy as np
import pytest

from recall_core.adapters.memory.store import MemoryStore
from recall_core.frontmatter.read import read_memo
from recall_core.generation.chunk import CHUNKER, chunk_memo
from recall_core.generation.pipeline import Pipeline
from recall_core.ports.store import Answer, Build, BuildPlan, Generation, GenerationStore, MemoRow, Query

STORES = ["memory", "embedded", "plain"]
"""The stores under contract. For `NAME` there is a fixture `NAME_store`, which gives a store that can be used."""

WIDTH = 64
ROOT = "/corpora/first"


@pytest.fixture
def memory_store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture(scope="session")
def embedded_store(embedded_server: Any) -> Iterator[GenerationStore]:
    """PostgreSQL as our own launcher starts it."""
    with embedded_server.open() as store:
        yield store


@pytest.fixture(scope="session")
def plain_store(plain_database: Any) -> Iterator[GenerationStore]:
    """PostgreSQL given by DSN, whose owner of tables is no superuser."""
    with plain_database.open() as store:
        yield store


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest) -> GenerationStore:
    """A store, which may hold generations of others."""
    return request.getfixturevalue(f"{request.param}_store")


def embed(text: str, width: int = WIDTH) -> np.ndarray:
    """A unit vector that says which words a text has: texts with words in common are near each other."""
    vector = np.zeros(width, dtype=np.float32)
    for word in re.findall(r"\w+", text.lower()) if width else ():
        digest = hashlib.sha256(word.encode()).digest()
        vector[digest[0] % width] += 1 if digest[1] % 2 else -1
    norm = np.linalg.norm(vector)
    return vector / norm if norm else vector


def build_pipeline(embedder: str = "words@1", dimension: int = WIDTH, chunker: str = CHUNKER) -> Pipeline:
    return Pipeline(embedder, dimension, chunker, "english", 1)


def hash_content(text: str) -> str:
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def build_row(
    path: str,
    text: str,
    *,
    recorded: datetime | None = None,
    refused: str = "",
    width: int = WIDTH,
    max_tokens: int = 256,
) -> MemoRow:
    """A memo as `recall index` hands it to a store. A refused one has no chunks."""
    title = PurePosixPath(path).stem
    chunks = () if refused else chunk_memo(text, title=title, max_tokens=max_tokens)
    vectors = np.array([embed(chunk.passage, width) for chunk in chunks], dtype=np.float32).reshape(len(chunks), width)
    return MemoRow(read_memo(path, text.encode()), hash_content(text), recorded, chunks, vectors, refused)


@dataclass(frozen=True)
class Shelf:
    """One tenant of one store, and what most tests do with it."""

    store: GenerationStore
    tenant: str

    def plan(
        self, *, root: str = ROOT, revision: str = "index", actor: str = "tester", pipeline: Pipeline | None = None
    ) -> BuildPlan:
        return BuildPlan(pipeline or build_pipeline(), root, revision, actor)

    def begin(self, **options: object):
        """The context of a build."""
        return self.store.build(self.tenant, self.plan(**options))

    def build(
        self,
        files: Mapping[str, str],
        *,
        recorded: Mapping[str, datetime] | None = None,
        refused: Mapping[str, str] | None = None,
        max_tokens: int = 256,
        **options: object,
    ) -> Generation:
        """A ready generation of memos by path."""
        with self.begin(**options) as build:
            self.add(build, files, recorded=recorded, refused=refused, max_tokens=max_tokens)
            return build.finish()

    def add(
        self,
        build: Build,
        files: Mapping[str, str],
        *,
        recorded: Mapping[str, datetime] | None = None,
        refused: Mapping[str, str] | None = None,
        max_tokens: int = 256,
    ) -> None:
        build.add(
            [
                build_row(
                    path,
                    text,
                    recorded=(recorded or {}).get(path),
                    refused=(refused or {}).get(path, ""),
                    max_tokens=max_tokens,
                )
                for path, text in files.items()
            ]
        )

    def promote(self, generation: Generation | str) -> Generation:
        """Over whatever is active."""
        active = self.store.active(self.tenant)
        name = generation if isinstance(generation, str) else generation.id
        return self.store.promote(self.tenant, name, expected=active.id if active else None, actor="tester")

    def serve(self, files: Mapping[str, str], **options: object) -> Generation:
        """Build and promote."""
        return self.promote(self.build(files, **options))

    def rollback(self) -> Generation:
        return self.store.rollback(self.tenant, actor="tester")

    def retire(self, generation: Generation) -> None:
        self.store.retire(self.tenant, generation.id, actor="tester")

    def forget(self, *paths: str, dry_run: bool = False):
        return self.store.forget(self.tenant, paths, actor="tester", dry_run=dry_run)

    def search(self, text: str, *, generation: str | None = None, limit: int = 10, **options: object) -> Answer:
        """The answer of the active generation to a text and its vector."""
        with self.store.snapshot(self.tenant, generation) as snapshot:
            assert snapshot is not None
            return snapshot.search(ask(text, limit=limit, **options))

    def find(self, text: str, **options: object) -> list[str]:
        """The paths of the hits of the lexical leg alone."""
        return [hit.memo.memo.path for hit in self.search(text, **{"vector": None, **options}).hits]

    def corpus(self, generation: Generation):
        return self.store.corpus(self.tenant, generation.id)

    def successors(self, generation: Generation) -> dict[str, list[str]]:
        """By path, what replaced each memo that is replaced."""
        return {
            each.memo.path: [successor.path for successor in each.successors]
            for each in self.corpus(generation)
            if each.successors
        }


def ask(text: str, **options: object) -> Query:
    """A question with the vector of its text, unless another is given."""
    return Query(text, **{"vector": embed(text)[np.newaxis], "limit": 10, **options})


@pytest.fixture
def shelf(store: GenerationStore) -> Shelf:
    """A tenant that nothing was done with yet."""
    return Shelf(store, f"tenant-{uuid4().hex}")


@pytest.fixture
def neighbour(store: GenerationStore) -> Shelf:
    """Another tenant of the same store."""
    return Shelf(store, f"tenant-{uuid4().hex}")


class Rows:
    """What tests make rows with themselves."""

    build_row = staticmethod(build_row)
    build_pipeline = staticmethod(build_pipeline)
    hash_content = staticmethod(hash_content)
    embed = staticmethod(embed)
    ask = staticmethod(ask)


@pytest.fixture
def rows() -> type[Rows]:
    return Rows
