"""Generations in memory, for tests and for programs that keep nothing; see `recall_core.ports.store`."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from threading import RLock

from recall_core.adapters.memory.build import MemoryBuild
from recall_core.adapters.memory.calibrations import MemoryCalibrations
from recall_core.adapters.memory.snapshot import MemorySnapshot
from recall_core.adapters.memory.tenant import Held, Tenant
from recall_core.errors import ConflictError, UsageError
from recall_core.generation.states import State
from recall_core.generation.stored import StoredMemo
from recall_core.ports.store import BuildPlan, Forgotten, Generation


def _now() -> datetime:
    return datetime.now(UTC)


class MemoryStore:
    """A `GenerationStore`. Safe to share between threads: what a search reads is never changed, only replaced.

    `now` gives the instants (aware, UTC) at which generations are created and promoted.
    """

    def __init__(self, now: Callable[[], datetime] = _now) -> None:
        self._now = now
        self._lock = RLock()
        self._tenants: dict[str, Tenant] = {}
        self._calibrations = MemoryCalibrations(self._lock, self._open, now)

    @property
    def calibrations(self) -> MemoryCalibrations:
        """The calibrations that are kept beside the generations."""
        return self._calibrations

    def generations(self, tenant: str) -> list[Generation]:
        """All of a tenant, the newest first."""
        with self._lock:
            return [held.generation for held in reversed(self._open(tenant).held.values())]

    def generation(self, tenant: str, generation: str) -> Generation | None:
        """One by its id."""
        with self._lock:
            held = self._open(tenant).held.get(generation)
            return None if held is None else held.generation

    def active(self, tenant: str) -> Generation | None:
        """The one that is served."""
        with self._lock:
            held = self._find(tenant, None)
            return None if held is None else held.generation

    def corpus(self, tenant: str, generation: str) -> list[StoredMemo]:
        """Every memo of a complete generation, by path. Raises UsageError for any other."""
        with self._lock:
            contents = self._open(tenant).demand(generation).complete
        if contents is None:
            raise UsageError(
                f"the generation {generation} holds no corpus", help="`recall generation list` shows what is there"
            )
        return list(contents.memos.values())

    @contextmanager
    def build(self, tenant: str, plan: BuildPlan) -> Iterator[MemoryBuild]:
        """Begin a generation as the tenant's single writer."""
        with self._lock:
            mine = self._open(tenant)
            mine.demand_root(plan.root)
            if mine.builder is not None:
                raise ConflictError(
                    f"the tenant {tenant} is being indexed by {mine.builder}",
                    help="wait until that is done, or stop it",
                )
            name = f"gen_{secrets.token_hex(6)}"
            mine.builder = plan.actor
            mine.held[name] = Held(_begin(name, tenant, plan, self._now()))
        build = MemoryBuild(self._lock, mine, name, plan, self._now)
        try:
            yield build
        finally:
            with self._lock:
                build.fail()
                mine.builder = None

    @contextmanager
    def snapshot(self, tenant: str, generation: str | None = None) -> Iterator[MemorySnapshot | None]:
        """Pin the active generation, or a complete one by its id; None where there is none."""
        with self._lock:
            held = self._find(tenant, generation)
            contents = None if held is None else held.complete
            kept = () if held is None else self._open(tenant).kept.list_read(held.generation.id)
        yield None if held is None or contents is None else MemorySnapshot(held.generation, contents, kept)

    def promote(
        self, tenant: str, generation: str, *, expected: str | None, actor: str, demands_certified: bool = False
    ) -> Generation:
        """Make a ready generation the active one, if `expected` is still active."""
        with self._lock:
            mine, now = self._open(tenant), self._now()
            promoted = mine.promote(generation, expected=expected, at=now, demands_certified=demands_certified)
            standing = mine.kept.resolve(promoted.binding).status.value
            mine.kept.tell(now, actor, "promote", generation, over=expected, calibration=standing)
            return promoted

    def rollback(self, tenant: str, *, actor: str) -> Generation:
        """Make the generation that was active before active again."""
        with self._lock:
            mine, now = self._open(tenant), self._now()
            former = mine.active
            active = mine.rollback(now)
            standing = mine.kept.resolve(active.binding).status.value
            mine.kept.tell(now, actor, "rollback", active.id, **{"from": former, "calibration": standing})
            return active

    def retire(self, tenant: str, generation: str, *, actor: str) -> None:
        """Drop the rows of a generation that is not active, and keep its record."""
        with self._lock:
            mine = self._open(tenant)
            mine.retire(generation)
            mine.kept.tell(self._now(), actor, "retire", generation)

    def forget(self, tenant: str, paths: Sequence[str], *, actor: str, dry_run: bool) -> Forgotten:
        """Take memos out of every generation and bar their paths and contents."""
        with self._lock:
            mine = self._open(tenant)
            found = mine.forget(paths, dry_run=dry_run)
            if not dry_run and found.paths:
                counts = {"memos": len(found.paths), "chunks": found.chunks}
                mine.kept.tell(self._now(), actor, "forget", None, **counts, generations=list(found.generations))
            return found

    def _open(self, tenant: str) -> Tenant:
        return self._tenants.setdefault(tenant, Tenant(tenant))

    def _find(self, tenant: str, generation: str | None) -> Held | None:
        mine = self._open(tenant)
        name = generation or mine.active
        return None if name is None else mine.held.get(name)


def _begin(name: str, tenant: str, plan: BuildPlan, now: datetime) -> Generation:
    return Generation(
        id=name,
        tenant=tenant,
        state=State.BUILDING,
        pipeline=plan.pipeline,
        root=plan.root,
        revision=plan.revision,
        manifest_fingerprint="",
        corpus_fingerprint="",
        created_at=now,
        promoted_at=None,
        memos=0,
        chunks=0,
        refused=(),
    )
