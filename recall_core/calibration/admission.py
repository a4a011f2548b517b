"""Whether the signals may move the threshold: only when queries that they were not fitted on say so."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from recall_core.calibration.auroc import measure_auroc, measure_gain
from recall_core.calibration.certify import LEAST_PER_CLASS
from recall_core.calibration.evidence import Evidence, fit_evidence
from recall_core.calibration.sample import Sample
from recall_core.calibration.signals import NAMES
from recall_core.generation.digest import digest

FOLDS = 10


@dataclass(frozen=True, slots=True)
class Admission:
    """What the paired test says. `gain` is how much higher the AUROC is with the signals, `error` DeLong's of that.

    The areas and what follows are None where the test could not be made; `reason` is a sentence either way.
    """

    admitted: bool
    reason: str
    cosine: float | None = None
    with_signals: float | None = None
    gain: float | None = None
    error: float | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """The samples with the scores that a threshold is to be placed for, the model where one was admitted, and why."""

    samples: tuple[Sample, ...]
    evidence: Evidence | None
    admission: Admission


def admit_signals(samples: Sequence[Sample]) -> Judged:
    """Fit the signals, and take them only where they help by more than the error of that.

    Each of ten folds is scored by a model of the nine others. The model is admitted where the AUROC of these scores
    beats the cosine's by more than the paired standard error (DeLong et al. 1988); then they are the samples' scores,
    since a threshold placed for the scores that a model was fitted to would be too low. Otherwise every score is the
    cosine, and no signals are kept. Samples of one entry stay in one fold, and the folds depend on the entries alone.
    """
    cosine = tuple(replace(sample, score=sample.cosine, signals=()) for sample in samples)
    answerable = sum(sample.answerable for sample in samples)
    if any(len(sample.signals) != len(NAMES) for sample in samples) or not samples:
        return Judged(cosine, None, Admission(False, "the searches were measured without signals"))
    if min(answerable, len(samples) - answerable) < LEAST_PER_CLASS:
        reason = f"signals are tried from {LEAST_PER_CLASS} queries of either class on"
        return Judged(cosine, None, Admission(False, reason))
    scored = _score_out_of_fold(samples)
    plain, moved = _split(cosine), _split(scored)
    gain = measure_gain(moved, plain)
    admitted = gain.difference > gain.error
    verb = "beats" if admitted else "does not beat"
    before, after = measure_auroc(*plain).area, measure_auroc(*moved).area
    reason = (
        f"the AUROC with signals, {after:.3f} on queries left out, {verb} the cosine's {before:.3f} "
        f"by more than its error of {gain.error:.3f}"
    )
    admission = Admission(admitted, reason, before, after, gain.difference, gain.error)
    if not admitted:
        return Judged(cosine, None, admission)
    return Judged(scored, _fit(samples), admission)


def assign_folds(samples: Sequence[Sample], folds: int) -> list[int]:
    """A fold for each sample: entries in the order of their digests, dealt out class by class."""
    labels: dict[str, set[bool]] = {}
    for sample in samples:
        labels.setdefault(sample.entry, set()).add(sample.answerable)
    order = sorted(labels, key=lambda entry: (sorted(labels[entry]), digest(entry)))
    fold = {entry: place % folds for place, entry in enumerate(order)}
    return [fold[sample.entry] for sample in samples]


def _score_out_of_fold(samples: Sequence[Sample]) -> tuple[Sample, ...]:
    folds = assign_folds(samples, FOLDS)
    models = [
        _fit([sample for sample, own in zip(samples, folds, strict=True) if own != fold]) for fold in range(FOLDS)
    ]
    return tuple(
        replace(sample, score=sample.cosine + models[fold].shift(sample.signals))
        for sample, fold in zip(samples, folds, strict=True)
    )


def _fit(samples: Sequence[Sample]) -> Evidence:
    return fit_evidence(
        [sample.cosine for sample in samples],
        [sample.signals for sample in samples],
        [sample.answerable for sample in samples],
    )


def _split(samples: Sequence[Sample]) -> tuple[list[float], list[float]]:
    """The scores by class, in the order of the samples."""
    return (
        [sample.score for sample in samples if sample.answerable],
        [sample.score for sample in samples if not sample.answerable],
    )
