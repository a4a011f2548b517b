"""The words by which prose says that one memo takes another's place, as a table."""

import re
from collections.abc import Iterator
from enum import Enum
from functools import cache
from typing import NamedTuple


class Family(Enum):
    """Which closure word it is."""

    SUPERSEDE = "supersede"
    REPLACE = "replace"
    OBSOLETE = "obsolete"
    DEPRECATE = "deprecate"
    RETIRE = "retire"
    SUCCEED = "succeed"
    IN_FAVOUR_OF = "in favour of"
    INSTEAD_OF = "instead of"
    NO_LONGER = "no longer applies"
    IS_NOW = "is now"
    MOVED_TO = "was moved to"
    FAVOURING = "favouring"
    RESCIND = "rescind"
    MERGED_INTO = "was merged into"


STRONG = (Family.SUPERSEDE, Family.REPLACE, Family.OBSOLETE, Family.DEPRECATE, Family.RETIRE)
"""The families that make a closure by themselves; the others only add to what stands around them."""


TRACED = (
    *STRONG,
    Family.SUCCEED,
    Family.IN_FAVOUR_OF,
    Family.MOVED_TO,
    Family.FAVOURING,
    Family.RESCIND,
    Family.MERGED_INTO,
)
"""The families that can make a question. Whatever the others say is held back: `instead of`, `no longer applies`, and
verbs that add to a memo. It is shown with the memo that says it, and costs no look into every other one."""


class Form(Enum):
    """Which side the word's subject is on."""

    ACTIVE = "active"
    """The subject takes the place: `A supersedes B`."""
    PASSIVE = "passive"
    """The subject loses it: `B is superseded by A`."""
    PARTICIPLE = "participle"
    """Past tense, participle or adjective: the words around it decide."""
    NOMINAL = "nominal"
    """A noun: `A is a replacement for B`."""


class Marker(NamedTuple):
    """One row of the table: a literal beginning, and a pattern for the rest.

    A blank stands for any blanks, a line end among them. All rows of a family begin alike: a literal beginning is what
    makes the search cheap.
    """

    family: Family
    form: Form
    stem: str
    rest: str


class Mark(NamedTuple):
    """A closure word in a text: half-open offsets, and what it is."""

    start: int
    end: int
    family: Family
    form: Form


MARKERS = (
    Marker(Family.SUPERSEDE, Form.ACTIVE, "super", "[sc]ed(?:e|es|ing)"),
    Marker(Family.SUPERSEDE, Form.PASSIVE, "super", "[sc]eded(?=-by| by)"),
    Marker(Family.SUPERSEDE, Form.PARTICIPLE, "super", "[sc]eded"),
    Marker(Family.SUPERSEDE, Form.NOMINAL, "super", "[sc](?:ession|essions|edence|eder|eders)"),
    Marker(Family.REPLACE, Form.ACTIVE, "replac", "(?:e|es|ing)"),
    Marker(Family.REPLACE, Form.PASSIVE, "replac", "ed(?=-by| by| with)"),
    Marker(Family.REPLACE, Form.PARTICIPLE, "replac", "ed"),
    Marker(Family.REPLACE, Form.NOMINAL, "replac", "(?:ement|ements|er|ers)"),
    Marker(Family.OBSOLETE, Form.ACTIVE, "obsolet", "(?:es|ing)"),
    Marker(Family.OBSOLETE, Form.PASSIVE, "obsolet", "ed?(?=-by| by| in favou?r of)"),
    Marker(Family.OBSOLETE, Form.PARTICIPLE, "obsolet", "ed?"),
    Marker(Family.OBSOLETE, Form.NOMINAL, "obsolet", "ions?"),
    Marker(Family.DEPRECATE, Form.ACTIVE, "deprecat", "(?:e|es|ing)"),
    Marker(Family.DEPRECATE, Form.PASSIVE, "deprecat", "ed(?=-by| by| in favou?r of)"),
    Marker(Family.DEPRECATE, Form.PARTICIPLE, "deprecat", "ed"),
    Marker(Family.DEPRECATE, Form.NOMINAL, "deprecat", "ions?"),
    Marker(Family.RETIRE, Form.ACTIVE, "retir", "(?:e|es|ing)"),
    Marker(Family.RETIRE, Form.PASSIVE, "retir", "ed(?=-by| by| in favou?r of)"),
    Marker(Family.RETIRE, Form.PARTICIPLE, "retir", "ed"),
    Marker(Family.RETIRE, Form.NOMINAL, "retir", "ements?"),
    # Not `succeeded` alone: an attempt that succeeded replaces nothing.
    Marker(Family.SUCCEED, Form.ACTIVE, "succe", "eds(?! (?:in|at|if|when|with|only|because)\\b)"),
    Marker(Family.SUCCEED, Form.PASSIVE, "succe", "eded(?= by\\b)"),
    Marker(Family.SUCCEED, Form.NOMINAL, "succe", "ssors?(?= (?:of|to|for)\\b)"),
    Marker(Family.IN_FAVOUR_OF, Form.PASSIVE, "in", " favou?r of"),
    Marker(Family.INSTEAD_OF, Form.ACTIVE, "instead", " of"),
    Marker(Family.NO_LONGER, Form.PASSIVE, "no", " longer (?:applies|apply|holds?|valid|current|in force|in effect)"),
    Marker(Family.IS_NOW, Form.PASSIVE, "is", " now"),
    Marker(Family.MOVED_TO, Form.PASSIVE, "moved", " (?:to|into)"),
    Marker(Family.FAVOURING, Form.PASSIVE, "favo", "u?ring"),
    Marker(Family.RESCIND, Form.ACTIVE, "rescind", "(?:s|ing|)"),
    Marker(Family.RESCIND, Form.PASSIVE, "rescind", "ed(?=-by| by| in favou?r of)"),
    Marker(Family.RESCIND, Form.PARTICIPLE, "rescind", "ed"),
    Marker(Family.MERGED_INTO, Form.PASSIVE, "merged", " into"),
)

