"""A memo was replaced, and what replaces it is not in force.

## What it does
Reports a replaced memo all of whose final successors have run out, are not yet valid, or cannot be relied on for
another reason. In a chain only the last step is reported, and of several memos with the same successors the first
reference.

## Why is this bad?
Nothing holds: the old memo is replaced, and so is every memo before it, by something that does not apply. A search has
no answer to give.

## Example
`limits-v2.md` says `supersedes: limits-v1` and `valid_until: 2026-03-31`, and April has come.

## Use instead
Declare the memo that came after, extend `valid_until`, or, if the old memo holds again, write a new one that says so.

## Fix safety
No fix: what holds is for people to say.
"""

from collections.abc import Iterable, Iterator, Sequence

from recall_core.graph.edges import Edge, Edges
from recall_core.model.memo import Memo
from recall_core.model.verdict import Verdict
from recall_lint.diagnostic import Diagnostic, Related, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.graph.wording import LONGEST_LIST, as_written, shorten

RULE = Rule("RL207", "successor-not-in-force", Severity.WARNING)

_WINDOW = (Verdict.EXPIRED, Verdict.NOT_YET_VALID)


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each set of direct terminals, at the first reference that leads to one of them.

    A memo without a direct terminal is left to the next step of its chain. Terminals are not looked up by memo: the
    sets of a long chain with many ends would fill the memory, and whether one is in force spreads along the edges.
    """
    evaluation = inspection.evaluation
    edges = evaluation.edges
    verdicts = {path: evaluation.verdict(declared[0].successor) for path, declared in edges.by_successor.items()}
    held = _leading_to(edges, [path for path, verdict in verdicts.items() if verdict is Verdict.OK])
    if len(held) == len(edges.by_target):
        return
    dated = _leading_to(edges, [path for path, verdict in verdicts.items() if verdict in _WINDOW])
    reported: set[frozenset[str]] = set()
    for target, claims in edges.by_target.items():
        if target in held:
            continue
        # Members of a cycle are replaced themselves: RL204 speaks of them.
        direct = [edge for edge in claims if edge.successor.path not in edges.by_target]
        ends = frozenset(edge.successor.path for edge in direct)
        if ends and ends not in reported:
            reported.add(ends)
            said = [(edge.successor, verdicts[edge.successor.path]) for edge in direct]
            yield _report(direct[0], said, clock=target in dated)


def _leading_to(edges: Edges, ends: Iterable[str]) -> set[str]:
    """The replaced memos from which one of `ends` can be reached."""
    reached: set[str] = set()
    pending = list(ends)
    while pending:
        for edge in edges.by_successor.get(pending.pop(), ()):
            if edge.target.path not in reached:
                reached.add(edge.target.path)
                pending.append(edge.target.path)
    return reached


def _report(edge: Edge, ends: Sequence[tuple[Memo, Verdict]], *, clock: bool) -> Diagnostic:
    said = [_describe(memo, verdict) for memo, verdict in ends[:LONGEST_LIST]]
    if len(ends) > LONGEST_LIST:
        said.append(f"and {len(ends) - LONGEST_LIST} more")
    return RULE.at(
        edge.successor.path,
        edge.reference.span,
        f"{as_written(edge.reference)} is replaced by nothing that is in force: {', '.join(said)}",
        help="declare the memo that holds instead, or mend the successor",
        related=(Related(memo.path, "replaces it, and is not in force") for memo, _ in ends[1:]),
        clock=clock,
    )


def _describe(memo: Memo, verdict: Verdict) -> str:
    name = f"`{shorten(memo.key)}`"
    match verdict:
        case Verdict.EXPIRED:
            return f"{name} held until {memo.valid_until.written if memo.valid_until else '?'}"
        case Verdict.NOT_YET_VALID:
            return f"{name} holds from {memo.valid_from.written if memo.valid_from else '?'} on"
        case Verdict.AMBIGUOUS_SUPERSESSION:
            return f"{name} shares its name with another memo"
        case Verdict.INVALID_METADATA:
            return f"{name} has a date that cannot be read or an empty window"
        case _:
            return f"{name} is {verdict.value}"
