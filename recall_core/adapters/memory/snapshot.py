"""One instant of one generation: all that one search reads."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from recall_core.adapters.memory.contents import NOTHING, Contents
from recall_core.calibration.status import Record
from recall_core.calibration.stored import StoredCalibration
from recall_core.errors import UsageError
from recall_core.generation.stored import StoredMemo
from recall_core.ports.embedder import Vectors
from recall_core.ports.store import MOST_ROWS, Answer, Generation, Query, Retrieved
from recall_core.retrieval.bm25 import Ranking
from recall_core.retrieval.fuse import Fused, fuse


class MemorySnapshot:
    """The contents that a generation had when it was pinned: what happens to it later makes other contents."""

    def __init__(
        self, generation: Generation, contents: Contents, calibrations: Sequence[StoredCalibration] = ()
    ) -> None:
        self._generation = generation
        self._contents = contents
        self._calibrations = calibrations

    @property
    def generation(self) -> Generation:
        """The generation that is pinned."""
        return self._generation

    def calibrations(self, known_at: datetime | None = None) -> Sequence[Record]:
        """What `resolve` decides by; see `Snapshot.calibrations`."""
        if known_at is None:
            return [each.record for each in self._calibrations]
        records = [each.record_at(known_at) for each in self._calibrations]
        return [each for each in records if each is not None]

    def search(self, query: Query) -> Answer:
        """Both legs, fused; see `Snapshot.search`."""
        if not 1 <= query.limit <= MOST_ROWS:
            raise UsageError(f"a search gives between 1 and {MOST_ROWS} rows, and {query.limit} were asked for")
        cosines: NDArray[np.float64] | None = None
        if query.vector is not None:
            self._check_width(query.vector)
            cosines = self._contents.measure(query.vector)
        depth = max(query.depth, query.limit)
        allowed = None if query.paths is None else self._contents.allow(query.paths)
        lexical = self._contents.rank_words(query.text, depth=depth, allowed=allowed)
        dense: Ranking | None = None
        if cosines is not None and query.is_fused:
            dense = self._contents.rank_nearest(cosines, depth=depth, allowed=allowed)
        legs = [lexical] if dense is None else [dense, lexical]
        observation = (
            self._contents.observe(query.text, NOTHING if dense is None else dense, lexical) if query.observes else None
        )
        best = fuse([leg.numbers.tolist() for leg in legs])[: query.limit]
        return Answer(
            self._generation,
            self._retrieve(best, cosines, lexical, has_dense=dense is not None),
            tuple((NOTHING if dense is None else dense).scores.tolist()),
            observation=observation,
        )

    def memos(self, paths: Iterable[str]) -> Mapping[str, StoredMemo]:
        """The memos at some paths, by path; unknown ones are left out."""
        memos = self._contents.memos
        return {path: memos[path] for path in sorted(set(paths)) if path in memos}

    def best_chunks(self, paths: Iterable[str], vector: Vectors) -> Mapping[str, Retrieved]:
        """For each path the chunk with the highest cosine to the one row of `vector`."""
        self._check_width(vector)
        cosines = self._contents.measure(vector)
        best: dict[str, Retrieved] = {}
        for path in sorted(set(paths)):
            if numbers := self._contents.numbers.get(path):
                number = max(numbers, key=lambda each: (cosines[each], -each))
                best[path] = self._build(number, cosine=float(cosines[number]))
        return best

    def _check_width(self, vector: Vectors) -> None:
        width = self._generation.pipeline.dimension
        if vector.size != width:
            raise UsageError(
                f"the query's vector has {vector.size} numbers, and those of the generation {self._generation.id} have"
                f" {width}"
            )

    def _retrieve(
        self, best: Iterable[Fused], cosines: NDArray[np.float64] | None, lexical: Ranking, *, has_dense: bool
    ) -> tuple[Retrieved, ...]:
        scores = dict(zip(lexical.numbers.tolist(), lexical.scores.tolist(), strict=True))
        return tuple(
            self._build(
                each.number,
                cosine=None if cosines is None else float(cosines[each.number]),
                lexical=scores.get(each.number),
                dense_rank=each.ranks[0] if has_dense else None,
                lexical_rank=each.ranks[-1],
            )
            for each in best
        )

    def _build(
        self,
        number: int,
        *,
        cosine: float | None,
        lexical: float | None = None,
        dense_rank: int | None = None,
        lexical_rank: int | None = None,
    ) -> Retrieved:
        place = self._contents.places[number]
        memo = self._contents.memos[place.path]
        return Retrieved(memo, place.chunk, cosine, lexical, dense_rank, lexical_rank, self._generation.created_at)
