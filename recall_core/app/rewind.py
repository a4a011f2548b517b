"""A generation as it was known at an instant: memos that came later replace nothing, and make nothing ambiguous."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from recall_core.generation.stored import StoredMemo, resolve_memos
from recall_core.graph.evaluate import as_utc
from recall_core.ports.store import Retrieved


def resolve_known(corpus: Iterable[StoredMemo], known_at: datetime) -> dict[str, StoredMemo]:
    """By path the memos of `corpus` that were recorded by `known_at`, resolved among each other alone.

    What was replaced by a later memo may then be replaced by an earlier one, or by none. A memo whose time is unknown
    counts as known. Linear in the corpus.
    """
    instant = as_utc(known_at)
    known = [each for each in corpus if each.recorded is None or as_utc(each.recorded) <= instant]
    resolved = resolve_memos((each.memo, each.content_hash, each.recorded) for each in known)
    return {each.memo.path: each for each in resolved}


def rewind(hits: Iterable[Retrieved], known: Mapping[str, StoredMemo]) -> tuple[Retrieved, ...]:
    """The hits with their memos as `resolve_known` gives them; one that was not known itself is replaced by nothing."""
    return tuple(
        replace(hit, memo=known.get(hit.memo.memo.path) or replace(hit.memo, ambiguous=False, successors=()))
        for hit in hits
    )
