"""Where generations live. Two adapters honour it, PostgreSQL and memory, and one contract suite runs on both."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from recall_core.calibration.artifact import Binding
from recall_core.calibration.signals import Observation
from recall_core.calibration.status import Record
from recall_core.generation.chunk import Chunk
from recall_core.generation.pipeline import Pipeline
from recall_core.generation.states import State
from recall_core.generation.stored import StoredMemo
from recall_core.model.memo import Memo
from recall_core.ports.calibrations import CalibrationStore
from recall_core.ports.embedder import Vectors

MOST_ROWS = 1000
"""The most rows that one search may ask for."""


@dataclass(frozen=True, slots=True)
class Generation:
    """One index of one corpus. `refused` names the memos whose metadata could not be read; they have no chunks.

    `manifest_fingerprint` is that of the corpus as it was built, `corpus_fingerprint` the effective one: forgetting a
    memo changes it. `root` is the folder that was indexed, `revision` what of it (a commit, `index` or `work-tree`).
    """

    id: str
    tenant: str
    state: State
    pipeline: Pipeline
    root: str
    revision: str
    manifest_fingerprint: str
    corpus_fingerprint: str
    created_at: datetime
    promoted_at: datetime | None
    memos: int
    chunks: int
    refused: tuple[str, ...]

    @property
    def binding(self) -> Binding:
        """What a measurement on this generation, as it stands, is evidence about."""
        pipeline = self.pipeline
        return Binding(
            tenant=self.tenant,
            generation=self.id,
            embedder=pipeline.embedder,
            dimension=pipeline.dimension,
            pipeline_fingerprint=pipeline.fingerprint,
            corpus_fingerprint=self.corpus_fingerprint,
        )


@dataclass(frozen=True, slots=True)
class MemoRow:
    """A memo with its chunks, ready to be stored.

    `content_hash` is `sha256:` and the digest of the file's bytes. `recorded` is when the memo entered the corpus; None
    where that is unknown. `vectors` has one row for each chunk, and no columns where there is no embedding. A refused
    memo has no chunks; what can be read of its declarations is stored all the same.
    """

    memo: Memo
    content_hash: str
    recorded: datetime | None
    chunks: tuple[Chunk, ...]
    vectors: Vectors
    refused: str = ""


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """What a build is going to make. `is_fused` is the embedder's: without it nobody asks for the nearest vectors."""

    pipeline: Pipeline
    root: str
    revision: str
    actor: str
    is_fused: bool = True


class Build(Protocol):
    """A generation in the making. Nobody sees it until `finish`; leaving the context without it marks it failed."""

    @property
    def id(self) -> str:
        """The id that the generation will have."""
        ...

    def known_vectors(self, content_hashes: Iterable[str]) -> Mapping[str, Vectors]:
        """By content hash, the vectors of memos that a complete generation with this pipeline already holds."""
        ...

    def add(self, rows: Sequence[MemoRow]) -> None:
        """Store some memos. What a tombstone bars is left out."""
        ...

    def finish(self) -> Generation:
        """Make the postings, the terminals and the indexes, validate, and give the generation, which is ready.

        Raises StoreError where the rows do not add up; then the generation is failed.
        """
        ...


