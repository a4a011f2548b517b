"""Databases to break: each test that changes tables gets one of its own."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

import numpy as np
import pytest

from recall_core.adapters.postgres.store import PostgresStore
from recall_core.generation.chunk import Chunk
from recall_core.generation.pipeline import Pipeline
from recall_core.model.memo import Memo, Reference, Style
from recall_core.model.span import START
from recall_core.ports.store import BuildPlan, Generation, MemoRow

WIDTH = 16
PIPELINE = Pipeline("numbers:16", WIDTH, "whole-1", "english", 1)
DAY = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def database(plain_server, request: pytest.FixtureRequest):
    """A database without tables, whose owner is no superuser."""
    return plain_server.make_database(f"d{uuid4().hex[:12]}")


@pytest.fixture
def store(database) -> Iterator[PostgresStore]:
    with database.open() as store:
        yield store


def make_row(path: str, text: str, *supersedes: str, vector: object = None) -> MemoRow:
    """A memo of one chunk. Without a vector it gets one that its text decides."""
    if vector is None:
        vector = np.random.default_rng(list(text.encode())).normal(size=WIDTH)
    numbers = np.asarray(vector, dtype=np.float32).reshape(1, WIDTH)
    numbers = numbers / np.linalg.norm(numbers)
    references = tuple(Reference(each, each, START, Style.PLAIN, each, each) for each in supersedes)
    memo = Memo(path, path.rpartition("/")[2].removesuffix(".md"), path, supersedes=references)
    return MemoRow(memo, f"sha256:{path}:{hash_of(text)}", DAY, (Chunk(0, text, "", 1, 1),), numbers)


def hash_of(text: str) -> str:
    import hashlib

    return hashlib.sha256(text.encode()).hexdigest()


Fill = Callable[..., Generation]


@pytest.fixture
def rows() -> Callable[..., MemoRow]:
    return make_row


@pytest.fixture
def plan() -> BuildPlan:
    return BuildPlan(PIPELINE, "/corpus", "work-tree", "tester")


@pytest.fixture
def fill(plan: BuildPlan) -> Fill:
    """Builds a generation of some rows, and promotes it unless told otherwise."""

    def build(store: PostgresStore, rows: list[MemoRow], *, tenant: str = "one", promote: bool = True, **plan_: object):
        active = store.active(tenant)
        with store.build(tenant, replace(plan, **plan_)) as building:
            building.add(rows)
            made = building.finish()
        if promote:
            made = store.promote(tenant, made.id, expected=None if active is None else active.id, actor="tester")
        return made

    return build


@pytest.fixture
def fails() -> Callable[..., object]:
    return suppress
