"""Where walks end (BEHAVIOURS C10, C11; DESIGN §3 "Chains")."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recall_core.graph.resolve import build_terminals, find_cycles


def ends(graph):
    return {node: set(found) for node, found in build_terminals(graph).items()}


GRAPHS = {
    "one step": ({"a": "b"}, {"a": "b"}),
    "chain": ({"a": "b", "b": "c"}, {"a": "c", "b": "c"}),  # C10
    "fan-in": ({"a": "bc"}, {"a": "bc"}),
    "diamond": ({"a": "bc", "b": "d", "c": "d"}, {"a": "d", "b": "d", "c": "d"}),
    "short cut": ({"a": "bc", "b": "c"}, {"a": "c", "b": "c"}),
    "cycle of two": ({"a": "b", "b": "a"}, {"a": "b", "b": "a"}),  # C11
    "cycle of three": ({"a": "b", "b": "c", "c": "a"}, {"a": "b", "b": "c", "c": "a"}),  # C11
    "tail into a cycle": ({"t": "a", "a": "b", "b": "a"}, {"t": "a", "a": "b", "b": "a"}),
    "long tail": ({"t": "u", "u": "b", "a": "b", "b": "a"}, {"t": "b", "u": "b", "a": "b", "b": "a"}),
    "cycle with a way out": ({"a": "b", "b": "ac"}, {"a": "c", "b": "c"}),
    "tail and way out": ({"t": "a", "a": "b", "b": "ac"}, {"t": "c", "a": "c", "b": "c"}),
    "tail beside a terminal": ({"t": "ax", "a": "b", "b": "a"}, {"t": "x", "a": "b", "b": "a"}),
    "tail of a tail beside a terminal": (
        {"u": "a", "a": "b", "b": "a", "t": "ux"},
        {"u": "a", "a": "b", "b": "a", "t": "x"},
    ),
    "tail of two tails": (
        {"u": "a", "v": "b", "a": "b", "b": "a", "t": "uv"},
        {"u": "a", "v": "b", "a": "b", "b": "a", "t": "ab"},
    ),
    "tail into two cycles": (
        {"t": "ac", "a": "b", "b": "a", "c": "d", "d": "c"},
        {"t": "ac", "a": "b", "b": "a", "c": "d", "d": "c"},
    ),
    "cycle into a cycle": (
        {"a": "b", "b": "ac", "c": "d", "d": "c"},
        {"a": "b", "b": "ac", "c": "d", "d": "c"},
    ),
    "figure of eight": ({"a": "bc", "b": "a", "c": "a"}, {"a": "bc", "b": "a", "c": "a"}),
    "self-edge": ({"a": "a"}, {}),
    "self-edge at the end": ({"a": "b", "b": "b"}, {"a": "b"}),
    "self-edge on the way": ({"a": "b", "b": "bc"}, {"a": "c", "b": "c"}),
    "self-edge in a cycle": ({"a": "ab", "b": "a"}, {"a": "b", "b": "a"}),
    "same successor twice": ({"a": "bb", "b": "cc"}, {"a": "c", "b": "c"}),
    "nothing declared": ({"a": ""}, {}),
}


@pytest.mark.parametrize(("graph", "expected"), GRAPHS.values(), ids=GRAPHS)
def test_terminals(graph, expected):
    assert ends(graph) == {node: set(found) for node, found in expected.items()}


def test_cycles_are_found_behind_fan_in_and_beside_each_other():
    graph = {"t": "ax", "a": "b", "b": "a", "c": "d", "d": "ec", "e": "c", "s": "s", "u": "t"}
    assert sorted(sorted(cycle) for cycle in find_cycles(graph)) == [["a", "b"], ["c", "d", "e"]]


def reference_terminals(graph):
    """DESIGN §3, word by word, by looking at every walk."""
    graph = {node: {each for each in following if each != node} for node, following in graph.items()}

    def reachable(node):
        found, pending = set(), [node]
        while pending:
            for each in graph.get(pending.pop(), ()):
                if each not in found:
                    found.add(each)
                    pending.append(each)
        return found

    reach = {node: reachable(node) for node in graph}
    circular = {node for node in graph if node in reach[node]}

    def entered(node):
        found, seen, pending = set(), {node}, [node]
        while pending:
            for each in graph[pending.pop()]:
                if each in circular:
                    found.add(each)
                elif each not in seen:
                    seen.add(each)
                    pending.append(each)
        return found

    result = {}
    for node, following in graph.items():
        if not following:
            continue
        outside = {each for each in reach[node] if not graph.get(each)}
        result[node] = outside or (following if node in circular else entered(node))
    return result


NODES = st.integers(0, 8)
ANY_GRAPH = st.dictionaries(NODES, st.lists(NODES, max_size=3), max_size=9)
NEARLY_CHAINS = st.dictionaries(NODES, st.lists(NODES, min_size=1, max_size=1), max_size=9)


@settings(max_examples=400)
@given(ANY_GRAPH | NEARLY_CHAINS)
def test_resolution_ends_on_any_graph_and_agrees_with_the_definition(graph):
    found = build_terminals(graph)
    assert {node: set(ends) for node, ends in found.items()} == reference_terminals(graph)
    assert all(len(set(ends)) == len(ends) for ends in found.values())


@given(ANY_GRAPH | NEARLY_CHAINS)
def test_cycles_are_the_sets_of_nodes_that_reach_each_other(graph):
    def reachable(node):
        found, pending = set(), [node]
        while pending:
            for each in graph.get(pending.pop(), ()):
                if each not in found:
                    found.add(each)
                    pending.append(each)
        return found

    reach = {node: reachable(node) for node in graph}
    expected = {
        frozenset(other for other in graph if other == node or (node in reach[other] and other in reach[node]))
        for node in graph
    }
    cycles = find_cycles(graph)
    assert {frozenset(cycle) for cycle in cycles} == {group for group in expected if len(group) > 1}
    assert len(cycles) == len({frozenset(cycle) for cycle in cycles})


@given(ANY_GRAPH, st.randoms(use_true_random=False))
def test_the_order_of_declarations_does_not_matter(graph, random):
    shuffled = list(graph.items())
    random.shuffle(shuffled)
    assert ends(dict(shuffled)) == ends(graph)


def test_a_chain_of_a_million_has_no_recursion_limit():
    count = 1_000_000
    terminals = build_terminals({node: (node + 1,) for node in range(count)})
    assert terminals[0] == terminals[count - 1] == (count,)
    assert terminals[0] is terminals[count // 2]  # one tuple for all: a chain costs no memory


@pytest.mark.parametrize("extra", [(), (-1,)], ids=["closed", "with a way out"])
def test_a_cycle_of_a_hundred_thousand_has_no_recursion_limit(extra):
    count = 100_000
    graph = {node: ((node + 1) % count,) for node in range(count)}
    graph[0] += extra
    terminals = build_terminals(graph)
    assert terminals[count - 1] == (extra or (0,))
    assert [len(cycle) for cycle in find_cycles(graph)] == [count]


def test_a_chain_of_a_hundred_thousand_fans_has_no_recursion_limit(rounds):
    count = 100_000 * rounds
    graph = {node: (node + 1, node + 2) for node in range(count)}
    graph[count] = (count + 1,)
    assert build_terminals(graph)[0] == (count + 1,)
