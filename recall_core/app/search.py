"""Search one generation: first the gate, then retrieval, then the judgment."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from recall_core.app.answer import Refused, SearchResult, Value
from recall_core.app.embed import check_vectors
from recall_core.app.gate import Examined, examine, examine_nothing
from recall_core.app.promote import find_generation
from recall_core.app.rewind import resolve_known, rewind
from recall_core.calibration.artifact import Artifact
from recall_core.calibration.signals import Observation, compute_signals
from recall_core.errors import StoreError, UnavailableError, UsageError
from recall_core.generation.pipeline import Pipeline
from recall_core.generation.states import COMPLETE
from recall_core.generation.stored import StoredMemo
from recall_core.ports.embedder import Embedder, Vectors
from recall_core.ports.store import MOST_ROWS, Answer, Generation, GenerationStore, Query, Retrieved, Snapshot
from recall_core.trust.entail import Entailer, apply_entailment
from recall_core.trust.grounds import Grounds
from recall_core.trust.instants import Instants
from recall_core.trust.judge import judge
from recall_core.trust.policy import TrustPolicy
from recall_core.trust.promote import find_missing_successors
from recall_core.trust.result import TrustResult
from recall_core.trust.threshold import Threshold


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A question. `at` is the valid instant and `at_written` how it was given; `known_at` likewise, None for now.

    `generation` is an id, or None for the active one. `threshold` is one of the asker's own, for development mode
    alone: the strict policy judges by what is published.
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
    threshold: Threshold | None = None


@dataclass(frozen=True, slots=True)
class Tools:
    """What a search works with, opened when it is asked for: each call may raise UnavailableError.

    `pipeline` gives the identity of the rows that an embedder would make today. Without `entailer` no hit is asked
    whether it answers.
    """

    store: Callable[[], GenerationStore]
    embedder: Callable[[], Embedder]
    pipeline: Callable[[Embedder], Pipeline]
    entailer: Callable[[], Entailer] | None = None


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
        entailer = tools.entailer() if tools.entailer is not None else None
        store = tools.store()
        embedder = tools.embedder()
        asked = _find(store, request) if request.generation is not None else None
        with store.snapshot(request.tenant, asked) as snapshot:
            if snapshot is None:
                grounds = examine_nothing(request.policy, request.tenant, is_reachable=True)
                return _refuse(grounds, f"{asked} was retired just now" if asked is not None else "")
            records = snapshot.calibrations(request.known_at)
            serving = tools.pipeline(embedder)
            examined = examine(request.policy, snapshot.generation, records, serving, known_at=request.known_at)
            if examined.grounds.refusal is not None:
                return _refuse(examined.grounds, examined.detail)
            moves = examined.artifact is not None and examined.artifact.evidence is not None
            found = _retrieve(request, query, store, snapshot, embedder, observes=moves)
            return _judge(request, found, examined, embedder=embedder, entailer=entailer, now=now)
    except UnavailableError as error:
        detail = f"{error.message}; {error.help}" if error.help else error.message
        return _refuse(examine_nothing(request.policy, request.tenant, is_reachable=False), detail)


def _find(store: GenerationStore, request: SearchRequest) -> str:
    """The whole id of the generation that is asked for by name."""
    found = find_generation(store, request.tenant, request.generation or "")
    if found.state not in COMPLETE:
        raise UsageError(f"the generation {found.id} is {found.state.value}: there is nothing to search in it")
    return found.id


def _refuse(grounds: Grounds, detail: str) -> Refused:
    refusal = grounds.refusal
    if refusal is None:
        raise AssertionError("only grounds that the gate refuses are refused")
    return Refused(refusal, detail)


@dataclass(frozen=True, slots=True)
class _Found:
    """What was retrieved, and how successors are looked up. `known` has the memos as they were known at an instant."""

    query: str
    answer: Answer
    hits: tuple[Retrieved, ...]
    vector: Vectors | None
    snapshot: Snapshot
    known: Mapping[str, StoredMemo] | None
    notes: tuple[str, ...]

    def fetch(self, paths: tuple[str, ...]) -> tuple[Retrieved, ...]:
        """The nearest chunk of each memo, in the order of `paths`; those without an embedding are left out."""
        if not paths or self.vector is None:
            return ()
        best = self.snapshot.best_chunks(paths, self.vector)
        found = (best[path] for path in paths if path in best)
        return tuple(found) if self.known is None else rewind(found, self.known)

    def look_up(self) -> Mapping[str, StoredMemo]:
        """What is known of the successors of all hits; they came with the search."""
        paths = {successor.path for hit in self.hits for successor in hit.memo.successors}
        if self.known is not None:
            return {path: self.known[path] for path in paths if path in self.known}
        return self.snapshot.memos(paths) if paths else {}


def _retrieve(
    request: SearchRequest,
    query: str,
    store: GenerationStore,
    snapshot: Snapshot,
    embedder: Embedder,
    *,
    observes: bool,
) -> _Found:
    generation = snapshot.generation
    notes: list[str] = []
    vector = _embed(embedder, generation, query, notes)
    answer = snapshot.search(Query(query, vector, request.k, is_fused=embedder.is_fused, observes=observes))
    hits, known = answer.hits, None
    if request.known_at is not None and hits:
        known = resolve_known(store.corpus(request.tenant, generation.id), request.known_at)
        hits = rewind(hits, known)
    return _Found(query, answer, hits, vector, snapshot, known, (*notes, *answer.notes))


def _embed(embedder: Embedder, generation: Generation, query: str, notes: list[str]) -> Vectors | None:
    """The query's row; None where the generation has no vectors, or those of another model: these are never mixed."""
    built = generation.pipeline
    if (built.embedder, built.dimension) != (embedder.id, embedder.dimension):
        notes.append(f"searched by words alone: the vectors are of {built.embedder}, and {embedder.id} is chosen now")
        return None
    return check_vectors(embedder, embedder.embed_queries([query]), 1) if embedder.dimension else None


