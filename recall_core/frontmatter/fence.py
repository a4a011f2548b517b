"""Where a frontmatter block begins and ends (DESIGN §3 "Block"), and what only resembles one."""

import re
from collections.abc import Callable, Iterator
from enum import Enum
from typing import NamedTuple

VALIDITY_KEYS = ("supersedes", "valid_from", "valid_until")
"""The open Validity Frontmatter 1.0 vocabulary."""

BOM = "\ufeff"

_VALIDITY = r"""(?:(?P<quote>["']?)(?:supersedes|valid_from|valid_until)(?P=quote)[ \t]*:)"""
_KEY = rf"""(?:
    {_VALIDITY}
  | (?:
        "(?:[^"\\\r\n]|\\[^\r\n]){{1,1022}}"
      | '(?:[^'\r\n]|''){{1,1022}}'
      | (?![\[{{<*&!|>%@`\-?,\#"'\ \t\r\n]|[0-9]+[.)][ \t])
        (?:[^:\#\r\n]|:(?![ \t\r\n]|\Z)|(?<![ \t])\#){{1,1024}}+
    )
    [ \t]*+ : (?=[ \t\r\n]|\Z)
)"""

KEY_LINE = re.compile(_KEY, re.VERBOSE)
"""Matches at the start of a line that YAML would read as a key; a validity key before a colon always counts."""

_OPENS = re.compile(rf"(?:\#[^\r\n]*(?:\r\n|\n|\r))*{_KEY}", re.VERBOSE)
_FENCE_LINE = re.compile(r"---[ \t]*(?:\r\n|\n|\r|\Z)")
_CLOSES = re.compile(r"[\r\n](?:---|\.\.\.)[ \t]*(?:[\r\n]|\Z)")
_FENCE_LIKE = re.compile(r"[\r\n]([ \t]{0,3}(?:---|\.\.\.)[^\r\n]*|[^\r\n]*---[ \t]*)(?=[\r\n]|\Z)")
# Some editors make a long dash of two or three short ones.
_UNUSUAL_FENCE = re.compile(
    r"(?:[ \t]+---|----|---[ \t]*[^ \t\r\n]|--[ \t]*(?=[\r\n])|-*[\u2013\u2014]|[ \t]*\+\+\+)[^\r\n]*(?:\r\n|\n|\r)"
)
_TOML_KEY = re.compile(r"""[A-Za-z0-9_."'-]+[ \t]*=""")
_VALIDITY_LINE = re.compile(r"""(?:\A|(?<=[\r\n]))(["']?)(?:supersedes|valid_from|valid_until)\1[ \t]*:[^\r\n]*""")
_MARK = "\ue000"
_BODY_FENCE = re.compile(r"(?:\A|(?<=[\r\n]))(?:---|\.\.\.)[ \t]*(?=[\r\n]|\Z)")


class Shape(Enum):
    """What stands at the top of a file."""

    BODY = "body"
    BLOCK = "block"
    UNCLOSED = "unclosed"


class Fence(NamedTuple):
    """The block of a text, as offsets into it.

    `start` is the first character after the opening line, `end` the first of the closing line (or the text's end where
    the block is not closed), `body` the first after the closing line. Without a block all three are 0.
    """

    shape: Shape
    start: int = 0
    end: int = 0
    body: int = 0


_BODY = Fence(Shape.BODY)


def find_fence(text: str) -> Fence:
    """The block at the top of a text whose BOMs are gone."""
    if not text.startswith("---"):
        return _BODY
    opening = _FENCE_LINE.match(text)
    if opening is None:
        return _BODY
    start = opening.end()
    if not _OPENS.match(text, start):
        return _BODY
    closing = _CLOSES.search(text, start - 1)
    if closing is None:
        return Fence(Shape.UNCLOSED, start, len(text), len(text))
    end = closing.start() + 1
    body = closing.end()
    if text[body - 1 : body + 1] == "\r\n":
        body += 1
    return Fence(Shape.BLOCK, start, end, body)


def begins_block(text: str) -> bool:
    """Whether `text`, put behind an opening fence, would begin a block."""
    return _OPENS.match(text) is not None


def find_fence_like(text: str, fence: Fence) -> tuple[int, int] | None:
    """The first line of an unclosed block that its author may have meant to close it, as offsets."""
    match = _FENCE_LIKE.search(text, fence.start - 1)
    return (match.start(1), match.end(1)) if match else None


def find_unusual_fence(text: str) -> tuple[int, int] | None:
    """Line 1 when it resembles a fence, is none, and a key follows (`----`, ` ---`, `---x`, `+++`)."""
    match = _UNUSUAL_FENCE.match(text)
    if match is None or not (KEY_LINE.match(text, match.end()) or _TOML_KEY.match(text, match.end())):
        return None
    return 0, len(match.group().rstrip("\r\n"))


def find_validity_lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Lines that look like a declaration, found by eye where YAML cannot be asked; never resolved."""
    return (match.span() for match in _VALIDITY_LINE.finditer(text, start, end))


def may_hold_validity_key(text: str, start: int) -> bool:
    """A cheap look for the three words anywhere behind `start`."""
    return any(text.find(key, start) >= 0 for key in VALIDITY_KEYS)


def find_misplaced(text: str, hide_code: Callable[[str], str]) -> tuple[int, int, int] | None:
    """A fenced validity key in a text that no block was found in; `hide_code` blanks a text's code, offset for offset.

    Returns the offsets of the opening fence's line and of the key line. A fence counts as one when a key stands between
    it and the next, or when it is directly followed by what a block would begin with; linear in the text.
    """
    fences = list(_BODY_FENCE.finditer(text))
    first = next((fence for fence in fences if fence[0].startswith("-")), None)
    if first is None or not _VALIDITY_LINE.search(text, first.end()):
        return None  # nearly always: what follows costs far more
    # A row of dashes is hidden as a rule, in code or not: a heading in its place is hidden in code alone.
    visible = hide_code(_BODY_FENCE.sub(lambda fence: fence[0].replace("---", f"# {_MARK}"), text))
    opening: re.Match[str] | None = None
    for fence in fences:
        if visible[fence.start() + 2] not in (_MARK, "."):
            continue
        if opening is not None and (key := _VALIDITY_LINE.search(visible, opening.end(), fence.start())):
            return opening.start(), opening.end(), key.start()
        opening = fence if fence[0].startswith("-") else None
    if opening is not None and (key := _VALIDITY_LINE.search(visible, opening.end())):
        after = _FENCE_LINE.match(text, opening.start())
        if opening.start() == 0 or (after and _OPENS.match(text, after.end())):
            return opening.start(), opening.end(), key.start()
    return None
