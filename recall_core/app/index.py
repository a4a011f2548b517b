"""Build a generation from a corpus, or find that the newest one holds it already."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np

from recall_core.app.corpus import ReadMemo, Refused, list_sources, read_memos
from recall_core.app.embed import Progress, chunk, embed
from recall_core.errors import RefusedError
from recall_core.generation.manifest import Source, build_fingerprint
from recall_core.generation.pipeline import Pipeline
from recall_core.generation.states import COMPLETE, State
from recall_core.generation.stored import StoredMemo
from recall_core.model.escape import encodable
from recall_core.ports.embedder import Embedder
from recall_core.ports.store import Build, BuildPlan, Generation, GenerationStore, MemoRow
from recall_core.ports.view import CorpusView

FEWEST_TO_GUARD = 20
"""A smaller corpus may lose as many memos as it likes."""

_CHUNKS_AT_ONCE = 512
_MEMOS_AT_ONCE = 256
_SERVABLE = (State.ACTIVE, State.READY)


@dataclass(frozen=True, slots=True)
class IndexRequest:
    """What somebody asked for. `rebuild` makes a generation although the corpus is the same."""

    tenant: str
    actor: str
    allow_mass_removal: bool = False
    rebuild: bool = False


@dataclass(frozen=True, slots=True)
class IndexReport:
    """The generation that holds the corpus, whether it is new, and the memos that it has no text of.

    `embedded` and `reused` count the chunks of a new one whose vectors were made, and taken over.
    """

    generation: Generation
    is_new: bool
    refused: tuple[Refused, ...]
    embedded: int = 0
    reused: int = 0


def index(
    view: CorpusView,
    store: GenerationStore,
    embedder: Embedder,
    pipeline: Pipeline,
    request: IndexRequest,
    *,
    now: datetime,
    progress: Progress = lambda _done, _total: None,
) -> IndexReport:
    """Make a generation of the corpus, which is then ready; the active one is not touched.

    A generation that is ready or active, made in the same way from the same memos, is given back as it is. `progress`
    is told the chunks done and, by what the corpus so far amounts to, about how many there will be.

    Raises RefusedError where more than half of the memos that are served are gone, ConflictError as the store does,
    UnavailableError where store or model cannot be reached. A build that ends so is failed.
    """
    sources, size = list_sources(view)
    known = store.generations(request.tenant)
    same = _find_same(known, view, pipeline, build_fingerprint(sources))
    if same is not None and not request.rebuild:
        return IndexReport(same, False, _explain_refused(view, same.refused))
    before = _find_before(known, store, request.tenant)
    if not request.allow_mass_removal:
        _guard(before, sources)
    plan = BuildPlan(pipeline, view.root, view.revision, request.actor, is_fused=embedder.is_fused)
    with store.build(request.tenant, plan) as build:
        work = _Work(view, build, embedder, pipeline, before, _Meter(progress, size), now)
        work.run()
        generation = build.finish()
    return IndexReport(generation, True, tuple(work.refused), work.embedded, work.reused)


def _find_same(
    known: Iterable[Generation], view: CorpusView, pipeline: Pipeline, fingerprint: str
) -> Generation | None:
    """The active generation, else the newest ready one, that holds exactly this corpus."""
    for state in _SERVABLE:
        for each in known:
            same_corpus = each.manifest_fingerprint == fingerprint and each.root == view.root
            if each.state is state and same_corpus and each.pipeline == pipeline:
                return each
    return None


def _explain_refused(view: CorpusView, paths: tuple[str, ...]) -> tuple[Refused, ...]:
    return tuple(read.refused for read in read_memos(view, paths) if read.refused is not None) if paths else ()


def _find_before(known: Iterable[Generation], store: GenerationStore, tenant: str) -> Mapping[str, StoredMemo]:
    """The memos, by path, of the active generation, else of the newest complete one."""
    complete = [each for each in known if each.state in COMPLETE]  # the newest first
    chosen = next((each for each in complete if each.state is State.ACTIVE), next(iter(complete), None))
    if chosen is None:
        return {}
    return {stored.memo.path: stored for stored in store.corpus(tenant, chosen.id)}


def _guard(before: Mapping[str, StoredMemo], sources: Iterable[Source]) -> None:
    gone = sorted(before.keys() - {source.path for source in sources})
    if len(before) < FEWEST_TO_GUARD or 2 * len(gone) <= len(before):
        return
    raise RefusedError(
        f"{len(gone)} of the {len(before)} memos that are indexed are gone, such as `{gone[0]}`; nothing was changed",
        help="is this the right folder, with everything in it? `--allow-mass-removal` goes on without them",
    )


class _Meter:
    """Tells how far a build is: chunks done, and how many there will be if the rest is like what was read."""

    def __init__(self, progress: Progress, size: int) -> None:
        self._progress, self._size = progress, size
        self._read = self._cut = self._done = 0

    def cut(self, size: int, chunks: int) -> None:
        self._read += size
        self._cut += chunks

    def advance(self, chunks: int) -> None:
        self._done += chunks
        rest = max(0, self._size - self._read)
        ahead = self._cut * rest // self._read if self._read else 0
        self._progress(self._done, self._cut + ahead)


@dataclass(slots=True)
class _Work:
    """One build: memos are read, cut, embedded and added, some hundred at a time. `now` is when it began."""

    view: CorpusView
    build: Build
    embedder: Embedder
    pipeline: Pipeline
    before: Mapping[str, StoredMemo]
    meter: _Meter
    now: datetime
    refused: list[Refused] = field(default_factory=list)
    embedded: int = 0
    reused: int = 0
    _recorded: dict[str, datetime | None] = field(init=False)

    def __post_init__(self) -> None:
        # A name that is not UTF-8 is recorded under its bytes, and known here as it is shown.
        entries = self.view.memos
        self._recorded = {encodable(entry.path): self.view.recorded_at(entry.path, self.now) for entry in entries}

    def run(self) -> None:
        for batch in self._batches():
            self.build.add(self._embed(batch))

    def _batches(self) -> Iterator[list[tuple[ReadMemo, MemoRow]]]:
        batch: list[tuple[ReadMemo, MemoRow]] = []
        chunks = 0
        for read in read_memos(self.view):
            row = self._row(read)
            self.meter.cut(read.size, len(row.chunks))
            batch.append((read, row))
            chunks += len(row.chunks)
            if chunks >= _CHUNKS_AT_ONCE or len(batch) >= _MEMOS_AT_ONCE:
                yield batch
                batch, chunks = [], 0
        if batch:
            yield batch

    def _row(self, read: ReadMemo) -> MemoRow:
        if read.refused is not None:
            self.refused.append(read.refused)
        chunks = () if read.refused is not None else chunk(read, self.pipeline)
        columns = 0 if chunks else self.pipeline.dimension  # vectors of chunks are filled in later
        none = np.empty((len(chunks), columns), np.float32)
        reason = read.refused.reason if read.refused is not None else ""
        return MemoRow(read.memo, read.content_hash, self._date(read.memo.path), chunks, none, reason)

    def _date(self, path: str) -> datetime | None:
        """When the memo entered the corpus: never later than what was stored once (BEHAVIOURS C14)."""
        stored = self.before.get(path)
        dates = (self._recorded.get(path), stored.recorded if stored is not None else None)
        return min((date for date in dates if date is not None), default=None)

    def _embed(self, batch: list[tuple[ReadMemo, MemoRow]]) -> list[MemoRow]:
        """The rows with their vectors. Those of a memo whose content is known are taken over."""
        if not self.pipeline.dimension:
            for _, row in batch:
                self.meter.advance(len(row.chunks))
            return [row for _, row in batch]
        # A memo without a title of its own is embedded under its file's name: its content does not tell all.
        titled = [row.content_hash for read, row in batch if row.chunks and read.memo.title]
        known = self.build.known_vectors(titled)
        rows: list[MemoRow] = []
        missing: list[MemoRow] = []
        for _, row in batch:
            vectors = known.get(row.content_hash)
            if vectors is not None and len(vectors) == len(row.chunks):
                rows.append(replace(row, vectors=vectors))
                self.reused += len(row.chunks)
                self.meter.advance(len(row.chunks))
            elif row.chunks:
                missing.append(row)
            else:
                rows.append(row)
        passages = [each.passage for row in missing for each in row.chunks]
        vectors = embed(self.embedder, passages, self.meter.advance)
        self.embedded += len(passages)
        start = 0
        for row in missing:
            end = start + len(row.chunks)
            rows.append(replace(row, vectors=vectors[start:end]))
            start = end
        return rows