def _judge(
    request: SearchRequest,
    found: _Found,
    examined: Examined,
    *,
    embedder: Embedder,
    entailer: Entailer | None,
    now: datetime,
) -> SearchResult:
    """The one place that turns what was retrieved into an answer."""
    answer, instants = found.answer, Instants(request.at, now, request.known_at)
    threshold = examined.grounds.choose_threshold(_choose_threshold(request, examined.artifact, answer.observation))
    judged = judge(
        found.hits,
        grounds=examined.grounds,
        threshold=threshold,
        instants=instants,
        fetched=found.fetch(find_missing_successors(found.hits, instants, threshold)),
        standings=found.look_up() if threshold is not None else {},
        dense_cosines=answer.dense_cosines,
        newest=answer.generation.created_at,
        max_age=request.max_age,
    )
    if entailer is not None:
        judged = apply_entailment(judged, found.query, entailer)
    return _describe(request, found, judged, embedder)


def _choose_threshold(
    request: SearchRequest, artifact: Artifact | None, observation: Observation | None
) -> Threshold | None:
    """The asker's own in development mode, else the artifact's for this query; None where there is neither."""
    if request.threshold is not None and not request.policy.is_strict:
        return request.threshold
    if artifact is None:
        return None
    moves = artifact.evidence is not None
    if moves and observation is None:
        raise StoreError("the store did not observe what the threshold depends on")
    return Threshold(
        artifact.threshold_for(compute_signals(observation)) if moves and observation else artifact.threshold,
        artifact.placement.scale,
        rule=str(artifact.rule),
        calibration_id=artifact.id,
        published=artifact.threshold,
    )


def _describe(request: SearchRequest, found: _Found, judged: TrustResult, embedder: Embedder) -> SearchResult:
    answer = found.answer
    diagnostics: dict[str, Value] = {
        "embedder": embedder.id,
        "dense": bool(answer.dense_cosines),
        "fused": embedder.is_fused,
        "retrieved": len(answer.hits),
        "highest_cosine": answer.dense_cosines[0] if answer.dense_cosines else None,
        "notes": list(found.notes),
    }
    written = (request.at_written, request.known_at_written)
    return SearchResult(request.query, request.k, *written, answer.generation, judged, diagnostics, found.notes)
