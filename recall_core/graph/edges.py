"""The edges that a corpus declares: from a replaced memo to the memo that replaces it."""

from collections.abc import Mapping
from typing import NamedTuple

from recall_core.graph.corpus import Corpus, Naming
from recall_core.model.memo import Memo, Reference


class Edge(NamedTuple):
    """`successor` declares, at `reference`, that it replaces `target`."""

    target: Memo
    successor: Memo
    reference: Reference


class Edges(NamedTuple):
    """What a corpus declares. `successors` and `by_target` are keyed by path; `ambiguous` holds paths.

    The same target named twice in one memo is one edge, at its first reference.
    """

    all: tuple[Edge, ...]
    by_target: Mapping[str, tuple[Edge, ...]]
    by_successor: Mapping[str, tuple[Edge, ...]]
    ambiguous: frozenset[str]

    @property
    def successors(self) -> dict[str, tuple[str, ...]]:
        """For each replaced path the paths that replace it directly."""
        return {target: tuple(edge.successor.path for edge in edges) for target, edges in self.by_target.items()}


def build_edges(corpus: Corpus) -> Edges:
    """Every edge of `corpus`, and the memos that an edge names without saying which of them it means."""
    edges: list[Edge] = []
    by_target: dict[str, list[Edge]] = {}
    by_successor: dict[str, dict[str, Edge]] = {}
    ambiguous: set[str] = set()
    for memo, reference in corpus.references():
        resolution = corpus.resolve(memo, reference)
        if resolution.naming is Naming.SEVERAL:
            ambiguous.update(match.path for match in resolution.memos)
        if resolution.naming is not Naming.ONE:
            continue
        target = resolution.memos[0]
        declared = by_successor.setdefault(memo.path, {})
        if target.path in declared:
            continue
        edge = Edge(target, memo, reference)
        edges.append(edge)
        declared[target.path] = edge
        by_target.setdefault(target.path, []).append(edge)
    return Edges(
        tuple(edges),
        {path: tuple(claims) for path, claims in by_target.items()},
        {path: tuple(declared.values()) for path, declared in by_successor.items()},
        frozenset(ambiguous),
    )
