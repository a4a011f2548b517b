"""A sentence with each reference as one sign and this memo as another, so that patterns over it stay short.

In a reduced sentence OTHER stands for another memo, MISSING for what looks like a memo and names none, AMBIGUOUS for
what names several, SELF for this memo (`this ADR`, its own name), and WEAK for what may be this memo (`this design`).
"""

# ruff: noqa: E501 - a pattern is read as one line

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from recall_core.model.memo import Memo
from recall_core.prose.layout import Block
from recall_core.prose.link import Link, LinkKind
from recall_core.prose.markers import lower_in_place
from recall_core.prose.mentions import find_tokens
from recall_core.prose.names import Names
from recall_core.prose.tables import fold
from recall_core.prose.words import NOUNS, WEAK_NOUNS

OTHER, MISSING, AMBIGUOUS, SELF, WEAK = "\ue000", "\ue001", "\ue002", "\ue003", "\ue004"


MIN_TITLE, MAX_TITLE = 3, 200
"""A text in quotes is looked up as a title where its length lies between these."""


class Mentioned(NamedTuple):
    """A reference in a block: half-open offsets in the block, its sign, the text to show, and the memos' paths.

    `names_part` tells a link with an anchor, which names a section.
    """

    start: int
    end: int
    sign: str
    written: str
    paths: tuple[str, ...] = ()
    names_part: bool = False


class Reduced(NamedTuple):
    """A sentence to match patterns on: `text`, `low` in lower case, where each character stood, and the references."""

    text: str
    low: str
    offsets: tuple[int, ...]
    mentioned: dict[int, Mentioned]
    breaks: frozenset[int] = frozenset()
    """Where in `text` a line ends."""

    def around(self, start: int, end: int, reach: int) -> tuple["Reduced", int]:
        """The part that reaches this far to both sides of a place, and where it begins."""
        first, last = max(0, start - reach), min(len(self.text), end + reach)
        mentioned = {index - first: each for index, each in self.mentioned.items() if first <= index < last}
        part = Reduced(self.text[first:last], self.low[first:last], self.offsets[first:last], mentioned)
        return part, first

    def at(self, offset: int) -> int:
        """The place in `text` of the character at an offset of the block, or of the next one that was kept."""
        return bisect_left(self.offsets, offset)


