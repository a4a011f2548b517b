"""The confidence of a cosine (E1)."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.calibration.confidence import scale_confidence

COSINES = st.floats(-1, 1)
SCALES = st.floats(min_value=5e-324, max_value=10)


@given(COSINES, SCALES)
def test_it_is_exactly_one_half_at_the_threshold(threshold: float, scale: float) -> None:
    """E1."""
    assert scale_confidence(threshold, threshold, scale) == 0.5


@given(COSINES, COSINES, COSINES, SCALES)
def test_it_never_falls_and_stays_a_share(first: float, second: float, threshold: float, scale: float) -> None:
    """E1; the least scale that a float can be overflows nothing."""
    low, high = sorted((first, second))
    assert 0 <= scale_confidence(low, threshold, scale) <= scale_confidence(high, threshold, scale) <= 1


@given(COSINES, COSINES, st.floats(0.001, 1))
def test_neighbouring_cosines_are_in_order_too(cosine: float, threshold: float, scale: float) -> None:
    above = math.nextafter(cosine, 2)
    assert scale_confidence(cosine, threshold, scale) <= scale_confidence(above, threshold, scale)


def test_it_is_the_logistic() -> None:
    assert scale_confidence(0.6, 0.5, 0.1) == pytest.approx(1 / (1 + math.exp(-1)))
    assert scale_confidence(0.4, 0.5, 0.1) == pytest.approx(1 / (1 + math.e))


@pytest.mark.parametrize(
    ("cosine", "threshold", "scale"),
    [
        (math.nan, 0.5, 0.1),
        (0.5, math.nan, 0.1),
        (0.5, 0.5, math.nan),
        (0.5, math.inf, 1),
        (0.5, 0.5, 0),
        (0.5, 0.5, -1),
    ],
)
def test_what_could_switch_abstention_off_is_refused(cosine: float, threshold: float, scale: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        scale_confidence(cosine, threshold, scale)
