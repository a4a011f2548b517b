"""Memos as a generation holds them: with what replaced each, resolved once for the whole corpus."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Final

from recall_core.graph.corpus import Corpus
from recall_core.graph.evaluate import Evaluation
from recall_core.graph.resolve import find_cycles
from recall_core.model.memo import Memo

# Which edges hold and where walks end depends on no day: only verdicts do, and none is asked for here.
_ANY_DAY: Final = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Walk:
    """A walk from a replaced memo, step by step. Walks share their ends, so that long chains cost no memory."""

    path: str
    rest: "Walk | None"

    def __iter__(self) -> Iterator[str]:
        step: Walk | None = self
        while step is not None:
            yield step.path
            step = step.rest


class Successor:
    """Where a replaced memo's walk ends. `asserted_at` is when the memo at `path` was recorded, None where unknown.

    Two are equal where path, steps and time are. `steps` may be given as a tuple or as a walk, of which the tuple is
    made when it is asked for: the tuples of a chain of memos together grow with the square of its length.
    """

    __slots__ = ("_steps", "asserted_at", "path")

    def __init__(self, path: str, steps: Walk | Sequence[str], asserted_at: datetime | None) -> None:
        self.path = path
        self._steps = steps
        self.asserted_at = asserted_at

    @property
    def steps(self) -> tuple[str, ...]:
        """The paths of the walk from the memo to `path`, both included; the shortest where there are several."""
        return tuple(self._steps)

    def first_steps(self, limit: int) -> tuple[str, ...]:
        """The walk, or where it is longer than `limit` its beginning and then `path`: `limit` paths in all."""
        steps = tuple(islice(self._steps, limit + 1))
        return steps if len(steps) <= limit else (*steps[: limit - 1], self.path)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Successor):
            return NotImplemented
        return (self.path, self.asserted_at, self.steps) == (other.path, other.asserted_at, other.steps)

    def __hash__(self) -> int:
        return hash((self.path, self.asserted_at))

    def __repr__(self) -> str:
        return f"Successor(path={self.path!r}, steps={self.steps!r}, asserted_at={self.asserted_at!r})"


@dataclass(frozen=True, slots=True)
class StoredMemo:
    """A memo of a generation: what it declares, when it was recorded, and what replaced it, last asserted first."""

    memo: Memo
    content_hash: str
    recorded: datetime | None
    ambiguous: bool
    successors: tuple[Successor, ...]


def resolve_memos(memos: Iterable[tuple[Memo, str, datetime | None]]) -> list[StoredMemo]:
    """The memos of one corpus, by path, each with what replaced it as far as the whole corpus says.

    Each comes with its content hash and its recorded time (aware, or None). `successors` are the terminals of DESIGN §3
    "Chains": undated ones after dated ones, ties by path. A memo that no edge of the corpus names has none, and an edge
    that names no memo of the corpus gives none. Linear in the edges, or in the pairs of a memo and a terminal where
    these are more; of any depth.
    """
    ordered = sorted(memos, key=lambda each: each[0].path)
    recorded = {memo.path: instant for memo, _, instant in ordered if instant is not None}
    evaluation = Evaluation(Corpus(memo for memo, _, _ in ordered), at=_ANY_DAY, recorded=recorded)
    walks = _build_walks(evaluation.edges.successors, evaluation.terminals)
    ambiguous = evaluation.edges.ambiguous
    return [
        StoredMemo(
            memo,
            content_hash,
            instant,
            memo.path in ambiguous,
            tuple(
                Successor(path, walks[path][memo.path], recorded.get(path)) for path in evaluation.superseded_by(memo)
            ),
        )
        for memo, content_hash, instant in ordered
    ]


def _build_walks(
    successors: Mapping[str, Sequence[str]], terminals: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, Walk]]:
    """For each terminal and each memo whose walk ends there the shortest walk: a breadth-first search from each end.

    A terminal that is replaced itself stands in a cycle, or directly behind a member of one. A member goes there in one
    step; a tail, by memos outside cycles alone, to the member that it enters by.
    """
    predecessors: dict[str, list[str]] = {}
    for target, following in successors.items():
        for successor in following:
            predecessors.setdefault(successor, []).append(target)
    # Only where no terminal outside cycles can be reached does a walk end at a memo that is replaced itself.
    closed = {path: successors[path] for path, ends in terminals.items() if ends[0] in successors}
    in_cycles = {path for cycle in find_cycles(closed) for path in cycle}
    walks: dict[str, dict[str, Walk]] = {}
    for end in dict.fromkeys(path for paths in terminals.values() for path in paths):
        here = walks[end] = {}
        is_closed = end in successors
        reached = [Walk(end, None)]
        for walk in reached:
            for path in predecessors.get(walk.path, ()):
                if path in here or (is_closed and path not in closed):
                    continue
                if path in in_cycles:
                    if walk.path == end:
                        here[path] = Walk(path, walk)
                elif not is_closed or end in in_cycles:
                    here[path] = Walk(path, walk)
                    reached.append(here[path])
    return walks
