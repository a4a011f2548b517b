"""Reciprocal rank fusion (BEHAVIOURS I2) against a table worked out by hand, and against exact fractions."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.retrieval.fuse import fuse

LEGS = st.lists(st.lists(st.integers(0, 60), unique=True, max_size=50), max_size=4)


def test_a_table_worked_out_by_hand() -> None:
    """7 is first and third, 3 second and first: 1/11 + 1/13 against 1/12 + 1/11; 9 is third in one leg alone."""
    fused = fuse([[7, 3, 9], [3, 5, 7]])
    assert [each.number for each in fused] == [3, 7, 5, 9]
    assert [each.score for each in fused] == pytest.approx([1 / 12 + 1 / 11, 1 / 11 + 1 / 13, 1 / 12, 1 / 13])
    assert [each.ranks for each in fused] == [(2, 1), (1, 3), (None, 2), (3, None)]


def test_ties_go_to_the_best_single_rank_then_to_the_smaller_number() -> None:
    """1/20 + 1/30 and 1/24 + 1/24 are 1/12 both, and differ as floats when they are added up."""
    first, second = list(range(100, 130)), list(range(200, 230))
    first[9] = second[19] = 5
    first[13] = second[13] = 4
    assert [each.number for each in fuse([first, second]) if each.number < 100] == [5, 4]
    assert [each.number for each in fuse([[9], [8]])] == [8, 9]


@given(LEGS, st.integers(0, 60))
def test_it_is_the_formula_in_exact_fractions(legs: list[list[int]], k: int) -> None:
    exact: dict[int, tuple[Fraction, int]] = {}
    for leg in legs:
        for rank, number in enumerate(leg, start=1):
            total, best = exact.get(number, (Fraction(0), rank))
            exact[number] = total + Fraction(1, k + rank), min(best, rank)
    expected = sorted(exact, key=lambda number: (-exact[number][0], exact[number][1], number))
    assert [each.number for each in fuse(legs, k=k)] == expected


@given(LEGS)
def test_the_order_of_the_legs_never_matters(legs: list[list[int]]) -> None:
    forward = [(each.number, each.score) for each in fuse(legs)]
    assert [(each.number, each.score) for each in fuse(legs[::-1])] == forward


@given(st.lists(st.integers(0, 1000), unique=True))
def test_one_leg_keeps_its_order(leg: list[int]) -> None:
    assert [each.number for each in fuse([leg])] == leg
    assert [each.number for each in fuse([[], leg])] == leg


def test_a_document_twice_in_one_leg_is_refused() -> None:
    with pytest.raises(ValueError, match="document 4 twice"):
        fuse([[4, 4]])


def test_a_constant_below_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="not below 0"):
        fuse([[1]], k=-1)
