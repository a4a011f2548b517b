"""Terminals: where the walk from a replaced memo ends (DESIGN §3 "Chains"). Linear, iterative, any depth.

What can reach no cycle is settled in topological order (Kahn 1962); only the rest needs strongly connected components
(Tarjan 1972), which come out in an order in which successors are settled first.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

N = TypeVar("N", bound=Hashable)


def build_terminals(successors: Mapping[N, Sequence[N]]) -> dict[N, tuple[N, ...]]:
    """For each node that has successors, the nodes its walk ends at.

    These are the terminals outside cycles, if any can be reached; else a member of a cycle gives its direct successors,
    and a tail the member it enters by. A node that is its own successor counts as a terminal where it has no other.
    """
    terminals: dict[N, tuple[N, ...]] = {}
    rest = _settle_acyclic(successors, terminals)
    if rest:
        _settle_cyclic(successors, terminals, rest)
    return terminals


def find_cycles(successors: Mapping[N, Sequence[N]]) -> list[list[N]]:
    """The cycles' strongly connected components, each in no particular order; self-edges are no cycles."""
    rest = _settle_acyclic(successors, {})
    return [component for component in _components(successors, rest) if len(component) > 1]


def _settle_acyclic(successors: Mapping[N, Sequence[N]], terminals: dict[N, tuple[N, ...]]) -> list[N]:
    """Fills `terminals` for every node that reaches no cycle and returns the others."""
    waiting: dict[N, int] = {}
    predecessors: dict[N, list[N]] = {}
    ready: list[N] = []
    for node, following in successors.items():
        unsettled = 0
        for successor in following:
            if successor in successors:
                unsettled += 1
                predecessors.setdefault(successor, []).append(node)
        if unsettled:
            waiting[node] = unsettled
        else:
            ready.append(node)
    while ready:
        node = ready.pop()
        terminals[node] = _join(successors[node], terminals)
        for predecessor in predecessors.get(node, ()):
            waiting[predecessor] -= 1
            if not waiting[predecessor]:
                del waiting[predecessor]
                ready.append(predecessor)
    return list(waiting)


def _join(following: Sequence[N], terminals: Mapping[N, tuple[N, ...]]) -> tuple[N, ...]:
    """The union over settled successors; one successor shares its tuple, so a long chain costs no memory."""
    if len(following) == 1:
        successor = following[0]
        return terminals.get(successor) or (successor,)
    return tuple(dict.fromkeys(end for successor in following for end in terminals.get(successor) or (successor,)))


def _settle_cyclic(successors: Mapping[N, Sequence[N]], terminals: dict[N, tuple[N, ...]], rest: Iterable[N]) -> None:
    ends: dict[N, tuple[N, ...]] = {}  # terminals outside cycles alone; () where there are none
    entries: dict[N, tuple[N, ...]] = {}  # the members of cycles a node enters by
    for component in _components(successors, rest):
        members = set(component)
        found: dict[N, None] = {}
        for node in component:
            for successor in successors[node]:
                if successor in members:
                    continue
                if successor in ends:
                    found.update(dict.fromkeys(ends[successor]))
                else:
                    found.update(dict.fromkeys(terminals.get(successor) or (successor,)))
        shared = tuple(found)
        for node in component:
            following = [successor for successor in successors[node] if successor != node]
            ends[node] = shared
            entries[node] = (node,) if len(component) > 1 else _enter(following, entries)
            if shared:
                terminals[node] = shared
            elif len(component) > 1:
                terminals[node] = tuple(dict.fromkeys(following))
            else:
                terminals[node] = entries[node] or (node,)


def _enter(following: Sequence[N], entries: Mapping[N, tuple[N, ...]]) -> tuple[N, ...]:
    return tuple(dict.fromkeys(entry for successor in following for entry in entries.get(successor, ())))


def _components(successors: Mapping[N, Sequence[N]], nodes: Iterable[N]) -> list[list[N]]:
    """Strongly connected components among `nodes`, successors before predecessors."""
    wanted = set(nodes)
    order: dict[N, int] = {}
    low: dict[N, int] = {}
    on_path: set[N] = set()
    path: list[N] = []
    components: list[list[N]] = []
    for root in wanted:
        if root in order:
            continue
        work = [(root, iter(successors[root]))]
        order[root] = low[root] = len(order)
        path.append(root)
        on_path.add(root)
        while work:
            node, following = work[-1]
            for successor in following:
                if successor not in wanted:
                    continue
                if successor not in order:
                    order[successor] = low[successor] = len(order)
                    path.append(successor)
                    on_path.add(successor)
                    work.append((successor, iter(successors[successor])))
                    break
                if successor in on_path:
                    low[node] = min(low[node], order[successor])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    component = []
                    while True:
                        member = path.pop()
                        on_path.discard(member)
                        component.append(member)
                        if member == node:
                            break
                    components.append(component)
    return components
