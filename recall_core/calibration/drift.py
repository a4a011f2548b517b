"""Whether what was certified still holds: the published labels measured again, and the same threshold held to them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from statistics import median

from recall_core.calibration.artifact import Artifact, Binding
from recall_core.calibration.certificate import Certificate
from recall_core.calibration.certify import certify
from recall_core.calibration.evidence import is_current
from recall_core.calibration.measure import remeasure
from recall_core.calibration.rule import Midgap
from recall_core.calibration.sample import Sample
from recall_core.calibration.threshold import allowed_errors


class Finding(Enum):
    """What a look at a published calibration gives."""

    UNKNOWN = "unknown"
    """Nothing is published, so nothing can have drifted and nothing is known to be stable."""
    RECOMMENDED = "recommended"
    """What it was measured on has changed, and nobody has measured since."""
    STABLE = "stable"
    DRIFTED = "drifted"
    """Measured again, the certificate does not hold."""


@dataclass(frozen=True, slots=True)
class Drift:
    """A finding, and why as a sentence.

    `certificate` is what the published threshold would be certified with today, and the two changes are the medians by
    which the score of a query moved, in units of cosine; None where nothing was measured.
    """

    finding: Finding
    reason: str
    certificate: Certificate | None = None
    answerable_change: float | None = None
    unanswerable_change: float | None = None

    @property
    def needs_attention(self) -> bool:
        """Whether a command ends with 1: the certificate is known not to hold."""
        return self.finding is Finding.DRIFTED


def compare_binding(published: Artifact | None, here: Binding) -> Drift:
    """What can be said without measuring, from identities alone: a measurement is recommended, or not needed."""
    if published is None:
        return _unknown()
    if published.binding == here:
        return Drift(Finding.STABLE, f"{published.id} was measured on exactly this generation")
    return Drift(
        Finding.RECOMMENDED, f"{published.id} was measured on something else: measure again with the published labels"
    )


def measure_drift(published: Artifact | None, samples: Sequence[Sample]) -> Drift:
    """What the published labels say today. `samples` are theirs, one each, in any order, as `take_sample` makes them.

    The certificate holds where the classes are still certified to be apart, and the published threshold answers no more
    unanswerable queries than its rule allows; midgap allows any number, unless its limit of false answers was proven.
    A model of signals was fitted to these very queries, so where one was admitted the finding leans towards stable.
    Raises ValueError for samples of other queries or labels: none are made up.
    """
    if published is None:
        return _unknown()
    before = {(sample.entry, sample.answerable): sample for sample in published.samples}
    if sorted(before) != sorted((sample.entry, sample.answerable) for sample in samples):
        raise ValueError("the samples are not one for each query that was published")
    if published.evidence is not None and not is_current(published.evidence):
        reason = f"{published.id} rests on signals that this version computes in another way"
        return Drift(Finding.RECOMMENDED, reason)
    now = remeasure(published, samples)
    certificate = certify(now, published.placement, published.rule)
    broken = _find_broken(published, certificate)
    moved = [(each.answerable, each.score - before[each.entry, each.answerable].score) for each in now]
    return Drift(
        Finding.DRIFTED if broken else Finding.STABLE,
        broken or f"what {published.id} certifies holds today",
        certificate,
        _median([change for answerable, change in moved if answerable]),
        _median([change for answerable, change in moved if not answerable]),
    )


def _find_broken(published: Artifact, now: Certificate) -> str:
    """What of the certificate does not hold; empty where all does."""
    if not now.certified:
        return now.separability.reason
    wrong, labels = now.false_answers.events, now.false_answers.trials
    if isinstance(published.rule, Midgap):
        if published.certificate.is_bound_proven and not now.is_bound_proven:
            return (
                f"{wrong} of {labels} unanswerable queries are answered: "
                f"at most {now.target:g} is no longer proven of false answers"
            )
    elif wrong > (allowed := allowed_errors(labels, published.rule)):
        return f"{wrong} of {labels} unanswerable queries are answered, and {published.rule} allows {allowed}"
    return ""


def _unknown() -> Drift:
    return Drift(Finding.UNKNOWN, "no calibration is published, so there is nothing to compare with")


def _median(changes: Sequence[float]) -> float:
    return median(changes) if changes else math.nan
