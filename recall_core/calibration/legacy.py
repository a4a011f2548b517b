"""The calibration file of the former format: evidence at most, read so that nothing in it can do harm."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass

DEFAULT_THRESHOLD = 0.5
DEFAULT_SCALE = 0.05


@dataclass(frozen=True, slots=True)
class Legacy:
    """A threshold and a scale, both fit for use whatever the file says.

    `used` is whether they are the file's; else they are the uncalibrated default, and `reason` says why the file was
    ignored. A result that rests on either is uncalibrated: the file cannot say what it was measured on.
    """

    threshold: float
    scale: float
    used: bool
    reason: str = ""

    @property
    def calibrated(self) -> bool:
        """False always: no such file proves its tenant, generation, pipeline, corpus or labels."""
        return False


def load_calibration(content: str | bytes | None, embedder: str) -> Legacy:
    """What a file holds for this embedder. It never raises.

    `content` is None where the file is absent or could not be read. The file is a JSON object with `embedder`,
    `threshold` within -1 and 1, and `scale` above 0 and at most 1; what else it holds is ignored.
    """
    try:
        return _read(content, embedder)
    except (ValueError, RecursionError, OverflowError, MemoryError):
        return _ignore("it is not JSON")


def _read(content: str | bytes | None, embedder: str) -> Legacy:
    if content is None:
        return _ignore("it is absent or cannot be read")
    text = content.decode("utf-8") if isinstance(content, bytes) else content
    value = json.loads(text.removeprefix("\ufeff"))
    if not isinstance(value, Mapping):
        return _ignore("it is no JSON object")
    if value.get("embedder") != embedder:
        return _ignore("it was fitted for another embedder, whose cosines are not comparable")
    threshold, scale = _number(value.get("threshold")), _number(value.get("scale"))
    if threshold is None or not -1 <= threshold <= 1:
        return _ignore("its threshold is no number from -1 to 1")
    if scale is None or not 0 < scale <= 1:
        return _ignore("its scale is no number above 0 and at most 1")
    return Legacy(threshold, scale, used=True)


def _number(value: object) -> float | None:
    """A finite number; true and false are none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    number = float(value)
    return number if math.isfinite(number) else None


def _ignore(reason: str) -> Legacy:
    return Legacy(DEFAULT_THRESHOLD, DEFAULT_SCALE, used=False, reason=f"the calibration file is ignored: {reason}")