class Reader:
    """Finds the references in the blocks of one memo."""

    def __init__(self, memo: Memo, names: Names) -> None:
        self._memo = memo
        self._names = names
        self._own = _own_patterns(tuple(sorted(names.kinds)))

    def find(self, block: Block, prose: str, written: str, links: Sequence[Link]) -> list[Mentioned]:
        """Every reference in a block, in order and without overlaps; a longer look beats a shorter one."""
        base = block.start
        found: list[Mentioned] = []
        taken = _Taken()
        for link in sorted(links, key=lambda each: (each.start, -each.end)):
            mentioned = self._read_link(link, base, written)
            if mentioned and taken.add(mentioned.start, mentioned.end):
                found.append(mentioned)
        found += [each for each in self._quoted_titles(prose) if taken.add(each.start, each.end)]
        for pattern, sign in self._own:
            found += [
                Mentioned(match.start(), match.end(), sign, match[0], (self._memo.path,))
                for match in pattern.finditer(prose)
                if taken.add(match.start(), match.end())
            ]
        for named in self._names.find_numbered(prose, 0, len(prose)):
            if taken.add(named.start, named.end):
                found += [self._mentioned(named.start, named.end, named.written, paths) for paths in named.paths]
        for start, token in find_tokens(prose):
            paths = self._names.by_key(token)
            if (paths or token.lower().endswith(".md")) and taken.add(start, start + len(token)):
                found.append(self._mentioned(start, start + len(token), token, paths))
        found.sort(key=lambda each: each.start)
        return [self._with_title(each, prose) for each in found]

    def _read_link(self, link: Link, base: int, written: str) -> Mentioned | None:
        start, end = link.start - base, link.end - base
        if link.embedded:
            return None
        label = "" if link.kind is LinkKind.URL else written[link.label_start - base : link.label_end - base]
        paths = self._names.by_link(link, label)
        names_file = link.kind is LinkKind.WIKILINK or (link.is_local and link.path.lower().endswith(".md"))
        if not paths and not (names_file and link.path):
            return None
        part = link.is_local and "#" in link.target.split("|", 1)[0] and link.kind is not LinkKind.URL
        if part and not paths and not link.path:
            return None
        return self._mentioned(start, end, written[start:end], paths)._replace(names_part=part)

    def _mentioned(self, start: int, end: int, written: str, paths: tuple[str, ...]) -> Mentioned:
        if paths == (self._memo.path,):
            return Mentioned(start, end, SELF, written, paths)
        sign = MISSING if not paths else OTHER if len(paths) == 1 else AMBIGUOUS
        return Mentioned(start, end, sign, written, paths)

    def _quoted_titles(self, prose: str) -> Iterable[Mentioned]:
        for start, end in find_quotes(prose):
            if MIN_TITLE < end - start < MAX_TITLE and (paths := self._names.by_title(prose[start:end])):
                yield self._mentioned(start - 1, end + 1, prose[start - 1 : end + 1], paths)

    def _with_title(self, each: Mentioned, prose: str) -> Mentioned:
        """The reference with the memo's title behind it: `XEP-0030: Service Discovery`."""
        if each.sign not in (OTHER, SELF) or len(each.paths) != 1 or prose[each.end : each.end + 1] not in (":", " "):
            return each
        title = fold(self._names.memo(each.paths[0]).title)
        match = _to_title().match(prose, each.end)
        if not title or match is None:
            return each
        end = match.end() + len(title)
        return each._replace(end=end) if fold(prose[match.end() : end]) == title else each


def reduce_sentence(prose: str, start: int, end: int, mentioned: Sequence[Mentioned]) -> Reduced:
    """One sentence of a block, reduced: emphasis and tags dropped, runs of blanks as one, each reference as its sign."""
    first = bisect_left(mentioned, start, key=lambda each: each.start)
    last = bisect_left(mentioned, end, key=lambda each: each.start)
    pieces: list[str] = []
    offsets: list[int] = []
    found: dict[int, Mentioned] = {}
    breaks: set[int] = set()

    def put(piece: str, at: Sequence[int] | range) -> None:
        pieces.append(piece)
        offsets.extend(at)

    def put_text(left: int, right: int) -> None:
        for match in _kept().finditer(prose, left, right):
            if match.lastgroup == "blank":
                if "\n" in match[0]:
                    breaks.add(len(offsets))
                put(" ", (match.start(),))
            elif match.lastgroup is None:
                put(match[0], range(match.start(), match.end()))

    position = start
    for each in mentioned[first:last]:
        put_text(position, each.start)
        if each.start < position:
            put(", ", (each.start, each.start))  # one list, several signs: `ADRs 12 and 13`
        found[len(offsets)] = each
        put(each.sign, (each.start,))
        position = max(position, each.end)
    put_text(position, end)
    text = "".join(pieces)
    return _tidy(Reduced(text, lower_in_place(text), tuple(offsets), found, frozenset(breaks)))


def find_quotes(prose: str) -> list[tuple[int, int]]:
    """What stands between double quotes, straight or curly, or guillemets: half-open offsets without the quotes."""
    return [(match.start() + 1, match.end() - 1) for match in _quote().finditer(prose)]


