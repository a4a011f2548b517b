"""What a search knows beside the cosine, from values by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.calibration.signals import NAMES, Observation, compute_signals


def signals_of(observation: Observation) -> dict[str, float]:
    return dict(zip(NAMES, compute_signals(observation), strict=True))


SEARCH = Observation(
    cosines=(0.8, 0.7, 0.6, 0.5, 0.4, 0.3),
    weights=(4.0, 3.0, 2.0, 1.0),
    found=(frozenset({3}), frozenset({0, 3}), frozenset({1, 2})),
    unknown=frozenset({2}),
    lexical=15.0,
)


def test_a_search_by_hand() -> None:
    found = signals_of(SEARCH)
    assert found == pytest.approx(
        {
            "gap_to_fifth": 0.4,
            "spread_of_ten": math.sqrt((0.25**2 + 0.15**2 + 0.05**2) * 2 / 6),
            "coverage_of_first": 0.1,
            "coverage_of_best": 0.5,
            "unknown_words": 0.2,
            "lexical_strength": 1.5,
        }
    )


def test_only_the_first_five_hits_are_looked_at() -> None:
    found = (frozenset[int](),) * 5 + (frozenset({0}),)
    assert signals_of(Observation((0.5,), (1.0,), found))["coverage_of_best"] == 0


@pytest.mark.parametrize("observation", [Observation((), (), ()), Observation((0.5,), (0.0,), (frozenset({0}),))])
def test_a_search_that_gave_nothing_has_signals_all_the_same(observation: Observation) -> None:
    assert all(math.isfinite(value) for value in compute_signals(observation))


@given(
    st.lists(st.floats(-1, 1), max_size=20),
    st.lists(st.floats(0, 20), min_size=1, max_size=10),
    st.sets(st.integers(0, 9)),
    st.floats(0, 100),
)
def test_signals_are_finite_and_shares_are_shares(
    cosines: list[float], weights: list[float], words: set[int], lexical: float
) -> None:
    words = {word for word in words if word < len(weights)}
    ordered = tuple(sorted(cosines, reverse=True))
    found = signals_of(Observation(ordered, tuple(weights), (words,), frozenset(words), lexical))
    assert all(math.isfinite(value) for value in found.values())
    assert 0 <= found["coverage_of_first"] <= 1 + 1e-9
    assert found["gap_to_fifth"] >= 0
