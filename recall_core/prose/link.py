"""One link of a memo's body, and what its target names."""

import re
from enum import Enum
from functools import cache
from typing import NamedTuple


class LinkKind(Enum):
    """How a link is written."""

    WIKILINK = "wikilink"
    """`[[name|alias]]`"""
    INLINE = "inline"
    """`[text](target "title")`"""
    REFERENCE = "reference"
    """`[text][id]`, `[id][]` or `[id]`, with a definition somewhere in the body."""
    URL = "url"
    """`<https://…>` or a bare `https://…`"""


class Link(NamedTuple):
    """One link: its kind, half-open offsets of the whole and of the words a reader sees, and where it leads.

    `target` is as written. `path` is what a link to a file names: without anchor and query, escapes and `%20` decoded;
    for a wikilink the name before `|` and `#`. `embedded` tells an image or a `![[…]]`.
    A named tuple because one is made for every link of every block read.
    """

    kind: LinkKind
    start: int
    end: int
    label_start: int
    label_end: int
    target: str
    path: str
    embedded: bool

    @property
    def is_local(self) -> bool:
        """Whether it can name a file of the corpus: it has a path, and neither scheme nor host."""
        if self.kind is LinkKind.URL or not self.path:
            return False
        return not self.target.startswith("//") and (self.kind is LinkKind.WIKILINK or not _scheme().match(self.target))


@cache
def _scheme() -> re.Pattern[str]:
    return re.compile(r"[A-Za-z][A-Za-z0-9+.-]*+:")


@cache
def _percent() -> re.Pattern[bytes]:
    return re.compile(rb"%[0-9A-Fa-f]{2}")


@cache
def _escape() -> re.Pattern[str]:
    return re.compile(r"\\([!-/:-@\[-`{-~])")


def wikilink_name(inside: str) -> str:
    """What a wikilink names: the text in its brackets up to `|` (escaped in tables) or `#`, trimmed."""
    return inside.split("|", 1)[0].split("#", 1)[0].rstrip("\\").strip(" \t")


def target_path(target: str) -> str:
    """The path part of a link target: anchor and query cut off, escapes undone, then percent-decoded.

    Bytes that are no UTF-8 become U+FFFD, so that such a path names nothing instead of raising.
    """
    path = target
    if "\\" in path:
        path = _escape().sub(r"\1", path)
    path = path.split("#", 1)[0].split("?", 1)[0]
    if "%" not in path:
        return path
    raw = path.encode("utf-8", "surrogatepass")
    decoded = _percent().sub(lambda match: bytes((int(match[0][1:], 16),)), raw)
    return decoded.decode("utf-8", "replace")