COMPOUNDS = frozenset(("already", "long", "now", "once", "recently", "since", "still", "then"))
"""What may stand before a marker and a hyphen (`now-superseded`); behind any other hyphen it is part of a name."""


def has_marker(data: bytes) -> bool:
    """Whether a body, in UTF-8, may leave a trace: never False where `find_marks` finds a marker of such a family.

    It runs for every memo, so it is a few substring searches and no pattern.
    """
    lowered = data.lower()
    return (
        b"replac" in lowered
        or b"deprecat" in lowered
        or b"obsolet" in lowered
        or b"super" in lowered  # supersede, supersession, supercede
        or b"retir" in lowered
        or b"favo" in lowered
        or b"succe" in lowered
        or b"moved" in lowered
        or b"merged" in lowered
        or b"rescind" in lowered
    )


def lower_in_place(text: str) -> str:
    """The text in lower case at unchanged length: the one letter that grows (U+0130) becomes another first."""
    return text.replace("\u0130", "\u0131").lower()


def find_marks(lowered: str, families: tuple[Family, ...] = tuple(Family)) -> list[Mark]:
    """The markers of these families in a lower-cased text, in order; words in file names and identifiers are none."""
    marks: list[Mark] = []
    for stem, family in _stems(families):
        if stem in lowered:
            marks.extend(_find_family(lowered, _pattern(family), family))
    marks.sort(key=lambda mark: mark.start)
    return marks


@cache
def _stems(families: tuple[Family, ...]) -> tuple[tuple[str, Family], ...]:
    """What every match of a family begins with."""
    return tuple((_rows(family)[0].stem, family) for family in families)


@cache
def _pattern(family: Family) -> re.Pattern[str]:
    """One pattern, compiled when its stem is first met; its groups are named for the form."""
    rows = _rows(family)
    choices = "|".join(f"(?P<{row.form.value}>{row.rest.replace(' ', _BLANKS)})" for row in rows)
    return re.compile(rf"{rows[0].stem}(?:{choices})(?!_*+[^\W_]|\(|-(?!by\b|-))")


def _rows(family: Family) -> list[Marker]:
    return [marker for marker in MARKERS if marker.family is family]


_BLANKS = r"[ \t\r\n]++"


def _find_family(lowered: str, pattern: re.Pattern[str], family: Family) -> Iterator[Mark]:
    for match in pattern.finditer(lowered):
        start, end = match.span()
        if _begins_word(lowered, start) and not _is_in_path(lowered, start, end):
            yield Mark(start, end, family, Form(match.lastgroup))


def _begins_word(lowered: str, start: int) -> bool:
    """Whether no name goes on into the word from the left: `func.replace`, `@deprecated`, `0012-replace`."""
    before = lowered[start - 1 : start]
    if before == "_":
        # Emphasis, unless it joins two words.
        return not lowered[max(0, start - 20) : start].rstrip("_")[-1:].isalnum()
    if before == "-":
        word = lowered[max(0, start - 20) : start - 1]
        return word.endswith("-") or word[_word_start(word) :] in COMPOUNDS
    if before == ".":
        return not lowered[start - 2 : start - 1].isalnum()
    return not (before.isalnum() or before in ("\\", "@", "$"))


def _word_start(text: str) -> int:
    """Where the last word of a short text starts."""
    start = len(text)
    while start and text[start - 1].isalpha():
        start -= 1
    return start


@cache
def _around_token() -> re.Pattern[str]:
    return re.compile(r"[ \t\r\n()\[\]<>\"'|,;*]")


def _is_in_path(lowered: str, start: int, end: int) -> bool:
    """Whether the word is part of a file name or a path: `deprecated/limits.md`, `../retired/`, `replaced.md`."""
    if lowered[start - 1 : start] != "/" and lowered[end : end + 1] not in ("/", "."):
        return False
    left = _around_token().split(lowered[max(0, start - 100) : start])[-1]
    right = _around_token().split(lowered[end : end + 100], maxsplit=1)[0]
    return (
        ".md" in right
        or right == "/"
        or left.startswith(("/", "./", "../"))
        or (left.endswith("/") and right.startswith("/"))
    )
