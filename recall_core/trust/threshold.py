"""The threshold of one query, and the confidence that a cosine has against it."""

import math
from dataclasses import dataclass

from recall_core.calibration.confidence import scale_confidence


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
        """The confidence of a hit with this cosine, as `scale_confidence` defines it; None without a cosine."""
        if cosine is None or cosine != cosine:  # noqa: PLR0124 - a NaN differs from itself
            return None
        return scale_confidence(cosine, self.value, self.scale)
