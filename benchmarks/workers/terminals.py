"""Build the terminals of a made-up graph: SHAPE EDGES ROUNDS. Prints JSON: seconds and bytes.

Nodes are strings, as paths are in a corpus.
"""

import json
import random
import resource
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence

from recall_core.graph.resolve import build_terminals

Graph = dict[str, tuple[str, ...]]

_LOOK_UPS = 200_000
_RUNG = 4


def _chain(edges: int) -> Graph:
    names = _names(edges + 1)
    return {names[i]: (names[i + 1],) for i in range(edges)}


def _forest(edges: int) -> Graph:
    """Each memo is replaced by one that comes up to a thousand later, in no order of keys."""
    rng = random.Random(1)
    names = _names(edges + 1000)
    order = list(range(edges))
    rng.shuffle(order)
    return {names[i]: (names[i + rng.randint(1, 999)],) for i in order}


def _fan_in(edges: int) -> Graph:
    """One memo replaced all the others."""
    names = _names(edges + 1)
    return {names[i]: (names[edges],) for i in range(edges)}


def _cycle(edges: int) -> Graph:
    names = _names(edges)
    return {names[i]: (names[(i + 1) % edges],) for i in range(edges)}


def _ladder(edges: int) -> Graph:
    """Diamonds in a row: two ways at each step, so that the ways from first to last double with every diamond."""
    rungs = edges // _RUNG
    names = _names(3 * rungs + 1)
    graph: Graph = {}
    for rung in range(rungs):
        top, left, right, bottom = names[3 * rung : 3 * rung + 4]
        graph |= {top: (left, right), left: (bottom,), right: (bottom,)}
    return graph


SHAPES: Mapping[str, Callable[[int], Graph]] = {
    "chain": _chain,
    "forest": _forest,
    "fan-in": _fan_in,
    "cycle": _cycle,
    "ladder": _ladder,
}


def _names(count: int) -> Sequence[str]:
    return [f"decisions/memo-{number:07d}.md" for number in range(count)]


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def main() -> None:
    shape, edges, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    graph = SHAPES[shape](edges)
    peak_before = _peak()
    cpu, wall = [], []
    terminals: Mapping[str, tuple[str, ...]] = {}
    for _ in range(rounds):
        terminals = {}
        start_cpu, start_wall = time.process_time(), time.perf_counter()
        terminals = build_terminals(graph)
        cpu.append(time.process_time() - start_cpu)
        wall.append(time.perf_counter() - start_wall)
    asked = random.Random(2).choices(list(graph), k=_LOOK_UPS)
    get = terminals.get
    start_cpu = time.process_time()
    for name in asked:
        get(name)
    look_up = (time.process_time() - start_cpu) / len(asked)
    answer = {
        "edges": sum(map(len, graph.values())),
        "cpu_median": statistics.median(cpu),
        "cpu_best": min(cpu),
        "wall_best": min(wall),
        "peak": _peak(),
        "peak_before": peak_before,
        "look_up": look_up,
    }
    json.dump(answer, sys.stdout)


main()
