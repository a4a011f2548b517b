"""A cosine on the scale on which the threshold is exactly one half."""

import math


def scale_confidence(cosine: float, threshold: float, scale: float) -> float:
    """logistic((cosine - threshold) / scale): 0 to 1, never falling in the cosine, exactly 0.5 at the threshold.

    It ranks; it is no probability. Raises ValueError unless `scale` is above 0 and all three are finite: a threshold
    that is no number would compare false with everything, and so switch abstention off.
    """
    if not (math.isfinite(cosine) and math.isfinite(threshold) and math.isfinite(scale) and scale > 0):
        raise ValueError("cosine, threshold and scale are finite numbers, and the scale is above 0")
    distance = (cosine - threshold) / scale
    # The exponent is never above 0, so nothing overflows however small the scale is.
    if distance >= 0:
        return 1 / (1 + math.exp(-distance))
    grown = math.exp(distance)
    return grown / (1 + grown)
