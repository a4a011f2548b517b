"""Measure labelled queries on a generation, place a threshold, and keep what was found, certified or not."""

from dataclasses import dataclass
from datetime import datetime

from recall_core.app.embed import Progress
from recall_core.app.labels import Labels
from recall_core.app.measure import measure
from recall_core.app.promote import find_generation
from recall_core.calibration.bundle import Bundle
from recall_core.calibration.measure import Maker, build_artifact
from recall_core.calibration.rule import Midgap, Rule
from recall_core.calibration.stored import Origin, StoredCalibration
from recall_core.calibration.threshold import Shortfall
from recall_core.errors import ConflictError, RefusedError, UsageError
from recall_core.generation.states import State
from recall_core.ports.embedder import Embedder
from recall_core.ports.store import Generation, GenerationStore


@dataclass(frozen=True, slots=True)
class CalibrateRequest:
    """What somebody asked for.

    Without a `rule` it is the one that the labels were last published with, else midgap. `tool` is this version.
    """

    tenant: str
    labels: Labels
    actor: str
    tool: str
    rule: Rule | None = None
    publishes: bool = False


@dataclass(frozen=True, slots=True)
class Calibrated:
    """What a measurement came to.

    `stored` is None where the labels are too few for the rule's target: then `shortfall` says by how many, and nothing
    was kept. `declined` says why it was not published, where that was asked for; `unknown` are paths in the labels that
    the generation does not have.
    """

    generation: Generation
    labels: Labels
    rule: Rule
    stored: StoredCalibration | None
    shortfall: Shortfall | None = None
    declined: str = ""
    help: str = ""
    unknown: tuple[str, ...] = ()

    @property
    def certified(self) -> bool:
        """Whether it may be published."""
        artifact = self.stored.artifact if self.stored is not None else None
        return artifact is not None and artifact.certificate.certified is True


def calibrate(
    store: GenerationStore,
    embedder: Embedder,
    generation: Generation,
    request: CalibrateRequest,
    *,
    now: datetime,
    progress: Progress = lambda _done, _total: None,
) -> Calibrated:
    """Measure, store, and with `publishes` publish what was stored.

    A failed certification is stored all the same, as rejected evidence. Raises UsageError and RefusedError for a
    generation that cannot be measured with this embedder, or that changed while it was.
    """
    measured = measure(store, embedder, generation, request.labels.queries, progress=progress)
    rule = request.rule or request.labels.rule or Midgap()
    found = build_artifact(
        request.labels.queries,
        measured.samples,
        rule,
        measured.generation.binding,
        Maker(request.actor, now, request.tool),
    )
    if isinstance(found, Shortfall):
        return Calibrated(measured.generation, request.labels, rule, None, found, unknown=measured.unknown)
    bundle = Bundle(found, request.labels.queries)
    stored = store.calibrations.save(request.tenant, bundle, origin=Origin.MEASURED, actor=request.actor)
    declined = help_ = ""
    if request.publishes:
        try:
            stored = store.calibrations.publish(request.tenant, stored.id, actor=request.actor)
        except (RefusedError, ConflictError) as error:
            declined, help_ = error.message, error.help
    return Calibrated(
        measured.generation, request.labels, rule, stored, None, declined, help_, unknown=measured.unknown
    )


def choose_generation(store: GenerationStore, tenant: str, asked: str | None) -> Generation:
    """The generation of an id or the beginning of one; without any the newest that is served or could be.

    Raises UsageError where there is none.
    """
    if asked is not None:
        return find_generation(store, tenant, asked)
    for each in store.generations(tenant):
        if each.state in (State.READY, State.ACTIVE):
            return each
    raise UsageError(f"the tenant `{tenant}` has no generation to calibrate", help="`recall index` builds one")
