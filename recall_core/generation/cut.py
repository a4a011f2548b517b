"""A piece that is too long for a chunk, cut where it hurts least."""

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import assert_never

from recall_core.generation.outline import Piece, PieceKind
from recall_core.prose.layout import BlockKind, level_line_ends
from recall_core.prose.sentences import split_block

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_WORD = re.compile(r"\s*\S+\s*")
_LETTERS_TOGETHER = 8
"""How long a part of a word without end is: at most one token a character, it fits into any chunk."""


def cut(text: str, piece: Piece) -> list[Piece]:
    """The parts of a piece, which together are the piece; itself where it cannot be cut further."""
    kind: PieceKind | None = piece.kind
    parts = [piece]
    while len(parts) == 1 and kind is not None:
        parts, kind = _cut_once(text, piece, kind)
    return parts


def _cut_once(text: str, piece: Piece, kind: PieceKind) -> tuple[list[Piece], PieceKind | None]:
    """The parts at this kind's places, and the kind of those parts, whose places come next."""
    match kind:
        case PieceKind.PROSE:
            return _between(piece, _sentence_starts(text, piece), PieceKind.RUN), PieceKind.RUN
        case PieceKind.LINES:
            starts = (match.start() for match in _LINE.finditer(text, piece.start, piece.end))
            return _between(piece, starts, PieceKind.RUN), PieceKind.RUN
        case PieceKind.RUN | PieceKind.HEADING:
            starts = (match.start() for match in _WORD.finditer(text, piece.start, piece.end))
            return _between(piece, starts, PieceKind.WORD), PieceKind.WORD
        case PieceKind.WORD:
            return _between(piece, range(piece.start, piece.end, _LETTERS_TOGETHER), PieceKind.WORD), None
        case _:
            assert_never(kind)


def _sentence_starts(text: str, piece: Piece) -> Iterable[int]:
    written = level_line_ends(text[piece.start : piece.end])
    return (piece.start + start for start, _ in split_block(written, written, BlockKind.PARAGRAPH))


def _between(piece: Piece, starts: Iterable[int], kind: PieceKind) -> list[Piece]:
    """The piece cut at these offsets, in order; what stands before the first belongs to it."""
    inner = [start for start in starts if piece.start < start < piece.end]
    edges = [piece.start, *dict.fromkeys(inner), piece.end]
    return [Piece(start, end, kind) for start, end in pairwise(edges)]
