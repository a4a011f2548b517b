"""Calibrations in words: a verdict, a list, all of one, and what a look for drift gave."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from recall_core.calibration.facts import list_facts
from recall_core.calibration.words import tell_promise, tell_remedies, tell_verdict
from recall_core.cli.calibration_json import instant
from recall_core.cli.plural import count
from recall_core.model.escape import visible

if TYPE_CHECKING:
    from recall_core.app.calibrate import Calibrated
    from recall_core.app.drift import DriftReport
    from recall_core.calibration.stored import StoredCalibration


def render_calibrated(found: "Calibrated") -> Iterator[str]:
    """The verdict on a measurement, what it promises, what would make it better, and what to type next."""
    generation = visible(found.generation.id)
    answerable = sum(entry.answerable for entry in found.labels.queries)
    unanswerable = len(found.labels.queries) - answerable
    yield (
        f"measured {count(answerable, 'answerable label')} and {unanswerable} unanswerable on {generation}, rule"
        f" {found.rule}\n"
    )
    if found.labels.waiting:
        yield f"  {count(found.labels.waiting, 'draft')} not used: `accepted` is still null\n"
    if found.shortfall is not None:
        yield f"not certifiable: {found.shortfall}\n"
        yield f"  = help: label {found.shortfall.missing} more, or choose a rule that asks for less\n"
        return
    stored = found.stored
    artifact = stored.artifact if stored is not None else None
    if stored is None or artifact is None:
        return
    yield f"{visible(stored.id)}: {tell_verdict(artifact)}\n"
    yield f"  promise: {tell_promise(artifact)}\n"
    yield f"  signals: {visible(artifact.admission.reason)}\n"
    for remedy in tell_remedies(artifact):
        yield f"  better: {visible(remedy)}\n"
    if found.declined:
        yield f"not published: {visible(found.declined)}\n"
        yield f"  = help: {visible(found.help)}\n"
    elif stored.state.value == "published":
        yield f"published: searches of {generation} are judged by it\n"
    elif stored.state.value == "draft":
        yield f"next: recall calibration publish {visible(stored.id)}\n"
    else:
        yield f"next: recall calibration report {visible(stored.id)} --output report.html\n"


def render_list(calibrations: Iterable["StoredCalibration"]) -> Iterator[str]:
    """One calibration a line, the newest first."""
    found = list(calibrations)
    width = max((len(each.id) for each in found), default=0)
    for each in found:
        yield f"{each.state.value:<14} {visible(each.id):<{width}}  {instant(each.stored_at)}  {_tell_short(each)}\n"
    if not found:
        yield "no calibration yet: `recall calibrate --queries FILE` makes one\n"


def render_one(stored: "StoredCalibration") -> Iterator[str]:
    """All that is known of one calibration, a line for each thing."""
    yield f"{visible(stored.id)}: {stored.state.value}\n"
    if stored.artifact is None:
        yield f"{_tell_short(stored)}\n"
        return
    yield f"{tell_verdict(stored.artifact)}\n"
    yield f"promise: {tell_promise(stored.artifact)}\n"
    for remedy in tell_remedies(stored.artifact):
        yield f"better: {visible(remedy)}\n"
    for name, value in list_facts(stored.artifact, stored.state.value).items():
        yield f"{visible(name)}: {visible(value)}\n"
    yield f"stored: {instant(stored.stored_at)} by {visible(stored.stored_by)}, {stored.origin.value}\n"


def render_drift(report: "DriftReport") -> Iterator[str]:
    """The finding, and by how much scores moved."""
    drift = report.drift
    yield f"{drift.finding.value}: {visible(drift.reason)}\n"
    if drift.certificate is not None:
        wrong, covered = drift.certificate.false_answers, drift.certificate.coverage
        yield (
            f"  today {wrong.events} of {wrong.trials} unanswerable and {covered.events} of {covered.trials} answerable"
            f" queries are answered on {visible(report.generation.id)}\n"
        )
        yield (
            f"  scores moved by {_signed(drift.answerable_change)} (answerable) and"
            f" {_signed(drift.unanswerable_change)} (unanswerable), medians in units of cosine\n"
        )
    if drift.finding.value in ("drifted", "recommended"):
        generation = visible(report.generation.id)
        yield f"next: recall calibrate --generation {generation} --query-set published --publish\n"


def _tell_short(stored: "StoredCalibration") -> str:
    if stored.legacy is not None:
        return "a file of the former format, bound to nothing"
    artifact = stored.artifact
    if artifact is None:
        return "cannot be read: its row was changed"
    separability = artifact.certificate.separability
    area = f"AUROC {separability.auroc:.3f}" if separability.auroc is not None else "one class"
    labels = f"{separability.answerable}+{separability.unanswerable} labels"
    generation = visible(artifact.binding.generation)
    return f"{generation}  threshold {artifact.threshold:.3f} ({artifact.rule})  {area}  {labels}"


def _signed(change: float | None) -> str:
    return "nothing" if change is None else f"{change:+.3f}"
