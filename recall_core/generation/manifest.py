"""The corpus that a generation was made from, and its fingerprint."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from recall_core.generation.digest import digest


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """A memo in a manifest: its path and `sha256:` and the digest of its bytes."""

    path: str
    content_hash: str


@dataclass(frozen=True, slots=True)
class Tombstone:
    """What was forgotten: the path and the content, each barred by itself."""

    path: str
    content_hash: str


def build_fingerprint(sources: Iterable[Source], tombstones: Sequence[Tombstone] = ()) -> str:
    """The effective corpus fingerprint: of the memos that no tombstone bars, and of the tombstones that bar one.

    A generation that a memo was forgotten from and one that is rebuilt from the old manifest carry the same: the
    tombstones that count are those whose path or content the manifest holds (BEHAVIOURS H9).
    """
    ordered = sorted(sources)
    paths = {each.path for each in tombstones}
    contents = {each.content_hash for each in tombstones}
    kept = [each for each in ordered if each.path not in paths and each.content_hash not in contents]
    barred = [each for each in ordered if each.path in paths or each.content_hash in contents]
    return combine_fingerprint(kept, [digest([each.path, each.content_hash]) for each in barred])


def combine_fingerprint(kept: Iterable[Source], forgotten: Iterable[str]) -> str:
    """The same, of the memos that are left and the digests of `[path, content hash]` of those that were forgotten."""
    return digest({"memos": [[each.path, each.content_hash] for each in sorted(kept)], "forgotten": sorted(forgotten)})
