"""A reference repeats what the chain says already.

## What it does
Reports a `supersedes` reference to a memo that was already replaced by another one which this memo replaces as well:
`d3` replaces `d2` and `d1`, and `d2` replaces `d1`.

## Why is this bad?
It changes nothing: whoever finds `d1` is led to `d3` either way. But the list grows with every version, and the day
`d2` turns out to be wrong about `d1` two places have to be mended.

## Example
`supersedes: [d2, d1]` in `d3.md`, while `d2.md` says `supersedes: d1`.

## Use instead
`supersedes: d2`

## Fix safety
No fix: a list that names every earlier memo can be a habit that a team wants to keep. Then switch the rule off.
"""

from collections.abc import Iterator

from recall_core.graph.edges import Edge, Edges
from recall_core.graph.resolve import find_cycles
from recall_lint.diagnostic import Diagnostic, Related, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.graph.wording import shorten

RULE = Rule("RL213", "redundant-edge", Severity.WARNING)


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each such reference outside cycles; one earlier declaration is related."""
    edges = inspection.evaluation.edges
    found = list(_find_redundant(edges))
    if not found:
        return
    circular = {path: place for place, cycle in enumerate(find_cycles(edges.successors)) for path in cycle}
    for edge, earlier in found:
        if edge.target.path in circular and circular[edge.target.path] == circular.get(edge.successor.path):
            continue
        target, successor = shorten(edge.target.key), shorten(earlier.successor.key)
        yield RULE.at(
            edge.successor.path,
            edge.reference.span,
            f"{target} was already replaced by {successor}, which this memo replaces too",
            help="remove the reference: the chain leads here without it",
            related=(Related(earlier.successor.path, "replaced here", earlier.reference.span),),
        )


def _find_redundant(edges: Edges) -> Iterator[tuple[Edge, Edge]]:
    """The edges whose target another target of their declarer replaced, each with one edge that says so."""
    between: dict[tuple[str, str], Edge] = {}
    for declared in edges.by_successor.values():
        if len(declared) < 2:
            continue
        if not between:
            between = {(edge.successor.path, edge.target.path): edge for edge in edges.all}
        replaced = {edge.target.path for edge in declared}
        for edge in declared:
            claims = edges.by_target[edge.target.path]
            # No longer than its own list: a memo that thousands replace must not be walked for each of them.
            earlier = next((other for other in claims[: len(declared)] if other.successor.path in replaced), None)
            if earlier is None and len(claims) > len(declared):
                pairs = ((other.target.path, edge.target.path) for other in declared)
                earlier = next((between[pair] for pair in pairs if pair in between), None)
            if earlier is not None:
                yield edge, earlier
