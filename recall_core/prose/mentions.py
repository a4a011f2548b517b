"""What in a sentence could name another memo. Whether it does is for the corpus to say."""

import re
from collections.abc import Iterator, Sequence
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
    NUMBERED = "numbered"
    """A kind and a number, or several: `PEP 484`, `ADRs 12, 13 and 15-18`."""
    TITLE = "title"
    """A text in double quotes, which could be a title."""


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
    found.extend(_numbered_and_quoted(prose))
    at = 0
    for first, last in (*covered, (len(prose), len(prose))):
        found.extend(_tokens(prose, at, first))
        at = last
    found.sort(key=lambda item: item[0])
    return tuple(dict.fromkeys(mention for _, mention in found))


def may_mention(text: str, start: int, end: int) -> bool:
    """Whether `find_mentions` could find anything between two offsets of a body: quick, and never wrongly False."""
    return text.find("[", start, end) >= 0 or _trace().search(text, start, end) is not None


def find_tokens(prose: str) -> list[tuple[int, str]]:
    """What in running text is a file name or could be a stem, with its offset, in order."""
    return [(prose.index(mention.name, at), mention.name) for at, mention in _tokens(prose, 0, len(prose))]


def _cut(text: str, start: int, end: int) -> str:
    return text[start : min(end, start + MAX_WRITTEN)]


def _numbered_and_quoted(prose: str) -> Iterator[tuple[int, Mention]]:
    for match in _numbered().finditer(prose):
        text = " ".join(match[0].split())
        if text.isalnum() or (" " not in text and "/" not in text):
            continue  # a stem, and found as one
        yield match.start(), Mention(text[:MAX_WRITTEN], text[:MAX_WRITTEN], MentionKind.NUMBERED)
    if _QUOTES.isdisjoint(prose):
        return
    for match in _quoted().finditer(prose):
        if match[0][1:-1].strip():
            yield match.start(), Mention(match[0][:MAX_WRITTEN], match[0][1:-1][:MAX_WRITTEN], MentionKind.TITLE)


_QUOTES = frozenset('"\u201c\u00ab')


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
    """What every mention holds: `.md`, a letter beside a sign, `0012`, a kind before a number, or a quote."""
    between = r"[./\u0300-\u036f]*+"
    return re.compile(
        rf"\.[mM][dD]|[^\W\d_]{between}[0-9_\-]|[0-9_\-]{between}[^\W\d_]|0[0-9]|[\"\u201c\u00ab]"
        rf"|[A-Za-z][ \t\r\n\u00a0\u2011\u2013]+(?:\#|[nN]o\. ?)?[0-9]"
    )


@cache
def _numbered() -> re.Pattern[str]:
    """A word that could be a kind, capital or one of the usual ones, and the numbers behind it."""
    more = r"(?:,?[ \t\r\n]+(?:and|or|&|to)[ \t\r\n]+|,[ \t\r\n]+|/|[ ]?[-\u2013][ ]?)[0-9]{1,5}(?![\w])"
    return re.compile(
        r"(?<![\w.@#-])(?:(?!Replac|Super|Obsol|Deprec|Retir|(?:In|On|Of|By|The|Since|From|Until|To|At|For|Section"
        r"|Version|Step|Phase|Page|Figure|Table)\b)[A-Z][A-Za-z]{1,12}|(?:adr|decision|memo|record|proposal|rfc|pep|kep|rfd)s?)"
        rf"(?:[ \t\r\n\u00a0]{{1,4}}|[-\u2011\u2013])?(?:\#|[nN]o\. ?)?[0-9]{{1,5}}(?![\w])(?:{more}){{0,30}}"
    )


@cache
def _quoted() -> re.Pattern[str]:
    return re.compile(r"[\u201c\u00ab][^\u201c\u201d\u00ab\u00bb\n]{1,200}[\u201d\u00bb]|(?<!\w)\"[^\"]{1,200}\"(?!\w)")


@cache
def _sign() -> re.Pattern[str]:
    return re.compile(r"[0-9_-]")


@cache
def _letter() -> re.Pattern[str]:
    return re.compile(r"[^\W\d_]")


@cache
def _version() -> re.Pattern[str]:
    return re.compile(r"[vV]?[0-9]++\.[0-9.]*+\Z")
