"""A generation in the making, in memory."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from threading import RLock

from recall_core.adapters.memory.contents import Contents
from recall_core.adapters.memory.tenant import Tenant
from recall_core.errors import StoreError
from recall_core.generation.manifest import Source, build_fingerprint
from recall_core.generation.states import State
from recall_core.graph.evaluate import as_utc
from recall_core.ports.embedder import Vectors
from recall_core.ports.store import BuildPlan, Generation, MemoRow


class MemoryBuild:
    """See `Build`. The lock and the clock are the store's."""

    def __init__(
        self, lock: RLock, tenant: Tenant, generation: str, plan: BuildPlan, now: Callable[[], datetime]
    ) -> None:
        self._lock = lock
        self._tenant = tenant
        self._generation = generation
        self._plan = plan
        self._now = now
        self._rows: dict[str, MemoRow] = {}

    @property
    def id(self) -> str:
        """The id that the generation will have."""
        return self._generation

    def known_vectors(self, content_hashes: Iterable[str]) -> Mapping[str, Vectors]:
        """By content hash, the vectors of memos that a complete generation with this pipeline already holds."""
        wanted = set(content_hashes)
        known: dict[str, Vectors] = {}
        if not self._plan.pipeline.dimension:
            return known
        with self._lock:
            for held in reversed(self._tenant.held.values()):
                if held.complete is not None and held.generation.pipeline == self._plan.pipeline:
                    for row in held.complete.rows:
                        if row.content_hash in wanted and row.chunks:
                            known.setdefault(row.content_hash, row.vectors)
        return known

    def add(self, rows: Sequence[MemoRow]) -> None:
        """Store some memos. What a tombstone bars is left out, at the latest when the build is finished."""
        width = self._plan.pipeline.dimension
        for row in rows:
            path = row.memo.path
            if path in self._rows:
                raise StoreError(f"{path} was sent twice", help="each memo of a corpus is stored once")
            if width and row.vectors.shape != (len(row.chunks), width):
                raise StoreError(
                    f"{path} has {len(row.chunks)} chunks of {width} numbers, and vectors of the shape"
                    f" {row.vectors.shape}"
                )
            vectors = row.vectors.copy()
            vectors.flags.writeable = False
            self._rows[path] = replace(row, vectors=vectors)

    def finish(self) -> Generation:
        """Make the postings and the terminals, and give the generation, which is ready."""
        with self._lock:
            tenant = self._tenant
            tenant.demand_root(self._plan.root)
            held = tenant.held[self._generation]
            if held.generation.state is not State.BUILDING:
                raise StoreError(f"the generation {self._generation} is {held.generation.state.value} already")
            sources = tuple(Source(row.memo.path, row.content_hash) for row in self._rows.values())
            earliest = tenant.first_recorded(self._rows)
            rows = [_date(row, earliest.get(row.memo.path)) for row in self._rows.values()]
            tenant.held[self._generation] = replace(held, contents=Contents(rows, self._plan.pipeline), sources=sources)
            tenant.change(self._generation, state=State.READY, manifest_fingerprint=build_fingerprint(sources))
            tenant.apply_tombstones(self._generation)
            tenant.root = self._plan.root
            made = tenant.held[self._generation].generation
            tenant.kept.tell(self._now(), self._plan.actor, "build", made.id, memos=made.memos, chunks=made.chunks)
            return made

    def fail(self) -> None:
        """Mark the generation failed, unless it is finished."""
        with self._lock:
            if self._tenant.held[self._generation].generation.state is State.BUILDING:
                self._tenant.change(self._generation, state=State.FAILED)


def _date(row: MemoRow, stored: datetime | None) -> MemoRow:
    """A memo keeps the first time that it was recorded at."""
    given = None if row.recorded is None else as_utc(row.recorded)
    return replace(row, recorded=min((each for each in (given, stored) if each is not None), default=None))
