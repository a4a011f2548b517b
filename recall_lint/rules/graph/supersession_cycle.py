"""Memos replace each other in a circle.

## What it does
Reports memos of which each replaces another, so that the last is replaced by the first. A cycle is reported once, in
its first memo by path; the references of the others are related places. The message shows a shortest round that leads
through the first memo.

## Why is this bad?
None of them is in force, and which one is the current one cannot be known.

## Example
`supersedes: e2` in `e1.md`, and `supersedes: e1` in `e2.md`.

## Use instead
Keep the reference of the memo that came later, and remove the other.

## Fix safety
No fix: which of the memos is the current one is for people to say.
"""

from collections.abc import Iterator, Sequence

from recall_core.graph.edges import Edge, Edges
from recall_core.graph.resolve import find_cycles
from recall_lint.diagnostic import Diagnostic, Related, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.graph.wording import shorten

RULE = Rule("RL204", "supersession-cycle", Severity.ERROR)

_FIRST_SHOWN = 6
_LAST_SHOWN = 2


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each strongly connected part of the graph."""
    edges = inspection.evaluation.edges
    for component in find_cycles(edges.successors):
        yield _report(edges, sorted(component))


def _report(edges: Edges, paths: Sequence[str]) -> Diagnostic:
    """The finding about the cycle through `paths`, which are sorted."""
    members = frozenset(paths)
    walk = _shortest_round(edges, paths[0], members)
    others = [next(_inside(edges, path, members)) for path in paths[1:]]
    return RULE.at(
        paths[0],
        walk[0].reference.span,
        f"cycle {_describe(walk)}",
        help="remove the reference that points from the older memo to the newer one",
        related=(Related(edge.successor.path, "part of the cycle", edge.reference.span) for edge in others),
    )


def _inside(edges: Edges, path: str, members: frozenset[str]) -> Iterator[Edge]:
    return (edge for edge in edges.by_successor[path] if edge.target.path in members)


def _shortest_round(edges: Edges, first: str, members: frozenset[str]) -> list[Edge]:
    """The edges from `first` back to itself, breadth first."""
    reached_by: dict[str, Edge] = {}
    level = [first]
    while first not in reached_by:
        following = []
        for path in level:
            for edge in _inside(edges, path, members):
                if edge.target.path not in reached_by:
                    reached_by[edge.target.path] = edge
                    following.append(edge.target.path)
        level = following
    walk = [reached_by[first]]
    while walk[-1].successor.path != first:
        walk.append(reached_by[walk[-1].successor.path])
    return walk[::-1]


def _describe(walk: Sequence[Edge]) -> str:
    names = [shorten(edge.successor.key) for edge in walk]
    names.append(names[0])
    left_out = len(names) - _FIRST_SHOWN - _LAST_SHOWN
    if left_out > 1:
        names = [*names[:_FIRST_SHOWN], f"… ({left_out} more)", *names[-_LAST_SHOWN:]]
    return " -> ".join(names)
