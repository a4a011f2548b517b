"""A cosine on the scale on which the threshold is exactly one half."""

import math

_LARGEST_EXPONENT = 700.0
"""`exp` of more overflows a float of 64 bits."""


def scale_confidence(cosine: float, threshold: float, scale: float) -> float:
    """logistic((cosine - threshold) / scale): 0 to 1, never falling in the cosine, exactly 0.5 at the threshold.

    It ranks; it is no probability. Raises ValueError unless `scale` is above 0 and all three are finite: a threshold
    that is no number would compare false with everything, and so switch abstention off.
    """
    if not (math.isfinite(cosine) and math.isfinite(threshold) and math.isfinite(scale) and scale > 0):
        raise ValueError("cosine, threshold and scale are finite numbers, and the scale is above 0")
    # One expression for both sides: every operation in it is monotone in floats, so that the whole is.
    return 1.0 / (1.0 + math.exp(min((threshold - cosine) / scale, _LARGEST_EXPONENT)))
