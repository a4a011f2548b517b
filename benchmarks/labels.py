"""Labelled collections: which edges prose tells, how plainly, and which pairs are no edges."""

import json
import math
import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Pair = tuple[str, str, str]
"""Collection, newer memo, older memo; memos by their stems."""


@dataclass(frozen=True, slots=True)
class Labels:
    """What the labels of some collections say. All sets hold pairs; `told` is what either memo tells."""

    provable: frozenset[Pair] = frozenset()
    """The newer memo says plainly that it replaces the other one."""
    plain: frozenset[Pair] = frozenset()
    """Either memo says so plainly."""
    told_in_newer: frozenset[Pair] = frozenset()
    told: frozenset[Pair] = frozenset()
    partial: frozenset[Pair] = frozenset()
    edges: frozenset[Pair] = frozenset()
    negatives: frozenset[Pair] = frozenset()
    unaskable: frozenset[Pair] = frozenset()
    """The negatives that should not even be asked about."""
    busy: frozenset[tuple[str, str]] = frozenset()
    """The memos that replace another one, or say that another one replaces them."""

    def of(self, collection: str) -> "Labels":
        """The labels of one collection."""
        kept = {name: frozenset(each for each in getattr(self, name) if each[0] == collection) for name in _FIELDS}
        return Labels(**kept)

    def find_wrong(self, pairs: Iterable[Pair]) -> set[Pair]:
        """The pairs that are known to be no edges of whole memos: negatives, turned round, or partial."""
        return {pair for pair in pairs if pair in self.partial or (pair not in self.edges and self._is_no_edge(pair))}

    def _is_no_edge(self, pair: Pair) -> bool:
        return pair in self.negatives or (pair[0], pair[2], pair[1]) in self.edges


_FIELDS = tuple(Labels.__dataclass_fields__)


@dataclass(slots=True)
class _Collector:
    sets: dict[str, set[Any]] = field(default_factory=lambda: {name: set() for name in _FIELDS})

    def add_edge(self, collection: str, row: Mapping[str, Any]) -> None:
        pair = (collection, row["newer"], row["older"])
        prose = row["prose_evidence"] or []
        full = row["kind"] == "full"
        plainly = full and any(each["strength"] == "clear" and each["kind"] == "full" for each in prose)
        holds = {
            "edges": True,
            "partial": row["kind"] == "partial",
            "provable": row["provable_from_newer"],
            "plain": plainly,
            "told_in_newer": row["narrated_in_newer"],
            "told": bool(prose),
        }
        for name, belongs in holds.items():
            if belongs:
                self.sets[name].add(pair)
        self.sets["busy"].add((collection, row["newer"]))
        if any(each["side"] == "older" for each in prose):
            self.sets["busy"].add((collection, row["older"]))

    def build(self, negatives: Iterable[Mapping[str, Any]]) -> Labels:
        showable: dict[Pair, bool] = {}
        for row in negatives:
            pair = (row["collection"], row["file"], row["target"])
            showable[pair] = showable.get(pair, True) and row["check_may_show"]
        self.sets["negatives"] = set(showable)
        edges = self.sets["edges"]
        self.sets["unaskable"] = {pair for pair, shown in showable.items() if not shown and pair not in edges}
        return Labels(**{name: frozenset(members) for name, members in self.sets.items()})


def load_labels(folder: str) -> Labels:
    """The labels below a folder: `<collection>/edges.jsonl`, and `negatives.jsonl`. Raises OSError and ValueError."""
    collector = _Collector()
    for collection in sorted(os.listdir(folder)):
        path = os.path.join(folder, collection, "edges.jsonl")
        if os.path.exists(path) and os.path.isdir(os.path.join(folder, collection, "docs")):
            for row in _rows(path):
                collector.add_edge(collection, row)
    return collector.build(_rows(os.path.join(folder, "negatives.jsonl")))


def _rows(path: str) -> Iterable[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def share(found: Collection[object], of: Collection[object]) -> str:
    """How many of `of` were found, as a share with its 95 % Wilson interval; a dash where there are none."""
    return render_share(len(set(found) & set(of)), len(of))


def render_share(part: int, whole: int) -> str:
    """`12/15 = 0.800 [0.548, 0.930]`: a share with its 95 % Wilson interval."""
    if not whole:
        return "-"
    low, high = wilson(part, whole)
    return f"{part}/{whole} = {part / whole:.3f} [{low:.3f}, {high:.3f}]"


def wilson(part: int, whole: int, z: float = 1.959964) -> tuple[float, float]:
    """The Wilson score interval of a share; `whole` is above 0."""
    rate, spread = part / whole, z * z / whole
    middle = (rate + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(rate * (1 - rate) / whole + spread / (4 * whole))
    return max(0.0, middle - half), min(1.0, middle + half)
