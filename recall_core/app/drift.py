"""Whether the published certificate holds on what is served today: its labels, measured again."""

from dataclasses import dataclass

from recall_core.app.embed import Progress
from recall_core.app.measure import measure
from recall_core.calibration.artifact import Artifact, State
from recall_core.calibration.drift import Drift, Finding, measure_drift
from recall_core.errors import UsageError
from recall_core.ports.embedder import Embedder
from recall_core.ports.store import Generation, GenerationStore


@dataclass(frozen=True, slots=True)
class DriftReport:
    """A finding about one generation, by the labels of one artifact; None where nothing is published."""

    generation: Generation
    artifact: Artifact | None
    drift: Drift


def look_for_drift(
    store: GenerationStore,
    embedder: Embedder,
    generation: Generation,
    *,
    progress: Progress = lambda _done, _total: None,
) -> DriftReport:
    """Hold the threshold that is published for a generation, else the tenant's last, against its labels today.

    Raises UsageError where its labels are not there; as `measure` for a generation that cannot be measured.
    """
    tenant = generation.tenant
    published = _find_published(store, generation)
    if published is None:
        return DriftReport(generation, None, measure_drift(None, ()))
    if published.binding.embedder != generation.pipeline.embedder:
        reason = f"{published.id} was measured with another embedder, whose cosines are not comparable: measure again"
        return DriftReport(generation, published, Drift(Finding.RECOMMENDED, reason))
    queries = store.calibrations.query_set(tenant, published.query_set_digest)
    if queries is None:
        raise UsageError(
            f"the labelled queries of {published.id} are not there",
            help="measure again: `recall calibrate --queries FILE --publish`",
        )
    measured = measure(store, embedder, generation, queries, progress=progress)
    return DriftReport(measured.generation, published, measure_drift(published, measured.samples))


def _find_published(store: GenerationStore, generation: Generation) -> Artifact | None:
    for each in store.calibrations.calibrations(generation.tenant, generation.id):
        if each.state is State.PUBLISHED and each.artifact is not None:
            return each.artifact
    last = store.calibrations.last_published(generation.tenant)
    return last.artifact if last is not None else None