@dataclass(frozen=True, slots=True)
class Query:
    """One question to one generation. `vector` is one row, or None for lexical alone. `limit` counts hits.

    With `observes` the answer has the observation that signals are computed from.

    `depth` is how many rows each leg gives before they are fused. `paths` restricts the answer to some memos.
    """

    text: str
    vector: Vectors | None
    limit: int
    depth: int = 50
    paths: frozenset[str] | None = None
    is_fused: bool = True
    observes: bool = False


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A chunk that a search found. `cosine` is the true one, also of a lexical hit; None without an embedding.

    `dense_rank` and `lexical_rank` count from 1; None where that leg did not give the chunk. `lexical` is its BM25.
    """

    memo: StoredMemo
    chunk: Chunk
    cosine: float | None
    lexical: float | None
    dense_rank: int | None
    lexical_rank: int | None
    indexed_at: datetime


@dataclass(frozen=True, slots=True)
class Answer:
    """What one search found in one generation, best first, and the dense leg's cosines, the highest first.

    `notes` are sentences about what the server could not do as asked, such as a setting that it does not have.
    """

    generation: Generation
    hits: tuple[Retrieved, ...]
    dense_cosines: tuple[float, ...]
    notes: tuple[str, ...] = ()
    observation: Observation | None = None


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What forgetting takes away: memos by path, with the chunks over all generations."""

    paths: tuple[str, ...]
    unknown: tuple[str, ...]
    chunks: int
    generations: tuple[str, ...]


class Snapshot(Protocol):
    """One state of one tenant's active (or named) generation: all that one search reads comes from it."""

    @property
    def generation(self) -> Generation:
        """The generation that is pinned."""
        ...

    def calibrations(self, known_at: datetime | None = None) -> Sequence[Record]:
        """What `recall_core.calibration.status.resolve` decides by, of the same instant as everything else here.

        The records of this generation and the tenant's files of the former format, one at least for each state that
        occurs; the published one has its artifact. `known_at` (aware) gives them as they stood at an instant.
        """
        ...

    def search(self, query: Query) -> Answer:
        """Both legs, fused. Raises UsageError for a limit below 1 or above MOST_ROWS, StoreError on an outage."""
        ...

    def memos(self, paths: Iterable[str]) -> Mapping[str, StoredMemo]:
        """The memos at some paths, by path; unknown ones are left out."""
        ...

    def best_chunks(self, paths: Iterable[str], vector: Vectors) -> Mapping[str, Retrieved]:
        """For each path the chunk with the highest cosine to the one row of `vector`."""
        ...


class GenerationStore(Protocol):
    """Generations of tenants. Every method names the tenant; none ever answers with rows of another."""

    @property
    def calibrations(self) -> CalibrationStore:
        """The calibrations that are kept beside the generations."""
        ...

    def generations(self, tenant: str) -> list[Generation]:
        """All of a tenant, the newest first."""
        ...

    def generation(self, tenant: str, generation: str) -> Generation | None:
        """One by its id."""
        ...

    def active(self, tenant: str) -> Generation | None:
        """The one that is served."""
        ...

    def corpus(self, tenant: str, generation: str) -> list[StoredMemo]:
        """Every memo of a complete generation, by path: for the evaluator, never for a search."""
        ...

    def build(self, tenant: str, plan: BuildPlan) -> AbstractContextManager[Build]:
        """Begin a generation as the tenant's single writer.

        Raises ConflictError where somebody else is building (naming who), or where the tenant holds another root.
        """
        ...

    def snapshot(self, tenant: str, generation: str | None = None) -> AbstractContextManager[Snapshot | None]:
        """Pin the active generation, or a complete one by its id; None where there is none."""
        ...

    def promote(
        self, tenant: str, generation: str, *, expected: str | None, actor: str, demands_certified: bool = False
    ) -> Generation:
        """Make a ready generation the active one, if `expected` is still active. Raises ConflictError otherwise.

        With `demands_certified` the same transaction looks whether a certified calibration is published that is bound
        to the generation as it stands; raises RefusedError where there is none.
        """
        ...

    def rollback(self, tenant: str, *, actor: str) -> Generation:
        """Make the generation that was active before active again. Raises UsageError where there is none.

        A calibration that does not serve never stops it; the event says what its standing was.
        """
        ...

    def retire(self, tenant: str, generation: str, *, actor: str) -> None:
        """Drop the rows of a generation that is not active, and keep its record. Raises UsageError otherwise."""
        ...

    def forget(self, tenant: str, paths: Sequence[str], *, actor: str, dry_run: bool) -> Forgotten:
        """Take memos out of every generation and bar their paths and contents, in one transaction."""
        ...
