"""All that one tenant has, and the steps that change it. Whoever calls holds the store's lock."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from recall_core.adapters.memory.contents import Contents
from recall_core.adapters.memory.kept import Kept
from recall_core.calibration.stored import demand_certified
from recall_core.errors import ConflictError, UsageError
from recall_core.generation.manifest import Source, Tombstone, build_fingerprint
from recall_core.generation.states import COMPLETE, State
from recall_core.ports.store import Forgotten, Generation


@dataclass(frozen=True, slots=True)
class Held:
    """A generation with what the store alone knows of it. `contents` is None where it has no rows.

    `sources` is its manifest as it was built; `promoted_over` names the generation that was active before it.
    """

    generation: Generation
    contents: Contents | None = None
    sources: tuple[Source, ...] = ()
    promoted_over: str | None = None

    @property
    def complete(self) -> Contents | None:
        """The contents, where they are a whole corpus."""
        return self.contents if self.generation.state in COMPLETE else None


class Tenant:
    """One tenant's generations, the oldest first, what is kept beside them, its tombstones, root and builder."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.held: dict[str, Held] = {}
        self.active: str | None = None
        self.root: str | None = None
        self.builder: str | None = None
        self.tombstones: list[Tombstone] = []
        self.kept = Kept()

    def demand(self, generation: str) -> Held:
        """One generation by its id. Raises UsageError where the tenant has none of that id."""
        if generation not in self.held:
            raise UsageError(
                f"the tenant {self.name} has no generation {generation}",
                help="`recall generation list` shows what is there",
            )
        return self.held[generation]

    def demand_root(self, root: str) -> None:
        """Raise ConflictError where the tenant already holds the corpus of another root."""
        if self.root is not None and self.root != root:
            raise ConflictError(
                f"the tenant {self.name} holds {self.root}, and {root} is another corpus",
                help="choose another with --tenant NAME",
            )

    def change(self, generation: str, **changes: object) -> Generation:
        """Put a generation with some fields changed in the place of what was there, and give it."""
        held = self.held[generation]
        self.held[generation] = replace(held, generation=replace(held.generation, **changes))  # type: ignore[arg-type]
        return self.held[generation].generation

    def promote(self, generation: str, *, expected: str | None, at: datetime, demands_certified: bool) -> Generation:
        """Make a ready generation the active one; see `GenerationStore.promote`."""
        held = self.demand(generation)
        if held.generation.state is not State.READY:
            raise UsageError(
                f"the generation {generation} is {_describe(held)}, and only a ready one can be promoted",
                help="`recall generation list` shows what is there; `recall generation rollback` goes back",
            )
        if self.active != expected:
            raise ConflictError(
                f"the active generation is {self.active or 'none'} by now, and not {expected or 'none'}",
                help="look again with `recall generation list`",
            )
        if demands_certified:
            demand_certified(generation, self.kept.resolve(held.generation.binding))
        self.held[generation] = replace(held, promoted_over=self.active)
        return self._activate(generation, at)

    def rollback(self, at: datetime) -> Generation:
        """Make the generation that the active one was promoted over active again; see `GenerationStore.rollback`."""
        before = None if self.active is None else self.held[self.active].promoted_over
        if before is None or self.held[before].complete is None:
            raise UsageError(
                "there is no generation to go back to",
                help="`recall generation list` shows what is there; `recall index --promote` builds a new one",
            )
        return self._activate(before, at)

    def retire(self, generation: str) -> None:
        """Drop the rows of a generation; see `GenerationStore.retire`."""
        held = self.demand(generation)
        if generation == self.active:
            raise UsageError(f"the generation {generation} is active", help="promote another one first, or roll back")
        if held.complete is None:
            raise UsageError(
                f"the generation {generation} is {_describe(held)}: there is nothing to retire",
                help="`recall generation list` shows what is there",
            )
        self.held[generation] = replace(held, contents=None)
        self.change(generation, state=State.RETIRED)

    def forget(self, paths: Sequence[str], *, dry_run: bool) -> Forgotten:
        """Take memos out of every generation, with all of the same content; see `GenerationStore.forget`."""
        wanted = list(dict.fromkeys(paths))
        complete = [(held, held.complete) for held in reversed(self.held.values())]
        rows = [(held, row) for held, contents in complete if contents is not None for row in contents.rows]
        named = {Tombstone(row.memo.path, row.content_hash) for _, row in rows if row.memo.path in set(wanted)}
        contents_named = {each.content_hash for each in named}
        gone = [(held, row) for held, row in rows if row.memo.path in set(wanted) or row.content_hash in contents_named]
        known = {each.path for each in named} | {each.path for each in self.tombstones}
        affected = dict.fromkeys(held.generation.id for held, _ in gone)
        if not dry_run:
            self.tombstones.extend(
                sorted(named - set(self.tombstones), key=lambda each: (each.path, each.content_hash))
            )
            for generation in affected:
                self.apply_tombstones(generation)
        return Forgotten(
            paths=tuple(sorted({row.memo.path for _, row in gone})),
            unknown=tuple(path for path in wanted if path not in known),
            chunks=sum(len(row.chunks) for _, row in gone),
            generations=tuple(affected),
        )

    def apply_tombstones(self, generation: str) -> None:
        """Make the rows of a generation as if it had been built without what is barred, and count them."""
        held = self.held[generation]
        if held.contents is None:
            return
        paths = {each.path for each in self.tombstones}
        barred = {each.content_hash for each in self.tombstones}
        kept = [row for row in held.contents.rows if row.memo.path not in paths and row.content_hash not in barred]
        contents = held.contents if len(kept) == len(held.contents.rows) else Contents(kept, held.generation.pipeline)
        self.held[generation] = replace(held, contents=contents)
        self.change(
            generation,
            memos=len(kept),
            chunks=len(contents.places),
            refused=tuple(sorted(row.memo.path for row in kept if row.refused)),
            corpus_fingerprint=build_fingerprint(held.sources, self.tombstones),
        )

    def first_recorded(self, paths: Collection[str]) -> dict[str, datetime]:
        """By path, the earliest time at which a memo was recorded in any complete generation."""
        earliest: dict[str, datetime] = {}
        for contents in [held.complete for held in self.held.values() if held.complete is not None]:
            for path in paths:
                memo = contents.memos.get(path)
                if memo is not None and memo.recorded is not None:
                    earliest[path] = min(memo.recorded, earliest.get(path, memo.recorded))
        return earliest

    def _activate(self, generation: str, at: datetime) -> Generation:
        if self.active is not None:
            self.change(self.active, state=State.RETIRED)
        self.active = generation
        return self.change(generation, state=State.ACTIVE, promoted_at=at)


def _describe(held: Held) -> str:
    state = held.generation.state
    return (
        state.value if held.contents is not None or state not in COMPLETE else f"{state.value}, and its rows are gone"
    )
