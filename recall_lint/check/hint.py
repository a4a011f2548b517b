"""A word for a memo that speaks of replacement, and from which no suggestion comes."""

import re
from functools import cache

from recall_core.prose.denial import is_denied
from recall_core.prose.markers import Family, Form, Mark, find_marks, has_marker, lower_in_place
from recall_core.prose.mask import Masked, mask

_SURE = (Family.SUPERSEDE, Family.OBSOLETE)
_NEEDS_A_SUBJECT = (Family.REPLACE, Family.DEPRECATE, Family.RETIRE)
_BEFORE = 60


def find_hint(body: str, first_line: int) -> str:
    """What to do about the first such sentence of a body, or "".

    `replace` is a word for many things; it counts only behind a subject that is this memo.
    """
    if not has_marker(body.encode("utf-8", "replace")):
        return ""
    masked = mask(body)
    lowered = lower_in_place(masked.text)
    for mark in find_marks(lowered, (*_SURE, *_NEEDS_A_SUBJECT)):
        if _speaks_of_this(masked, lowered, mark):
            line = first_line + body.count("\n", 0, mark.start)
            word = body[mark.start : mark.end]
            return (
                f"line {line} says `{word}` and names no memo of this corpus: link to the one that is meant, "
                "or write its file name, and it can be declared"
            )
    return ""


def _speaks_of_this(masked: Masked, lowered: str, mark: Mark) -> bool:
    start = max(0, mark.start - _BEFORE)
    if masked.is_quoted(mark.start) or is_denied(lowered, start, mark):
        return False
    if mark.family in _SURE and mark.form is not Form.NOMINAL:
        return True
    return mark.form is Form.ACTIVE and _subject().search(lowered, start, mark.start) is not None


@cache
def _subject() -> re.Pattern[str]:
    return re.compile(r"\bthis(?:\s+(?:memo|note|document|page|record|decision|proposal|adr|rfc|runbook))?\s+$")
