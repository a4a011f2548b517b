"""What in running text could name another memo. Whether it does is for the corpus to say."""

import re
from functools import cache


def may_mention(text: str, start: int, end: int) -> bool:
    """Whether anything between two offsets of a body could name a memo: quick, and never wrongly False."""
    return text.find("[", start, end) >= 0 or _trace().search(text, start, end) is not None


def find_tokens(prose: str) -> list[tuple[int, str]]:
    """What in running text is a file name or could be a stem, with its offset, in order.

    A stem is no plain word: it has a letter and a digit, hyphen or underscore, or is a number such as `0012`.
    """
    found: list[tuple[int, str]] = []
    for match in _token().finditer(prose):
        if match[0].isalpha():
            continue
        token = match[0].strip("_-/").rstrip("._-/")
        if token.lower().endswith(".md") or _may_be_stem(token):
            found.append((prose.index(token, match.start()), token))
    return found


def _may_be_stem(token: str) -> bool:
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
    """What every name holds: a digit, `.md`, a letter beside a sign, or a quote."""
    between = r"[./\u0300-\u036f]*+"
    return re.compile(rf"\d|\.[mM][dD]|[^\W\d_]{between}[_\-]|[_\-]{between}[^\W\d_]|[\"\u201c\u00ab]")


@cache
def _sign() -> re.Pattern[str]:
    return re.compile(r"[0-9_-]")


@cache
def _letter() -> re.Pattern[str]:
    return re.compile(r"[^\W\d_]")


@cache
def _version() -> re.Pattern[str]:
    return re.compile(r"[vV]?[0-9]++\.[0-9.]*+\Z")
