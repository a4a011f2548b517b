"""The best cosine of each labelled query in one generation, as a search of it would find it."""

from collections.abc import Iterable
from dataclasses import dataclass

from recall_core.app.embed import Progress, check_vectors
from recall_core.app.search import check_request
from recall_core.calibration.measure import take_sample
from recall_core.calibration.queryset import LabelledQuery, QuerySet
from recall_core.calibration.sample import Sample
from recall_core.calibration.signals import compute_signals
from recall_core.errors import RefusedError, UsageError
from recall_core.generation.states import COMPLETE
from recall_core.ports.embedder import Embedder, Vectors
from recall_core.ports.store import Answer, Generation, GenerationStore, Query, Snapshot

_AT_ONCE = 64
_LIMIT = 5
"""The hits of a search that asks for no other number: a dense leg that is not fused is seen through them alone."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """The samples of a query set, in its order, and the generation as it stood when they were taken.

    `unknown` are paths in the labels that the generation does not have.
    """

    generation: Generation
    samples: tuple[Sample, ...]
    unknown: tuple[str, ...]


def measure(
    store: GenerationStore,
    embedder: Embedder,
    generation: Generation,
    queries: QuerySet,
    *,
    progress: Progress = lambda _done, _total: None,
) -> Measurement:
    """Search for every labelled query in one snapshot, with the candidates that serving has.

    For an unanswerable query the memos in its `relevant_ids` would be the answer: they are withheld. `progress` counts
    two steps a query. Raises as `check_measurable`; EmbedderError and StoreError on an outage.
    """
    check_measurable(generation, embedder)
    entries = list(queries)
    rows: list[Vectors] = []
    for start in range(0, len(entries), _AT_ONCE):
        some = [_fit(entry) for entry in entries[start : start + _AT_ONCE]]
        rows.extend(check_vectors(embedder, embedder.embed_queries(some), len(some)))
        progress(len(rows), 2 * len(entries))
    paths = _list_paths(store, generation)
    samples: list[Sample] = []
    with store.snapshot(generation.tenant, generation.id) as snapshot:
        if snapshot is None:
            raise UsageError(
                f"the generation {generation.id} has no rows any more", help="`recall generation list` shows which have"
            )
        for entry, row in zip(entries, rows, strict=True):
            samples.append(_take(snapshot, embedder, entry, row[None, :], paths))
            progress(len(entries) + len(samples), 2 * len(entries))
        pinned = snapshot.generation
    named = {path for entry in entries for path in entry.relevant_ids}
    return Measurement(pinned, tuple(samples), tuple(sorted(named - paths)))


def check_measurable(generation: Generation, embedder: Embedder) -> None:
    """Refuse what has no cosines of this embedder.

    Raises UsageError for a generation that is no whole corpus, RefusedError for one without vectors or with those of
    another model.
    """
    built = generation.pipeline
    if generation.state not in COMPLETE:
        raise UsageError(
            f"the generation {generation.id} is {generation.state.value}: there is nothing to measure in it",
            help="`recall generation list` shows which are ready, active or retired",
        )
    if not built.dimension:
        raise RefusedError(
            f"the generation {generation.id} was built with the embedder `{built.embedder}`, which makes no vectors:"
            " there is no cosine to place a threshold for",
            help="build one with an embedder that does: `recall index --embedder local`",
        )
    if (built.embedder, built.dimension) != (embedder.id, embedder.dimension):
        raise RefusedError(
            f"the generation {generation.id} was built with the embedder {built.embedder}, and {embedder.id} is chosen"
            " now: their cosines are not comparable",
            help="choose the same with --embedder, or build with the present one: `recall index`",
        )


def _take(snapshot: Snapshot, embedder: Embedder, entry: LabelledQuery, row: Vectors, paths: frozenset[str]) -> Sample:
    withheld = paths.intersection(entry.relevant_ids) if not entry.answerable else frozenset()
    allowed = paths - withheld if withheld else None
    query = Query(_fit(entry), row, _LIMIT, paths=allowed, is_fused=embedder.is_fused, observes=True)
    answer = snapshot.search(query)
    signals = () if answer.observation is None else compute_signals(answer.observation)
    return take_sample(entry, _find_best(answer), signals)


def _fit(entry: LabelledQuery) -> str:
    return check_request(entry.query, _LIMIT)


def _find_best(answer: Answer) -> float | None:
    """The highest cosine of the dense leg; where that is not fused, of the hits."""
    if answer.dense_cosines:
        return answer.dense_cosines[0]
    return max((hit.cosine for hit in answer.hits if hit.cosine is not None), default=None)


def _list_paths(store: GenerationStore, generation: Generation) -> frozenset[str]:
    return frozenset(each.memo.path for each in store.corpus(generation.tenant, generation.id))


def name_unknown(paths: Iterable[str]) -> str:
    """A sentence about paths of labels that are not in the generation; empty without any."""
    named = ", ".join(f"`{path}`" for path in paths)
    return f"the labels name memos that the generation does not have: {named}" if named else ""
