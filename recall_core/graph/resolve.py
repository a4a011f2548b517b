"""Terminals: where the walk from a replaced memo ends (DESIGN §3 "Chains"). Linear, iterative, any depth.

Nearly every memo is replaced by one other, so walks of single steps come first. What leads to a memo with several
successors is left: of it, what can reach no cycle is settled in topological order (Kahn 1962), and only the rest needs
strongly connected components (Tarjan 1972), which come out in an order in which successors are settled first.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

N = TypeVar("N", bound=Hashable)


def build_terminals(successors: Mapping[N, Sequence[N]]) -> dict[N, tuple[N, ...]]:
    """For each node that has successors other than itself, the nodes its walk ends at.

    These are the terminals outside cycles, if any can be reached; else a member of a cycle gives its direct successors,
    and a tail the members it enters by. A self-edge declares nothing.
    """
    return _Settling(successors).settle()


def find_cycles(successors: Mapping[N, Sequence[N]]) -> list[list[N]]:
    """The cycles' strongly connected components, each in no particular order; self-edges are no cycles."""
    settling = _SettlingCycles(successors)
    settling.settle()
    return settling.cycles


class _Settling(Generic[N]):
    """One pass over a graph, from its ends backwards.

    A settled node is in `terminals`. Where no terminal outside a cycle can be reached from it, it is in `entries` too,
    with the members of cycles that a walk from it enters by: itself for a member.
    """

    def __init__(self, successors: Mapping[N, Sequence[N]]) -> None:
        self.successors = successors
        self.terminals: dict[N, tuple[N, ...]] = {}
        self.entries: dict[N, tuple[N, ...]] = {}
        self.cycles: list[list[N]] = []

    def settle(self) -> dict[N, tuple[N, ...]]:
        rest = self._walk_single_steps()
        if rest:
            rest = self._settle_acyclic(rest)
        if rest:
            for component in _find_components(self.successors, rest):
                self._settle_component(component)
        return self.terminals

    def _walk_single_steps(self) -> list[N]:
        """Settles what leads nowhere but along single successors, and returns the others, each once."""
        successors, terminals = self.successors, self.terminals
        left: dict[N, None] = {}
        for start in successors:
            if start in terminals or start in left:
                continue
            path: dict[N, None] = {}
            end: tuple[N, ...] = ()
            node = start
            while True:
                following = successors.get(node)
                if not following:
                    end = (node,)
                    break
                if node in terminals:
                    end = terminals[node] if node not in self.entries else self.entries[node]
                    break
                if node in path:
                    end = self._close_round(node, path)
                    break
                if len(following) != 1 or node in left or following[0] == node:
                    left[node] = None
                    break
                path[node] = None
                node = following[0]
            if not end:
                left.update(path)
                continue
            terminals.update(dict.fromkeys(path, end))
            if node in self.entries:
                self.entries.update(dict.fromkeys(path, end))
        return list(left)

    def _close_round(self, first: N, path: dict[N, None]) -> tuple[N, ...]:
        """Settles the cycle that `path` ran into at `first` and takes it off; returns the entry of what remains."""
        members: list[N] = []
        while not members or members[-1] != first:
            members.append(path.popitem()[0])
        for member in members:
            self.terminals[member] = tuple(self.successors[member])
            self.entries[member] = (member,)
        if len(members) > 1:
            self.cycles.append(members)
        return (first,)

    def _settle_acyclic(self, rest: Iterable[N]) -> list[N]:
        """Settles every node of `rest` that reaches no unsettled cycle and returns the others."""
        waiting = dict.fromkeys(rest, 0)
        predecessors: dict[N, list[N]] = {}
        ready: list[N] = []
        for node in waiting:
            unsettled = 0
            for successor in self.successors[node]:
                if successor in waiting and successor != node:
                    unsettled += 1
                    predecessors.setdefault(successor, []).append(node)
            waiting[node] = unsettled
            if not unsettled:
                ready.append(node)
        while ready:
            node = ready.pop()
            del waiting[node]
            self._settle_alone(node)
            for predecessor in predecessors.get(node, ()):
                waiting[predecessor] -= 1
                if not waiting[predecessor]:
                    ready.append(predecessor)
        return list(waiting)

    def _settle_alone(self, node: N) -> None:
        """Settles a node outside cycles, all of whose successors are settled."""
        following = [successor for successor in self.successors[node] if successor != node]
        if not following:
            return  # nothing but a self-edge: a terminal
        if ends := self._join_ends(following):
            self.terminals[node] = ends
        else:
            self.terminals[node] = self.entries[node] = self._join_entries(following)

    def _join_ends(self, following: Sequence[N]) -> tuple[N, ...]:
        """The terminals outside cycles of settled nodes. One of them shares its tuple: a long chain costs no memory."""
        if len(following) == 1:
            only = following[0]
            return () if only in self.entries else self.terminals.get(only) or (only,)
        ends: dict[N, None] = {}
        for successor in following:
            if successor not in self.entries:
                ends.update(dict.fromkeys(self.terminals.get(successor) or (successor,)))
        return tuple(ends)

    def _join_entries(self, following: Sequence[N]) -> tuple[N, ...]:
        """The members of cycles that walks from settled nodes enter by."""
        if len(following) == 1:
            return self.entries[following[0]]
        return tuple(dict.fromkeys(entry for each in following for entry in self.entries[each]))

    def _settle_component(self, component: list[N]) -> None:
        if len(component) == 1:
            self._settle_alone(component[0])
            return
        self.cycles.append(component)
        members = set(component)
        leaving = {each: None for node in component for each in self.successors[node] if each not in members}
        ends = self._join_ends(list(leaving))
        for node in component:
            if ends:
                self.terminals[node] = ends
            else:
                self.terminals[node] = tuple(dict.fromkeys(each for each in self.successors[node] if each != node))
                self.entries[node] = (node,)


class _SettlingCycles(_Settling[N]):
    """Where only the cycles are wanted, one end stands for all: a long chain with many ends costs no memory."""

    def _join_ends(self, following: Sequence[N]) -> tuple[N, ...]:
        return next(((successor,) for successor in following if successor not in self.entries), ())

    def _join_entries(self, following: Sequence[N]) -> tuple[N, ...]:
        return self.entries[following[0]]


def _find_components(successors: Mapping[N, Sequence[N]], nodes: Iterable[N]) -> list[list[N]]:
    """Strongly connected components among `nodes`, successors before predecessors."""
    low = dict.fromkeys(nodes, -1)
    """For each node the smallest number it is known to reach back to; -1 before its visit."""
    done = len(low)
    path: list[N] = []
    components: list[list[N]] = []
    count = 0
    for root in low:
        if low[root] >= 0:
            continue
        work = [(root, count, iter(successors[root]))]
        low[root] = count
        count += 1
        path.append(root)
        while work:
            node, number, following = work[-1]
            lowest = low[node]
            for successor in following:
                reached = low.get(successor, done)
                if reached < 0:
                    low[node] = lowest
                    work.append((successor, count, iter(successors[successor])))
                    low[successor] = count
                    count += 1
                    path.append(successor)
                    break
                if reached < lowest:  # noqa: PLR1730 - `min` takes three times as long, once an edge
                    lowest = reached
            else:
                work.pop()
                if lowest == number:
                    component: list[N] = []
                    while not component or component[-1] != node:
                        component.append(path.pop())
                    low.update(dict.fromkeys(component, done))
                    components.append(component)
                    continue
                low[node] = lowest
                # A node that is no root of its component has a parent.
                parent = work[-1][0]
                low[parent] = min(low[parent], lowest)
    return components
