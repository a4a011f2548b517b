"""A file of the former format (E8, H7): values in, never an exception, and never calibrated."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.calibration.confidence import scale_confidence
from recall_core.calibration.legacy import DEFAULT_SCALE, DEFAULT_THRESHOLD, load_calibration

GOOD: dict[str, Any] = {"embedder": "model", "threshold": 0.41, "scale": 0.03, "n_answerable": 30}


def test_a_good_file_is_used_and_still_uncalibrated() -> None:
    """E8."""
    found = load_calibration(json.dumps(GOOD), "model")
    assert (found.threshold, found.scale, found.used, found.calibrated, found.reason) == (0.41, 0.03, True, False, "")
    assert load_calibration(b"\xef\xbb\xbf" + json.dumps(GOOD).encode(), "model") == found


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "absent"),
        ("", "not JSON"),
        ("{", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("9" * 5000, "not JSON"),
        ("[]", "no JSON object"),
        ("null", "no JSON object"),
        (json.dumps({**GOOD, "embedder": "other"}), "another embedder"),
        (json.dumps({"threshold": 0.4, "scale": 0.1}), "another embedder"),
        (json.dumps({**GOOD, "threshold": None}), "threshold"),
        (json.dumps({**GOOD, "threshold": "0.4"}), "threshold"),
        (json.dumps({**GOOD, "threshold": True}), "threshold"),
        (json.dumps({**GOOD, "threshold": float("nan")}), "threshold"),
        (json.dumps({**GOOD, "threshold": float("-inf")}), "threshold"),
        (json.dumps({**GOOD, "threshold": -1.01}), "threshold"),
        (json.dumps({**GOOD, "threshold": 42}), "threshold"),
        (json.dumps(GOOD).replace("0.41", "1" + "0" * 400), "not JSON"),
        (json.dumps({**GOOD, "scale": 0}), "scale"),
        (json.dumps({**GOOD, "scale": -0.1}), "scale"),
        (json.dumps({**GOOD, "scale": float("inf")}), "scale"),
        (json.dumps({**GOOD, "scale": 2}), "scale"),
    ],
)
def test_a_bad_file_is_ignored_and_says_why(content: str | bytes | None, said: str) -> None:
    """E8."""
    found = load_calibration(content, "model")
    assert (found.threshold, found.scale, found.used, found.calibrated) == (
        DEFAULT_THRESHOLD,
        DEFAULT_SCALE,
        False,
        False,
    )
    assert said in found.reason


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["embedder", "threshold", "scale"]), inner),
)


@given(JSON.map(json.dumps) | st.text() | st.binary())
def test_no_file_crashes_or_disables_abstention(content: str | bytes) -> None:
    """E8: whatever it holds, the threshold is one that cosines can be below and above."""
    found = load_calibration(content, "model")
    assert -1 <= found.threshold <= 1
    assert scale_confidence(found.threshold, found.threshold, found.scale) == 0.5
