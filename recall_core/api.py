"""Searching from Python: the same gate, retrieval and judgment as `recall search`. `docs/python.md` is its manual."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from recall_core import wiring
from recall_core.adapters import clock
from recall_core.adapters.output import remark
from recall_core.app.answer import Refused
from recall_core.app.embed import describe_pipeline
from recall_core.app.search import SearchRequest, Tools, search
from recall_core.calibration import legacy
from recall_core.errors import UsageError
from recall_core.graph.evaluate import as_utc
from recall_core.model.hit import HitVerdict
from recall_core.ports.embedder import Embedder
from recall_core.ports.store import GenerationStore
from recall_core.trust.entail import Entailer, apply_entailment
from recall_core.trust.policy import TrustPolicy
from recall_core.trust.refusal import SearchRefusedError
from recall_core.trust.result import TrustResult
from recall_core.trust.threshold import Threshold

__all__ = [
    "Calibration",
    "HitVerdict",
    "SearchRefusedError",
    "TrustPolicy",
    "TrustResult",
    "apply_entailment",
    "load_calibration",
    "open_embedder",
    "open_entailer",
    "open_store",
    "trusted_search",
    "trusted_search_async",
]

_MAX_AGE: Final = timedelta(days=30)
_MOST_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Calibration:
    """A threshold of one's own, in units of the cosine of `embedder`, and the scale of confidence around it.

    It serves development mode alone: a result that rests on it is degraded, whatever it says. `reason` says why a file
    was ignored, in which case the two numbers are the uncalibrated default; else it is empty. Raises ValueError for a
    threshold that is not finite, or a scale that is not finite and above 0: either could switch abstention off.
    """

    threshold: float
    scale: float
    embedder: str
    reason: str = ""

    def __post_init__(self) -> None:
        Threshold(self.threshold, self.scale)


def load_calibration(path: str, embedder: Embedder | str) -> Calibration:
    """The calibration of a file of the former format, for an embedder or its id. It never raises.

    Where the file is absent, unreadable, malformed, of another embedder, or holds numbers out of range, the default
    comes back, with the reason.
    """
    name = embedder if isinstance(embedder, str) else embedder.id
    content: bytes | None
    try:
        with open(path, "rb") as file:
            content = file.read(_MOST_BYTES)
    except (OSError, ValueError, TypeError):
        content = None
    found = legacy.load_calibration(content, name)
    return Calibration(found.threshold, found.scale, name, found.reason)


def trusted_search(
    store: GenerationStore,
    embedder: Embedder,
    query: str,
    *,
    policy: TrustPolicy | None = None,
    calibration: Calibration | None = None,
    entailer: Entailer | None = None,
    k: int = 5,
    at: datetime | None = None,
    known_at: datetime | None = None,
    generation: str | None = None,
    tenant: str = "default",
    max_age: timedelta = _MAX_AGE,
) -> TrustResult:
    """The judged hits of the active generation, or of the one named.

    Only `result.ok_hits` should be acted on; `result.abstained` says that there are none, and `result.reason` why. The
    policy is strict unless it is given. `at` (now by default) is the instant that windows are judged at, `known_at` how
    far the corpus is known; naive instants are UTC. With `entailer` the hits that hold are asked whether they answer.

    Raises SearchRefusedError where no trustworthy decision is possible, with the code and what to type in `refusal`:
    that is never an empty result. Raises UsageError for a query, a `k` or a generation that is none, and for a
    calibration that the policy has no use for.
    """
    chosen = policy or TrustPolicy.strict()
    now = clock.now()
    valid_at = now if at is None else as_utc(at)
    known = None if known_at is None else as_utc(known_at)
    request = SearchRequest(
        query,
        k,
        valid_at,
        valid_at.isoformat(),
        known,
        None if known is None else known.isoformat(),
        generation,
        tenant,
        chosen,
        max_age,
        _demand_threshold(calibration, embedder, chosen),
    )
    tools = Tools(
        lambda: store,
        lambda: embedder,
        lambda model: describe_pipeline(model, text_search=wiring.TEXT_SEARCH, schema=wiring.SCHEMA),
        None if entailer is None else lambda: entailer,
    )
    found = search(request, tools, now=now)
    if isinstance(found, Refused):
        error = SearchRefusedError(found.refusal)
        if found.detail:
            error.add_note(found.detail)
        raise error
    return found.judged


async def trusted_search_async(
    store: GenerationStore,
    embedder: Embedder,
    query: str,
    *,
    policy: TrustPolicy | None = None,
    calibration: Calibration | None = None,
    entailer: Entailer | None = None,
    k: int = 5,
    at: datetime | None = None,
    known_at: datetime | None = None,
    generation: str | None = None,
    tenant: str = "default",
    max_age: timedelta = _MAX_AGE,
) -> TrustResult:
    """`trusted_search` in a thread, so that the loop goes on: stores and embedders may be shared by threads."""
    return await asyncio.to_thread(
        trusted_search,
        store,
        embedder,
        query,
        policy=policy,
        calibration=calibration,
        entailer=entailer,
        k=k,
        at=at,
        known_at=known_at,
        generation=generation,
        tenant=tenant,
        max_age=max_age,
    )


@contextmanager
def open_store(
    serving_dsn: str | None = None, *, migration_dsn: str | None = None, data_dir: str | None = None
) -> Iterator[GenerationStore]:
    """The store of a DSN, else of the environment, else of the embedded server; closed at the end of the block.

    Raises StoreError where there is none, MissingExtraError without the driver, SchemaError for tables of another
    version.
    """
    wiring.demand_extra()
    choices = wiring.Choices(serving_dsn=serving_dsn, migration_dsn=migration_dsn, data_dir=data_dir)
    store = wiring.open_chosen_store(choices, wiring.Surroundings.read(), said=remark)
    try:
        yield store
    finally:
        close = getattr(store, "close", None)
        if close is not None:
            close()


def open_embedder(name: str = wiring.DEFAULT_EMBEDDER) -> Embedder:
    """The embedder of a name, as `--embedder` takes it, behind the cache of vectors."""
    wiring.demand_extra()
    return wiring.open_embedder(name, wiring.Surroundings.read())


def open_entailer(name: str) -> Entailer:
    """The entailer of a name, as `--entail` takes it."""
    return wiring.open_entailer(name, wiring.Surroundings.read())


def _demand_threshold(calibration: Calibration | None, embedder: Embedder, policy: TrustPolicy) -> Threshold | None:
    if calibration is None:
        return None
    if policy.is_strict:
        raise UsageError(
            "the strict policy judges by the published calibration of the generation, not by one that is handed in",
            help="leave `calibration` out, or pass `policy=TrustPolicy.development()`",
        )
    if calibration.embedder != embedder.id:
        raise UsageError(
            f"the calibration is of {calibration.embedder}, whose cosines are not those of {embedder.id}",
            help="load the one that was fitted for this embedder",
        )
    return Threshold(calibration.threshold, calibration.scale, rule="given")
