"""Reciprocal rank fusion: one ranking out of several, without comparing their scores."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

K: Final = 10
"""Smaller than the 60 of the paper: with memos that are cut into short chunks the first ranks say more."""

_DECIMALS: Final = 12


@dataclass(frozen=True, slots=True)
class Fused:
    """A document, its fused score, and its rank in each leg, from 1 on; None where that leg did not give it."""

    number: int
    score: float
    ranks: tuple[int | None, ...]


def fuse(legs: Sequence[Iterable[int]], *, k: int = K) -> list[Fused]:
    """All documents of all legs, the best first: each scores the sum of 1 / (k + rank) over the legs that give it.

    Cormack, Clarke and Buettcher, Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods,
    SIGIR 2009, section 2. Each leg holds document numbers, the best first. Ties (equal to twelve decimals, since
    1/20 + 1/30 and 1/24 + 1/24 are one number but not one float) go to the best single rank, then to the smaller
    number; the order of the legs never matters. Raises ValueError where a leg gives a document twice, or `k` is below
    0.
    """
    if k < 0:
        raise ValueError("the constant of reciprocal rank fusion is not below 0")
    places: dict[int, list[int | None]] = {}
    for leg, numbers in enumerate(legs):
        for rank, number in enumerate(numbers, start=1):
            ranks = places.setdefault(int(number), [None] * len(legs))
            if ranks[leg] is not None:
                raise ValueError(f"a leg gives document {number} twice")
            ranks[leg] = rank
    fused = [
        Fused(number, fsum(1 / (k + rank) for rank in ranks if rank is not None), tuple(ranks))
        for number, ranks in places.items()
    ]
    fused.sort(key=_order)
    return fused


def _order(each: Fused) -> tuple[float, int, int]:
    return -round(each.score, _DECIMALS), min(rank for rank in each.ranks if rank is not None), each.number
