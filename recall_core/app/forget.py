"""Forget memos: in every generation, in the caches, and for whatever is built later."""

import hashlib
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from recall_core.errors import UsageError
from recall_core.generation.states import COMPLETE
from recall_core.ports.store import MOST_ROWS, Forgotten, Generation, GenerationStore, Query

Purge = Callable[[Sequence[str]], None]
"""Takes vectors out of a cache, by the hexadecimal SHA-256 of the passages that they were made of."""

IN_HISTORY = "Git history still holds the file: whoever has a clone can read it (`git filter-repo` rewrites history)"


def forget(
    store: GenerationStore, tenant: str, paths: Sequence[str], *, actor: str, dry_run: bool, purge: Purge
) -> Forgotten:
    """Take memos out of every generation and bar their paths and contents; with `dry_run` only say what would go.

    The caches are purged before the rows go: what a cut-off run leaves can be found and forgotten again. Raises
    UsageError for a name that no memo has, so that nothing is half done.
    """
    names = list(dict.fromkeys(paths))
    found = store.forget(tenant, names, actor=actor, dry_run=True)
    if dry_run:
        return found
    if found.unknown:
        named = ", ".join(f"`{path}`" for path in found.unknown)
        raise UsageError(
            f"no memo of the tenant `{tenant}` is called {named}; nothing was forgotten",
            help="write paths as search shows them, relative to the root of the corpus",
        )
    digests = {digest_passage(passage) for passage in _passages(store, tenant, found.paths)}
    purge(sorted(digests))
    return store.forget(tenant, names, actor=actor, dry_run=False)


def digest_passage(passage: str) -> str:
    """The name under which a cache keeps the vector of a passage."""
    return hashlib.sha256(passage.encode("utf-8", "surrogatepass")).hexdigest()


def _passages(store: GenerationStore, tenant: str, paths: Sequence[str]) -> Iterator[str]:
    """The passages of the memos in every generation that has vectors: only those can be in a cache."""
    for generation in store.generations(tenant):
        if generation.state in COMPLETE and generation.pipeline.dimension:
            for path in paths:
                yield from _passages_of(store, tenant, generation, path)


def _passages_of(store: GenerationStore, tenant: str, generation: Generation, path: str) -> Iterator[str]:
    # Every chunk is some distance from any vector, so a search that only this memo may answer gives all that it has.
    anywhere = np.zeros((1, generation.pipeline.dimension), np.float32)
    anywhere[0, 0] = 1
    query = Query("", anywhere, MOST_ROWS, depth=MOST_ROWS, paths=frozenset({path}), is_fused=True)
    with store.snapshot(tenant, generation.id) as snapshot:
        if snapshot is not None:
            yield from (hit.chunk.passage for hit in snapshot.search(query).hits)
