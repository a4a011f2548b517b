"""The threshold of one query, and the confidence that a cosine has against it."""

import math
from dataclasses import dataclass

_LARGEST_EXPONENT = 700.0
"""`exp` of more overflows a float of 64 bits."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """The cosine from which a hit counts, and the scale of its confidence; both finite, the scale above 0.

    `value` is the one applied to this query. `published` is the artifact's own; the two differ where signals beside the
    cosine moved it, and None means that they do not. `rule` and `calibration_id` say where it comes from. Raises
    ValueError for a number that could disable abstention: a NaN is below nothing.
    """

    value: float
    scale: float
    rule: str = ""
    calibration_id: str | None = None
    published: float | None = None

    def __post_init__(self) -> None:
        if not math.isfinite(self.value):
            raise ValueError("a threshold is a finite number")
        if not (math.isfinite(self.scale) and self.scale > 0.0):
            raise ValueError("a scale is a finite number above 0")

    def is_cleared_by(self, cosine: float | None) -> bool:
        """Whether a cosine is at or above it; a missing one and a NaN are not."""
        return cosine is not None and cosine >= self.value

    def confidence(self, cosine: float | None) -> float | None:
        """The logistic of (cosine - threshold) / scale: monotone, in [0, 1], exactly 0.5 at the threshold.

        A ranking confidence, no posterior probability. None without a cosine.
        """
        if cosine is None or cosine != cosine:  # noqa: PLR0124 - a NaN differs from itself
            return None
        # One expression for both sides: every operation in it is monotone in floats, so that the whole is.
        return 1.0 / (1.0 + math.exp(min((self.value - cosine) / self.scale, _LARGEST_EXPONENT)))
