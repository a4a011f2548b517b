"""Search one generation: first the gate, then retrieval, then the judgment."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from recall_core.app.answer import Refused, SearchResult, Value
from recall_core.app.embed import check_vectors
from recall_core.app.promote import find_generation
from recall_core.app.rewind import rewind
from recall_core.errors import UnavailableError, UsageError
from recall_core.generation.pipeline import Pipeline
from recall_core.generation.states import COMPLETE
from recall_core.ports.embedder import Embedder, Vectors
from recall_core.ports.store import MOST_ROWS, Answer, Generation, GenerationStore, Query
from recall_core.trust.grounds import Grounds
from recall_core.trust.instants import Instants
from recall_core.trust.judge import judge
from recall_core.trust.policy import CalibrationStatus, Readiness, TrustPolicy


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
    policy: TrustPolicy
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


def search(request: SearchRequest, tools: Tools, *, now: datetime) -> SearchResult | Refused:
    """The judged hits, or a refusal with the first code that holds. Nothing is retrieved before the gate is passed.

    Raises UsageError for a query, a `k` or a generation that is none.
    """
    query = check_request(request.query, request.k)
    try:
        store = tools.store()
        embedder = tools.embedder()
        generation = _find(store, request)
        serving = tools.pipeline(embedder)
        grounds = _prepare(request, generation, serving)
        if generation is None or grounds.refusal is not None:
            return _refuse(grounds, _tell_difference(generation, serving))
        notes: list[str] = []
        query_row = _embed(embedder, generation, query, notes)
        with store.snapshot(request.tenant, generation.id) as snapshot:
            if snapshot is None:
                return _refuse(_prepare(request, None, serving), f"{generation.id} was retired just now")
            answer = snapshot.search(Query(query, query_row, request.k, is_fused=embedder.is_fused))
            if request.known_at is not None and answer.hits:
                corpus = store.corpus(request.tenant, generation.id)
                answer = replace(answer, hits=rewind(answer.hits, corpus, request.known_at))
            return _judge(request, replace(answer, notes=(*notes, *answer.notes)), grounds, embedder, now)
    except UnavailableError as error:
        readiness = Readiness(False, False, False, CalibrationStatus.UNKNOWN)
        detail = f"{error.message}; {error.help}" if error.help else error.message
        return _refuse(Grounds(request.policy, readiness, request.tenant), detail)


def _find(store: GenerationStore, request: SearchRequest) -> Generation | None:
    if request.generation is None:
        return store.active(request.tenant)
    found = find_generation(store, request.tenant, request.generation)
    if found.state not in COMPLETE:
        raise UsageError(f"the generation {found.id} is {found.state.value}: there is nothing to search in it")
    return found


def _prepare(request: SearchRequest, generation: Generation | None, serving: Pipeline) -> Grounds:
    """What the gate is asked about a generation of a store that answers. No calibration is looked for yet."""
    if generation is None:
        return Grounds(request.policy, Readiness(True, False, False, CalibrationStatus.UNKNOWN), request.tenant)
    return Grounds(
        request.policy,
        Readiness(True, True, generation.pipeline == serving, CalibrationStatus.MISSING),
        request.tenant,
        generation.id,
        source=f"{generation.root}@{generation.revision}",
        pipeline_fingerprint=generation.pipeline.fingerprint,
        corpus_fingerprint=generation.corpus_fingerprint,
    )


def _refuse(grounds: Grounds, detail: str) -> Refused:
    refusal = grounds.refusal
    if refusal is None:
        raise AssertionError("only grounds that the gate refuses are refused")
    return Refused(refusal, detail)


def _tell_difference(generation: Generation | None, serving: Pipeline) -> str:
    """What of the pipeline is another than when the generation was built; empty where nothing is."""
    if generation is None or generation.pipeline == serving:
        return ""
    built = generation.pipeline
    if _has_same_vectors(built, serving):
        differing = [name for name, value in built.to_json().items() if serving.to_json()[name] != value]
        return f"{generation.id} was built by another version ({', '.join(differing)})"
    return f"{generation.id} was built with the embedder {built.embedder}, and {serving.embedder} is chosen now"


def _has_same_vectors(built: Pipeline, serving: Pipeline) -> bool:
    return (built.embedder, built.dimension) == (serving.embedder, serving.dimension)


def _embed(embedder: Embedder, generation: Generation, query: str, notes: list[str]) -> Vectors | None:
    """The query's row; None where the generation has no vectors, or those of another model: these are never mixed."""
    built = generation.pipeline
    if (built.embedder, built.dimension) != (embedder.id, embedder.dimension):
        notes.append(f"searched by words alone: the vectors are of {built.embedder}, and {embedder.id} is chosen now")
        return None
    return check_vectors(embedder, embedder.embed_queries([query]), 1) if embedder.dimension else None


def _judge(request: SearchRequest, answer: Answer, grounds: Grounds, embedder: Embedder, now: datetime) -> SearchResult:
    """The one place that turns what was retrieved into an answer. There is no threshold yet to judge by."""
    generation = answer.generation
    judged = judge(
        answer.hits,
        grounds=grounds,
        threshold=None,
        instants=Instants(request.at, now, request.known_at),
        dense_cosines=answer.dense_cosines,
        newest=generation.created_at,
        max_age=request.max_age,
    )
    diagnostics: dict[str, Value] = {
        "embedder": embedder.id,
        "dense": bool(answer.dense_cosines),
        "fused": embedder.is_fused,
        "retrieved": len(answer.hits),
        "highest_cosine": answer.dense_cosines[0] if answer.dense_cosines else None,
        "notes": list(answer.notes),
    }
    written = (request.at_written, request.known_at_written)
    return SearchResult(request.query, request.k, *written, generation, judged, diagnostics, answer.notes)
