"""Search one generation: first the gate, then retrieval, then the judgement."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from recall_core.app.answer import Refusal, SearchResult, Staleness, Value
from recall_core.app.embed import check_vectors
from recall_core.app.judge import judge_unverified
from recall_core.app.mode import Mode
from recall_core.app.promote import find_generation
from recall_core.errors import UnavailableError, UsageError
from recall_core.generation.pipeline import Pipeline
from recall_core.generation.states import COMPLETE
from recall_core.ports.embedder import Embedder, Vectors
from recall_core.ports.store import MOST_ROWS, Answer, Generation, GenerationStore, Query, Snapshot

NO_DECISION = "no trustworthy decision was possible"
"""How every refusal begins: it says nothing about what the corpus holds."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A question. `at` is the valid instant and `at_written` how it was given; `known_at` likewise, None for now.

    `generation` is an id, or None for the active one.
    """

    query: str
    k: int
    at: datetime
    at_written: str
    known_at: datetime | None
    known_at_written: str | None
    generation: str | None
    tenant: str
    mode: Mode
    max_age: timedelta


@dataclass(frozen=True, slots=True)
class Tools:
    """What a search works with, opened when it is asked for: both calls may raise UnavailableError.

    `pipeline` gives the identity of the rows that an embedder would make today.
    """

    store: Callable[[], GenerationStore]
    embedder: Callable[[], Embedder]
    pipeline: Callable[[Embedder], Pipeline]


def check_request(query: str, k: int) -> str:
    """The query, fit to be sent to a store. Raises UsageError where it is empty, or `k` no number of hits."""
    if not query.strip():
        raise UsageError("an empty query asks nothing", help='`recall search "how long do we keep backups"`')
    if not 1 <= k <= MOST_ROWS:
        raise UsageError(f"-k must lie between 1 and {MOST_ROWS}, and is {k}")
    return query.replace("\0", " ").encode("utf-8", "replace").decode()


def search(request: SearchRequest, tools: Tools, *, now: datetime) -> SearchResult | Refusal:
    """The judged hits, or a refusal with the first code that holds. Nothing is retrieved before the gate is passed.

    Raises UsageError for a query, a `k` or a generation that is none.
    """
    query = check_request(request.query, request.k)
    try:
        store = tools.store()
        embedder = tools.embedder()
        generation = _find(store, request)
        if generation is None:
            return _refuse(request, None, "INDEX_NOT_READY", "`recall index --promote` builds and promotes one")
        if (refusal := _check_gate(request, generation, tools.pipeline(embedder))) is not None:
            return refusal
        vector = _embed(embedder, query)
        with store.snapshot(request.tenant, generation.id) as snapshot:
            if snapshot is None:
                return _refuse(request, None, "INDEX_NOT_READY", "it was retired just now: ask again")
            answer = snapshot.search(Query(query, vector, request.k, is_fused=embedder.is_fused))
            return _judge(request, snapshot, answer, embedder, now)
    except UnavailableError as error:
        advice = f"{error.message}; {error.help}" if error.help else error.message
        return _refuse(request, None, "DEPENDENCY_UNAVAILABLE", advice)


def _find(store: GenerationStore, request: SearchRequest) -> Generation | None:
    if request.generation is None:
        return store.active(request.tenant)
    found = find_generation(store, request.tenant, request.generation)
    if found.state not in COMPLETE:
        raise UsageError(f"the generation {found.id} is {found.state.value}: there is nothing to search in it")
    return found


def _check_gate(request: SearchRequest, generation: Generation, serving: Pipeline) -> Refusal | None:
    """What keeps this generation from being searched, in the order of the contract. No retrieval happens here."""
    if generation.pipeline != serving:
        advice = f"it was built {_difference(generation.pipeline, serving)}; `recall index --promote` builds it anew"
        return _refuse(request, generation, "LINEAGE_MISMATCH", advice)
    if request.mode is Mode.STRICT:
        advice = (
            "`recall calibrate --queries FILE --publish` measures it on questions of yours; "
            "RECALL_TRUST_MODE=development answers unverified"
        )
        return _refuse(request, generation, "CALIBRATION_MISSING", advice)
    return None


def _difference(built: Pipeline, serving: Pipeline) -> str:
    if (built.embedder, built.dimension) != (serving.embedder, serving.dimension):
        return f"with the embedder {built.embedder}, and {serving.embedder} is chosen now (`--embedder`)"
    differing = [name for name, value in built.to_json().items() if serving.to_json()[name] != value]
    return f"by another version ({', '.join(differing)})"


def _embed(embedder: Embedder, query: str) -> Vectors | None:
    return check_vectors(embedder, embedder.embed_queries([query]), 1) if embedder.dimension else None


def _judge(
    request: SearchRequest, snapshot: Snapshot, answer: Answer, embedder: Embedder, now: datetime
) -> SearchResult:
    """The one place that turns what was retrieved into an answer."""
    judged = judge_unverified(answer.hits, snapshot, at=request.at, known_at=request.known_at)
    generation = answer.generation
    diagnostics: dict[str, Value] = {
        "embedder": embedder.id,
        "dense": bool(embedder.dimension),
        "fused": embedder.is_fused,
        "retrieved": len(answer.hits),
        "highest_cosine": answer.dense_cosines[0] if answer.dense_cosines else None,
        "notes": list(answer.notes),
    }
    return SearchResult(
        request.query,
        request.k,
        request.at_written,
        request.known_at_written,
        request.mode,
        generation,
        judged,
        calibration_id=None,
        calibration_status="missing",
        query_set_digest=None,
        failure_code="CALIBRATION_MISSING",
        staleness=Staleness(generation.created_at, now - generation.created_at, request.max_age),
        diagnostics=diagnostics,
        notes=answer.notes,
    )


def _refuse(request: SearchRequest, generation: Generation | None, code: str, remedy: str) -> Refusal:
    status = "missing" if code == "CALIBRATION_MISSING" else "unknown"
    identity = generation.id if generation is not None else None
    return Refusal(code, status, f"{NO_DECISION}: {remedy}", request.tenant, identity)
