"""What in a sentence could name another memo. Whether it does is for the corpus to say."""

import re
from collections.abc import Sequence
from enum import Enum
from functools import cache
from typing import NamedTuple

from recall_core.prose.link import Link, LinkKind


class MentionKind(Enum):
    """How a name is mentioned."""

    WIKILINK = "wikilink"
    LINK = "link"
    """A Markdown link to a path without scheme and host."""
    FILE = "file"
    """A file name in running text: `limits-v1.md`, `docs/limits-v1.md`."""
    STEM = "stem"
    """A word in running text that could be a file's stem: it has a letter and a digit, hyphen or underscore."""


class Mention(NamedTuple):
    """One mention: the source text, at most `MAX_WRITTEN` of it, and the reference text to resolve."""

    written: str
    name: str
    kind: MentionKind


MAX_WRITTEN = 200
"""Characters of a mention's source text that are kept."""


def find_mentions(prose: str, written: str, start: int, links: Sequence[Link]) -> tuple[Mention, ...]:
    """Every mention in a sentence, in order, each once.

    `prose` and `written` are the sentence masked and as written, `start` its offset in the body, and `links` the links
    that lie in it, with offsets in the body. Images name no memo.
    """
    found: list[tuple[int, Mention]] = []
    covered: list[tuple[int, int]] = []
    for link in links:
        at = link.start - start
        if link.kind is LinkKind.WIKILINK:
            covered.append((at, link.end - start))
            if link.path:
                found.append((at, Mention(_cut(written, at, link.end - start), link.path, MentionKind.WIKILINK)))
        elif link.is_local and not link.embedded:
            found.append((at, Mention(_cut(written, at, link.end - start), link.path, MentionKind.LINK)))
    at = 0
    for first, last in (*covered, (len(prose), len(prose))):
        found.extend(_tokens(prose, at, first))
        at = last
    found.sort(key=lambda item: item[0])
    return tuple(dict.fromkeys(mention for _, mention in found))


def may_mention(text: str, start: int, end: int) -> bool:
    """Whether `find_mentions` could find anything between two offsets of a body: quick, and never wrongly False."""
    return text.find("[", start, end) >= 0 or _trace().search(text, start, end) is not None


def _cut(text: str, start: int, end: int) -> str:
    return text[start : min(end, start + MAX_WRITTEN)]


def _tokens(prose: str, start: int, end: int) -> list[tuple[int, Mention]]:
    """File names and stems in running text, with their offsets."""
    found: list[tuple[int, Mention]] = []
    for match in _token().finditer(prose, start, end):
        if match[0].isalpha():
            continue
        token = match[0].strip("_-/").rstrip("._-/")
        if token.lower().endswith(".md"):
            found.append((match.start(), Mention(token[:MAX_WRITTEN], token, MentionKind.FILE)))
        elif _may_be_stem(token):
            found.append((match.start(), Mention(token[:MAX_WRITTEN], token, MentionKind.STEM)))
    return found


def _may_be_stem(token: str) -> bool:
    """Whether a word could be a stem: no plain word, and of the numbers one like `0012` only."""
    stem = token.rpartition("/")[2]
    if stem.isdigit():
        return len(stem) > 1 and stem[0] == "0"
    return _sign().search(stem) is not None and _letter().search(stem) is not None and not _version().match(stem)


@cache
def _token() -> re.Pattern[str]:
    """A word, a file name or a path; the range is that of the combining accents."""
    return re.compile(r"[\w.][\w./\-\u0300-\u036f]*+")


@cache
def _trace() -> re.Pattern[str]:
    """What each token that is a file name or could be a stem holds: `.md`, a letter beside a sign, or `0012`."""
    between = r"[./\u0300-\u036f]*+"
    return re.compile(rf"\.[mM][dD]|[^\W\d_]{between}[0-9_\-]|[0-9_\-]{between}[^\W\d_]|0[0-9]")


@cache
def _sign() -> re.Pattern[str]:
    return re.compile(r"[0-9_-]")


@cache
def _letter() -> re.Pattern[str]:
    return re.compile(r"[^\W\d_]")


@cache
def _version() -> re.Pattern[str]:
    return re.compile(r"[vV]?[0-9]++\.[0-9.]*+\Z")
