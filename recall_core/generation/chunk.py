"""A memo cut into chunks: what is stored, embedded and shown."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import takewhile

from recall_core.frontmatter.fence import BOM, find_fence
from recall_core.frontmatter.lines import LineTable
from recall_core.generation.cut import cut
from recall_core.generation.outline import Piece, PieceKind, read_outline, shorten_heading
from recall_core.generation.tokens import estimate_tokens

MAX_TOKENS = 256
"""What the default model reads of a text."""

CHUNKER = f"markdown-1:{MAX_TOKENS}"
"""The identity of what this module does, for `Pipeline.chunker`: raise the number whenever other chunks come out."""

_PATH_SIGN = " > "
_MARGIN = 2
"""The tokens that a model puts around every text."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a memo. `ordinal` counts from 0 in its memo, lines from 1 in its file; `end_line` is the last one.

    `text` is what is shown: a slice of the file, as written. `heading` is the path of headings that all of it stands
    under, the memo's title first, joined by ` > `.
    """

    ordinal: int
    text: str
    heading: str
    line: int
    end_line: int

    @property
    def passage(self) -> str:
        """What is embedded: the heading path and the text, since a part seldom says what the whole is about."""
        return f"{self.heading}\n\n{self.text}" if self.heading and self.heading != self.text else self.text


def chunk_memo(
    text: str, *, title: str = "", max_tokens: int = MAX_TOKENS, count: Callable[[str], int] = estimate_tokens
) -> tuple[Chunk, ...]:
    """The chunks of a memo, whose whole text without BOMs is given; the frontmatter is left out (BEHAVIOURS A9).

    Every character of the body that is no blank is in exactly one chunk. A chunk ends before a heading once it is a
    quarter full, else where the next piece would overfill it. Pieces (paragraphs, list items, tables, fenced code) are
    cut only when they alone are too long: prose between sentences, the rest between lines, then between words.

    `title` is the memo's, from its frontmatter or its file name; without it the first level-one heading stands for it.
    A body that says nothing gives one chunk that holds the title, and none where there is no title either. `count`
    gives the tokens of a text; a heading path and its text together keep within `max_tokens`, while the path leaves
    half of it to the text. Raises ValueError where `max_tokens` is below 16.
    """
    if max_tokens < 16:
        raise ValueError("a chunk has at least 16 tokens")
    text = text.lstrip(BOM)
    title = shorten_heading(title)
    pieces = read_outline(text, find_fence(text).body)
    if not title:
        title = next((piece.title for piece in pieces if piece.level == 1), "")
    table = LineTable(text)
    chunks: list[Chunk] = []
    for first, last, path in _pack(text, title, pieces, max_tokens, count):
        start = first + _leading_blanks(text[first:last])
        written = text[start:last].rstrip()
        if not written:
            continue
        line, end_line = table.line(start), table.line(start + len(written) - 1)
        chunks.append(Chunk(len(chunks), written, _PATH_SIGN.join(path), line, end_line))
    if not chunks and title:
        chunks.append(Chunk(0, title, title, 1, 1))
    return tuple(chunks)


def _leading_blanks(written: str) -> int:
    """The length of the blank lines at the start; the indent of the first line with something on it stays."""
    blanks = len(written) - len(written.lstrip())
    return max(written.rfind("\n", 0, blanks), written.rfind("\r", 0, blanks)) + 1


class _Open:
    """The chunk that is being filled."""

    def __init__(self, room: int) -> None:
        self.pieces: list[tuple[Piece, tuple[str, ...]]] = []
        self.tokens = 0
        self.room = room

    @property
    def is_only_headings(self) -> bool:
        """Whether nothing but headings is in it: a chunk of those would be found for what stands elsewhere."""
        return all(piece.level for piece, _ in self.pieces)

    def add(self, piece: Piece, tokens: int, path: tuple[str, ...]) -> None:
        """Take a piece in, and the path of the headings that it stands under."""
        self.pieces.append((piece, path))
        self.tokens += tokens

    def give_back(self) -> list[Piece]:
        """The headings at its end, the last first: they belong to what comes next."""
        given: list[Piece] = []
        while self.pieces[-1][0].level and not self.is_only_headings:
            given.append(self.pieces.pop()[0])
        return given

    def close(self) -> tuple[int, int, tuple[str, ...]]:
        """Where it starts and ends, and the headings that all of it stands under."""
        paths = [path for _, path in self.pieces]
        lowest, highest = min(paths), max(paths)
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(lowest, highest, strict=False)))
        return self.pieces[0][0].start, self.pieces[-1][0].end, lowest[:shared]


def _pack(
    text: str, title: str, pieces: list[Piece], max_tokens: int, count: Callable[[str], int]
) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Fill chunks with pieces: the offsets of each, and its heading path."""
    waiting = pieces[::-1]
    headings: list[tuple[int, str]] = []
    filled: _Open | None = None
    while waiting:
        piece = waiting.pop()
        if piece.level:
            headings = _enter(headings, piece, title)
        path = (*((title,) if title else ()), *(words for _, words in headings))
        if filled is None:
            filled = _Open(max(max_tokens - _MARGIN - count(_PATH_SIGN.join(path)), max_tokens // 2))
        tokens = count(text[piece.start : piece.end])
        is_section = piece.level > 0 and filled.tokens >= max_tokens // 4 and not filled.is_only_headings
        if not is_section and filled.tokens + tokens <= filled.room:
            filled.add(piece, tokens, path)
            continue
        # Code stays whole even where its heading must then stand alone; prose follows its heading.
        must_cut = tokens > filled.room or (filled.is_only_headings and piece.kind is PieceKind.PROSE)
        if must_cut and not is_section and len(parts := cut(text, piece)) > 1:
            waiting.extend(reversed(parts))
        elif filled.pieces:
            waiting.extend((piece, *filled.give_back()))
            yield filled.close()
            filled = None
        else:
            filled.add(piece, tokens, path)
    if filled is not None:
        yield filled.close()


def _enter(headings: list[tuple[int, str]], piece: Piece, title: str) -> list[tuple[int, str]]:
    """The open headings once `piece` has begun. The memo's title is the path's first part and stands there once."""
    above = [each for each in headings if each[0] < piece.level]
    return above if piece.title in ("", title) and piece.level == 1 else [*above, (piece.level, piece.title)]
