"""Rows to values and back."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Final

import numpy as np

from recall_core.generation.chunk import Chunk
from recall_core.generation.digest import canonical_json
from recall_core.generation.pipeline import Pipeline
from recall_core.generation.states import COMPLETE, State
from recall_core.generation.stored import StoredMemo, Successor
from recall_core.model.memo import Bound, Memo, Reference, Style
from recall_core.model.span import Span
from recall_core.ports.embedder import Vectors
from recall_core.ports.store import Generation

SEGMENT: Final = 16_384
"""How many chunks a segment of postings and lengths covers."""

EXACT_ROWS: Final = 10_000
"""Up to as many vectors are scanned one by one; an approximate index is made above."""

GENERATION: Final = (
    "g.id, g.tenant_id, g.state, g.embedder, g.dimension, g.chunker, g.text_search, g.schema_version, g.root,"
    " g.revision, g.manifest_fingerprint, g.corpus_fingerprint, g.created_at, g.promoted_at, g.memos, g.chunks,"
    " g.refused, g.terms, g.is_indexed, g.has_rows, g.promoted_over, g.forgotten"
)
"""The columns of `Record`, of a table `recall.generation g`."""

MEMO: Final = "m.path, m.memo, m.content_hash, m.recorded, m.ambiguous"
CHUNK: Final = "c.number, c.path, c.ordinal, c.body, c.heading, c.line, c.end_line"


@dataclass(frozen=True, slots=True)
class Record:
    """A generation with what the store alone knows of it. `terms` counts the lexemes of all chunks together."""

    generation: Generation
    terms: int
    is_indexed: bool
    has_rows: bool
    promoted_over: str | None
    forgotten: tuple[str, ...]

    @property
    def is_complete(self) -> bool:
        """Whether it can be searched: a whole corpus whose rows are there."""
        return self.has_rows and self.generation.state in COMPLETE


def read_generation(row: Sequence[Any]) -> Record:
    """The values of the columns `GENERATION`."""
    generation = Generation(
        id=row[0],
        tenant=row[1],
        state=State(row[2]),
        pipeline=Pipeline(row[3], row[4], row[5], row[6], row[7]),
        root=row[8],
        revision=row[9],
        manifest_fingerprint=row[10],
        corpus_fingerprint=row[11],
        created_at=utc(row[12]),
        promoted_at=None if row[13] is None else utc(row[13]),
        memos=row[14],
        chunks=row[15],
        refused=tuple(row[16]),
    )
    return Record(generation, int(row[17]), row[18], row[19], row[20], tuple(row[21]))


def read_memo(row: Sequence[Any], successors: Sequence[Successor]) -> StoredMemo:
    """The values of the columns `MEMO`, with the successors of that memo."""
    return StoredMemo(decode_memo(row[1]), row[2], None if row[3] is None else utc(row[3]), row[4], tuple(successors))


def read_chunk(row: Sequence[Any]) -> Chunk:
    """The values of the columns `CHUNK`, without number and path."""
    return Chunk(ordinal=row[2], text=row[3], heading=row[4], line=row[5], end_line=row[6])


def utc(instant: datetime) -> datetime:
    """The same instant in UTC."""
    return instant.astimezone(UTC)


def encode_memo(memo: Memo) -> str:
    """A memo as JSON in ASCII, without its problems: a generation keeps what a memo declares."""
    return canonical_json(
        {
            "path": memo.path,
            "key": memo.key,
            "title": memo.title,
            "label": memo.label,
            "readable": memo.readable,
            "block_end": memo.block_end,
            "supersedes": [
                [each.written, each.value, list(each.span), each.style.value, each.key, each.name, each.part]
                for each in memo.supersedes
            ],
            "valid_from": _encode_bound(memo.valid_from),
            "valid_until": _encode_bound(memo.valid_until),
        }
    )


def decode_memo(text: str) -> Memo:
    """What `encode_memo` wrote."""
    fields = json.loads(text)
    return Memo(
        path=fields["path"],
        key=fields["key"],
        title=fields["title"],
        label=fields["label"],
        readable=fields["readable"],
        block_end=fields["block_end"],
        supersedes=tuple(
            Reference(written, value, Span(*span), Style(style), key, name, part)
            for written, value, span, style, key, name, part in fields["supersedes"]
        ),
        valid_from=_decode_bound(fields["valid_from"]),
        valid_until=_decode_bound(fields["valid_until"]),
    )


def _encode_bound(bound: Bound | None) -> list[Any] | None:
    if bound is None:
        return None
    return [bound.written, None if bound.day is None else bound.day.isoformat(), list(bound.span), bound.value]


def _decode_bound(fields: list[Any] | None) -> Bound | None:
    if fields is None:
        return None
    written, day, span, value = fields
    return Bound(written, None if day is None else date.fromisoformat(day), Span(*span), value)


def write_vector(vectors: Vectors) -> str:
    """One row as the server reads a vector."""
    return f"[{','.join(map(repr, vectors.reshape(-1).tolist()))}]"


def read_vector(sent: bytes) -> "np.ndarray[Any, np.dtype[np.float32]]":
    """What `vector_send` gave: two int16 and the numbers, in network order."""
    return np.frombuffer(sent, dtype=">f4", offset=4).astype(np.float32)
