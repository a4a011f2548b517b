"""Who a sentence is about: this memo, another one, or neither."""

import re
from typing import NamedTuple

from recall_core.prose import grammar
from recall_core.prose.candidate import Refusal
from recall_core.prose.reduce import SELF, WEAK, Mentioned, Reduced


class Context(NamedTuple):
    """Where a sentence stands.

    `is_note`: in a note or status line, or above the first section, where a sentence may go without a subject.
    `is_preamble`: above the first section; `is_top`: a note before the second. `speaks_of_self`: the sentence before
    had this memo as its subject.
    `subject` is another memo that a heading or the item above is about. `may_be_bare`: a bare `this` is the memo.
    """

    is_note: bool = False
    is_preamble: bool = False
    is_top: bool = False
    speaks_of_self: bool = False
    subject: tuple[Mentioned, ...] = ()
    may_be_bare: bool = False
    holds: tuple[Refusal, ...] = ()
    following: str = ""


class Subject(NamedTuple):
    """Who does it: this memo ("self"), a bare `this`, `it`, nobody ("none"), other memos, or something else."""

    kind: str
    others: tuple[Mentioned, ...]
    start: int
    """Where it begins, so that what stands before it can be looked at."""
    end: int


def find_subject(sentence: Reduced, end: int, context: Context, *, passive: bool = False) -> Subject:
    """Who stands before a verb that begins at `end`."""
    low = sentence.low
    left = low[:end]
    if match := grammar.subject().search(left):
        return _read_subject(sentence, match, context)
    if (match := grammar.conjoined().search(left)) and not grammar.breaks().search(match["mid"]):
        who = match["who"]
        kind = "self" if who == SELF else "bare" if who == "this" else "it"
        if kind != "it" or (context.speaks_of_self and not left[: match.start()].strip()):
            return Subject(kind, (), match.start("who"), match.end("who"))
    if passive and (match := grammar.dashed().search(left)):
        return Subject("others", list_mentioned(sentence, *match.span("list")), match.start(), match.end("list"))
    if grammar.no_subject().fullmatch(left):
        return Subject("none", (), 0, 0)
    return Subject("other", (), 0, 0)


def _read_subject(sentence: Reduced, match: re.Match[str], context: Context) -> Subject:
    """The subject that stands directly before a verb, adverbs aside."""
    left = match.string
    start = match.start("who")
    who = match["who"]
    if who[0] == SELF and _is_of(left[:start]):
        return Subject("other", (), start, match.end("who"))
    if who[0] == SELF:
        return Subject("self", (), start, match.end("who"))
    if who[0] == WEAK:
        return Subject("weak", (), start, match.end("who"))
    if who == "this":
        return Subject("bare", (), start, match.end("who"))
    if who == "it":
        kind = "it" if context.speaks_of_self and not left[:start].strip() else "other"
        return Subject(kind, (), start, match.end("who"))
    if who in ("we", "i"):
        return Subject("we", (), start, match.end("who"))
    if who in ("which", "that", "who"):
        front = grammar.relative_front().search(left[:start])
        if front is None:
            return Subject("other", (), start, match.end("who"))
        if front["list"] == SELF:
            return Subject("self", (), front.start(), front.end())
        return Subject("others", list_mentioned(sentence, *front.span("list")), front.start(), match.end("who"))
    if not _is_of(left[:start]):
        return Subject("others", list_mentioned(sentence, start, match.end("who")), start, match.end("who"))
    return Subject("other", (), start, match.end("who"))


def _is_of(left: str) -> bool:
    """Whether a reference stands in somebody else's name: `the limits of X replace …`."""
    return (
        re.search(r"\b(?:of|in|from|by|to|for|with|under|via|per|on|than|see|like|unlike)(?: the| both)? $", left)
        is not None
    )


def list_mentioned(sentence: Reduced, start: int, end: int) -> tuple[Mentioned, ...]:
    """The references between two places; what stands in brackets behind one is about it, not beside it."""
    found: list[Mentioned] = []
    depth = 0
    for index in range(start, end):
        sign = sentence.text[index]
        depth += (sign == "(") - (sign == ")")
        if index in sentence.mentioned and (depth == 0 or not found) and sign in grammar.SIGNS:
            found.append(sentence.mentioned[index])
    return tuple(found)


def clause_start(low: str, end: int) -> int:
    """Where the clause begins that holds a place: behind the last semicolon, or at the start."""
    return low.rfind("; ", 0, end) + 2 if "; " in low[:end] else 0


def opens_plainly(low: str, subject: Subject) -> bool:
    """Whether nothing stands before a subject but what leaves a statement plain: a label, `therefore`, a date."""
    return grammar.opening().fullmatch(low, clause_start(low, subject.start), subject.start) is not None
