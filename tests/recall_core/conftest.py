"""A store in memory that can be looked into, a stand-in for a model, and the servers of tests."""

import hashlib
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from recall_core.adapters.memory.snapshot import MemorySnapshot
from recall_core.adapters.memory.store import MemoryStore
from recall_core.calibration.artifact import Artifact, State
from recall_core.calibration.measure import Maker, build_artifact, take_sample
from recall_core.calibration.queryset import build_query_set
from recall_core.calibration.rule import Midgap
from recall_core.calibration.status import Record
from recall_core.errors import EmbedderError
from recall_core.ports.store import Answer, Generation, MemoRow, Query

NOW = datetime(2026, 6, 15, 12, 0, tzinfo=UTC)

QUERIES = build_query_set(
    [{"query": f"answered {number}", "answerable": True} for number in range(25)]
    + [{"query": f"unknown {number}", "answerable": False} for number in range(25)]
)
MAKER = Maker("ada", datetime(2026, 3, 1, tzinfo=UTC), "1.2.3")


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


class GlassStore(MemoryStore):
    """A store in memory whose rows are seen, and the searches that it was asked for.

    With `records` every snapshot has these calibrations, whatever is stored.
    """

    def __init__(self) -> None:
        super().__init__(now=lambda: NOW)
        self.searches: list[Query] = []
        self.records: list[Record] | None = None

    @property
    def rows(self) -> dict[str, list[MemoRow]]:
        """The rows of every generation, by its id."""
        held = [each for tenant in self._tenants.values() for each in tenant.held.values()]
        return {each.generation.id: list(each.contents.rows) if each.contents else [] for each in held}

    @property
    def all(self) -> list[Generation]:
        """Every generation of every tenant."""
        return [each.generation for tenant in self._tenants.values() for each in tenant.held.values()]

    @contextmanager
    def snapshot(self, tenant: str, generation: str | None = None) -> Iterator[MemorySnapshot | None]:
        searches, records = self.searches, self.records

        class GlassSnapshot(MemorySnapshot):
            def calibrations(self, known_at: datetime | None = None) -> Sequence[Record]:
                return super().calibrations(known_at) if records is None else records

            def search(self, query: Query) -> Answer:
                searches.append(query)
                return super().search(query)

        with super().snapshot(tenant, generation) as found:
            if found is not None:
                found.__class__ = GlassSnapshot
            yield found


@pytest.fixture
def store() -> GlassStore:
    return GlassStore()


@pytest.fixture
def embedder() -> StandInEmbedder:
    return StandInEmbedder()


@pytest.fixture
def make_embedder() -> type[StandInEmbedder]:
    return StandInEmbedder


def _load_servers() -> ModuleType:
    """The module beside this file: test folders are no packages, so it is loaded by its place."""
    spec = spec_from_file_location("recall_test_servers", Path(__file__).parent / "adapters" / "servers.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def servers() -> ModuleType:
    """How servers are started in tests."""
    return _load_servers()


@pytest.fixture(scope="session")
def server_room() -> Iterator[Path]:
    """A folder that a server's own user can reach, with a path that is short enough for a socket."""
    folder = Path(tempfile.mkdtemp(prefix="recall-test-", dir="/tmp"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def embedded_server(servers: ModuleType, server_room: Path) -> Iterator[Any]:
    """Our own server, shared by the tests of one process; a missing one fails them."""
    (server_room / "embedded").mkdir()
    yield servers.start_embedded(server_room / "embedded")
    servers.stop_embedded(server_room / "embedded")


@pytest.fixture(scope="session")
def plain_server(servers: ModuleType, server_room: Path) -> Iterator[Any]:
    """A server that was started without our launcher, from the programs of the second wheel."""
    folder = server_room / "plain"
    folder.mkdir()
    server = servers.PlainServer(folder)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def plain_database(plain_server: Any) -> Any:
    """A database on the plain server."""
    return plain_server.make_database("contract")


@pytest.fixture
def measure() -> Callable[..., Record]:
    """A record of a generation: certified, with this threshold and a scale of 0.1, unless `overlaps`."""

    def measure(
        generation: Generation,
        threshold: float = 0.5,
        *,
        state: State = State.PUBLISHED,
        overlaps: bool = False,
        **binding: object,
    ) -> Record:
        reach = 0.0 if overlaps else 0.2
        samples = [take_sample(each, threshold + (reach if each.answerable else -reach)) for each in QUERIES]
        bound = replace(generation.binding, **binding)
        artifact = build_artifact(QUERIES, samples, Midgap(), bound, MAKER)
        assert isinstance(artifact, Artifact)
        assert artifact.threshold == pytest.approx(threshold, abs=0.0011)
        return Record(state, artifact, QUERIES.digest)

    return measure