class _Taken:
    """Ranges that are given away; nothing may overlap them."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []

    def add(self, start: int, end: int) -> bool:
        index = bisect_right(self._starts, start)
        if index and self._ends[index - 1] > start:
            return False
        if index < len(self._starts) and self._starts[index] < end:
            return False
        self._starts.insert(index, start)
        self._ends.insert(index, end)
        return True


def _tidy(reduced: Reduced) -> Reduced:
    """`[X]` as X, and `Title Words (X)` as X: brackets and a name in front add nothing."""
    cuts: list[tuple[int, int]] = []
    for match in _wrapped().finditer(reduced.text):
        at = match.start(match.lastindex or 0)
        cuts += [(match.start(), at), (at + 1, match.end())]
    if not cuts:
        return reduced
    keep = bytearray(b"\1") * len(reduced.text)
    for start, end in cuts:
        keep[start:end] = b"\0" * (end - start)
    kept = [index for index, flag in enumerate(keep) if flag]
    text = "".join(reduced.text[index] for index in kept)
    places = {old: new for new, old in enumerate(kept)}
    found = {places[index]: each for index, each in reduced.mentioned.items()}
    breaks = frozenset(places[index] for index in reduced.breaks if index in places)
    return Reduced(text, lower_in_place(text), tuple(reduced.offsets[index] for index in kept), found, breaks)


@lru_cache(maxsize=8)
def _own_patterns(kinds: tuple[str, ...]) -> tuple[tuple[re.Pattern[str], str], ...]:
    """What a memo calls itself, in the order in which the patterns are to be tried, with their signs."""
    strong = "|".join(
        re.escape(noun).replace(r"\ ", r"\s+") for noun in sorted({*NOUNS, *kinds}, key=len, reverse=True)
    )
    weak = "|".join(noun.replace(" ", r"\s+") for noun in WEAK_NOUNS)
    this = r"\b(?:this|(?:the|our)\s+(?:present|current))\s+(?:new\s+|very\s+|present\s+|current\s+|latest\s+)?"
    here = rf"(?:\s+(?:specified|defined|described|proposed|documented)\s+(?:in|by)\s+(?:this\s+(?:{strong})|here))"
    end = r"(?![\w'\u2019]|-\w)"
    own = "|".join(map(re.escape, kinds)) or "adr"
    the = rf"\bthe\s+(?:{own}|memo|proposal)(?=\s+(?:is|was|has)\s)"
    flags = re.IGNORECASE
    return (
        (re.compile(rf"{this}(?:{weak}){here}{end}", flags), WEAK),
        (re.compile(rf"{this}(?:{strong}){end}", flags), SELF),
        (re.compile(rf"{this}(?:{weak}){end}|{the}", flags), WEAK),
    )


@lru_cache(maxsize=1)
def _kept() -> re.Pattern[str]:
    """What a block is made of: blanks, signs to drop (emphasis, tags, escapes), and everything else."""
    return re.compile(
        r"(?P<blank>[ \t\r\n\u00a0]+)"
        r"|(?P<drop>\*+|~~|(?<![^\W_])_+|_+(?![^\W_])|\\(?=[^\w\s])|</?[A-Za-z][A-Za-z0-9]*(?: [^<>]{0,200})?/?>)"
        r"|[^ \t\r\n\u00a0*~_\\<]+|[~_\\<]"
    )


@lru_cache(maxsize=1)
def _quote() -> re.Pattern[str]:
    return re.compile(
        r"(?:\u201c|\u00ab)[^\u201c\u201d\u00ab\u00bb\n]{1,400}(?:\u201d|\u00bb)"
        r"|(?<!\w)\"[^\"]{1,400}\"(?!\w)"
    )


@lru_cache(maxsize=1)
def _to_title() -> re.Pattern[str]:
    return re.compile(r":?[ \t\r\n]+(?:[-\u2013\u2014][ \t\r\n]+)?|:")


@lru_cache(maxsize=1)
def _wrapped() -> re.Pattern[str]:
    signs = f"[{OTHER}{MISSING}{AMBIGUOUS}{SELF}]"
    return re.compile(
        rf"\[({signs})\](?:\[\])?|<({signs})>"
        rf"|(?:(?<![\w-])(?!(?:The|This|These|That|It|Note|A|An|By|In|See|Status)\b)[a-z]?[A-Z][\w./+-]*(?:[ -][A-Z0-9][\w./+-]*){{0,6}} )\(({signs})\)"
    )
