"""Whether the corpus seems to hold nothing near the query."""

from collections.abc import Iterable

from recall_core.trust.threshold import Threshold


def is_gap(dense_cosines: Iterable[float], threshold: Threshold | None) -> bool:
    """Whether no dense candidate clears the threshold; without a threshold, whether there is no dense candidate.

    Only the dense leg's cosines count, never fused ranks: that a word occurs is no evidence that the subject does.
    """
    if threshold is None:
        return not any(True for _ in dense_cosines)
    return not any(threshold.is_cleared_by(cosine) for cosine in dense_cosines)
