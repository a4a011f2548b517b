"""Measure a new generation with labels that were published before, so that a new index does not end in an outage."""

from datetime import datetime

from recall_core.app.calibrate import Calibrated, CalibrateRequest, calibrate
from recall_core.app.embed import Progress
from recall_core.app.labels import PUBLISHED, find_labels
from recall_core.app.measure import name_unknown
from recall_core.calibration.status import resolve
from recall_core.errors import RefusedError
from recall_core.model.calibration import CalibrationStatus
from recall_core.ports.embedder import Embedder
from recall_core.ports.store import Generation, GenerationStore


def recertify(
    store: GenerationStore,
    embedder: Embedder,
    generation: Generation,
    *,
    query_set: str | None,
    actor: str,
    tool: str,
    now: datetime,
    progress: Progress = lambda _done, _total: None,
) -> Calibrated | None:
    """Measure the labels that the tenant published last, or those of a digest, and publish where they certify.

    None where nothing had to be measured: a certified calibration of the generation is published already, or nothing
    was ever published and no `query_set` is named. Raises UsageError for a digest that is not there, RefusedError where
    the measurement cannot be published, saying why and what to type.
    """
    tenant = generation.tenant
    if query_set is None and (is_certified(store, generation) or store.calibrations.last_published(tenant) is None):
        return None
    labels = find_labels(store.calibrations, tenant, query_set or PUBLISHED)
    request = CalibrateRequest(tenant, labels, actor, tool, publishes=True)
    found = calibrate(store, embedder, generation, request, now=now, progress=progress)
    again = f"recall calibrate --generation {generation.id} --queries FILE --publish"
    if found.shortfall is not None:
        raise RefusedError(
            f"the generation {generation.id} has no certified calibration: {found.shortfall}",
            help=f"`{again}` with more labels",
        )
    if found.stored is not None and not found.certified and found.stored.artifact is not None:
        reason = found.stored.artifact.certificate.separability.reason
        if unknown := name_unknown(found.unknown):
            reason = f"{reason}; {unknown}"
        raise RefusedError(
            f"the generation {generation.id} has no certified calibration: {found.stored.id}, measured with the"
            f" published labels, does not certify: {reason}",
            help=f"`recall calibration report {found.stored.id} --output report.html` shows the worst queries; then"
            f" `{again}` and `recall generation promote {generation.id}`",
        )
    if found.declined:
        raise RefusedError(found.declined, help=found.help)
    return found


def is_certified(store: GenerationStore, generation: Generation) -> bool:
    """Whether a certified calibration is published for a generation as it stands."""
    with store.snapshot(generation.tenant, generation.id) as snapshot:
        if snapshot is None:
            return False
        here = snapshot.generation.binding
        return resolve(snapshot.calibrations(), here, here.lineage).status is CalibrationStatus.CERTIFIED
