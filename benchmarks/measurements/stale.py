"""How often the first hit that would be used is a memo that was replaced, on questions in that memo's own words.

`--data` holds `corpora/` and `data/peps-supersession/`. All arms choose from the same hits, in one run.
"""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.exact import mcnemar, wilson
from benchmarks.processes import MeasuringError
from benchmarks.row import Goal, Metric, Row
from benchmarks.setting import Setting, say

EMBEDDER = "local"
COLLECTIONS = ("corpora", "peps-supersession")
OURS = "fetched by key"
BY_EDGES = ("edges demote only", "promoted if retrieved", OURS)
LEAST_IN_FORCE = 0.80


def measure(setting: Setting) -> Iterator[Row]:
    """Each collection with each arm; `--size` limits the chunks of each memo that are indexed."""
    if setting.data is None:
        raise MeasuringError("name the folder that holds `corpora` and `data/peps-supersession`: `--data DIR`")
    most = str(setting.sizes[0]) if setting.sizes else "0"
    cache = os.path.join(setting.scratch, "vectors")
    for collection in COLLECTIONS:
        say(f"embedding {collection}, and asking")
        found = setting.environment.worker(
            "stale", os.path.abspath(setting.data), setting.embedder or EMBEDDER, cache, most, collection
        )
        yield from judge(found)


def judge(found: dict[str, Any]) -> Iterator[Row]:
    """The rows of one collection: what its arms choose where the edge is declared, and what is left without edges."""
    name, arms = found["collection"], found["arms"]
    size = len(arms[OURS])
    note = (
        f"{found['memos']:,} memos, {found['chunks']:,} chunks, {found['edges']} edges, {found['ambiguous']} memos "
        f"named ambiguously; {found['embedder']}; midgap answers {found['false_answers']:.0%} of the "
        f"unanswerable questions; {found['admission']}"
    )
    yield Row(f"{name}: questions with a declared edge", size, {Metric.COUNT: size}, note=note)
    best = _find_best(arms, [arm for arm in arms if arm != OURS])
    best_without = _find_best(arms, [arm for arm in arms if arm not in BY_EDGES])
    for arm, outcomes in arms.items():
        counts = Counter(outcomes)
        goals = (Goal(Metric.SHARE, 0.0),) if arm in BY_EDGES else ()
        yield Row(f"{name}: {arm}, stale", size, {Metric.SHARE: counts["stale"] / size}, goals, tell(counts, "stale"))
        in_force = (Goal(Metric.SHARE, LEAST_IN_FORCE, at_least=True),) if arm == OURS else ()
        note = tell(counts, "in force") + f"; {counts['other']} another memo, {counts['abstained']} abstained"
        if arm == OURS:
            told = (f"{compare(outcomes, arms[other]):.4f} against {other}" for other in (best, best_without))
            note += f"; exact McNemar p = {', '.join(told)}"
        yield Row(f"{name}: {arm}, in force", size, {Metric.SHARE: counts["in force"] / size}, in_force, note)
    for share, outcomes in found["ablations"].items():
        told = ", ".join(f"{kind} {part:.3f}" for kind, part in sorted(outcomes.items()))
        figures = {Metric.SHARE: outcomes.get("stale", 0.0)}
        yield Row(f"{name}: {OURS}, {float(share):.0%} of edges hidden, stale", size, figures, note=told)
    for arm, outcomes in found["undeclared"].items():
        if outcomes and arm in ("hybrid", OURS):
            counts = Counter(outcomes)
            figures = {Metric.SHARE: counts["stale"] / len(outcomes)}
            note = tell(counts, "stale")
            yield Row(f"{name}: {arm}, where nobody declared it, stale", len(outcomes), figures, note=note)


def _find_best(arms: dict[str, list[str]], names: Sequence[str]) -> str:
    """The arm that gives the memo in force most often."""
    return max(names, key=lambda arm: arms[arm].count("in force"))


def tell(counts: Counter[str], kind: str) -> str:
    """The fraction and its Wilson interval."""
    trials = counts.total()
    low, high = wilson(counts[kind], trials)
    return f"{counts[kind]}/{trials}, 95 % {low:.2f} to {high:.2f}"


def compare(ours: Sequence[str], other: Sequence[str]) -> float:
    """The exact p that both give the memo in force as often."""
    pairs = [(one == "in force", two == "in force") for one, two in zip(ours, other, strict=True)]
    return mcnemar(pairs.count((True, False)), pairs.count((False, True)))
