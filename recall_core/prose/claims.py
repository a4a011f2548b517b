"""What one reduced sentence claims: who replaces whom, how plainly, and what holds it back."""

# ruff: noqa: E501 - a pattern is read as one line

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from recall_core.prose import words
from recall_core.prose.candidate import Refusal
from recall_core.prose.markers import Family, Form, Mark
from recall_core.prose.reduce import AMBIGUOUS, MISSING, OTHER, SELF, WEAK, Mentioned, Reduced
from recall_core.prose.voice import LABELS

DECISIVE = (
    Refusal.CATALOGUE,
    Refusal.QUOTED,
    Refusal.QUESTION,
    Refusal.REPORTED_SPEECH,
    Refusal.NEGATED,
    Refusal.CONDITIONAL,
    Refusal.PROPOSAL,
    Refusal.HEDGED,
    Refusal.FUTURE,
    Refusal.PARTIAL,
    Refusal.AUGMENTING,
    Refusal.ALTERNATIVE,
    Refusal.OTHER_SUBJECT,
    Refusal.SELF,
    Refusal.TARGET_MISSING,
    Refusal.TARGET_AMBIGUOUS,
    Refusal.RIVAL,
)
"""The refusals, the one that says most first."""

PROVING = (Family.SUPERSEDE, Family.REPLACE, Family.OBSOLETE)
"""Families whose plain verb is proof; to deprecate or to retire a memo may leave it without a successor."""


@dataclass(frozen=True, slots=True)
class Context:
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


class Claim(NamedTuple):
    """`successors` replace `targets`; an empty side is this memo. All pairs share the refusals."""

    mark: Mark
    targets: tuple[Mentioned, ...]
    successors: tuple[Mentioned, ...]
    refusals: frozenset[Refusal]
    is_proof: bool
    score: float


class _Subject(NamedTuple):
    """Who does it: this memo ("self"), a bare `this`, `it`, nobody ("none"), other memos, or something else."""

    kind: str
    others: tuple[Mentioned, ...]
    start: int
    """Where it begins, so that what stands before it can be looked at."""
    end: int


_SIGNS = f"{OTHER}{MISSING}{AMBIGUOUS}"
_SIGN = f"[{_SIGNS}]"
_ASIDE = r"(?: ?\([^()]{0,160}\))?"
_REF = rf"(?:pull request |issue )?{_SIGN}{_ASIDE}"
_LIST = rf"{_REF}(?:(?:,? (?:and|or|&|plus|as well as)(?: also| then)?(?: by| of| with)?(?: the| the later| partly)? |, (?:the )?| ?/ ?){_REF})*"


def read_claims(sentence: Reduced, marks: Sequence[Mark], context: Context) -> Iterator[Claim]:
    """The claims of a sentence, at most one for each closure word; `marks` are places in the reduced text."""
    claims = [claim for mark in marks if (claim := _read(sentence, mark, context)) is not None]
    claims.sort(key=lambda claim: -claim.score)
    told: set[tuple[int, tuple[str, ...]]] = set()
    for claim in claims:
        named = {(each.start, each.paths) for each in (*claim.targets, *claim.successors)}
        # What no pattern joins, or a second closure word, is worth a line only where it names something new.
        if not named <= told:
            told |= named
            yield claim


def read_augmenting(sentence: Reduced, context: Context) -> Iterator[Claim]:
    """Sentences in which this memo adds to another: held back, so that their author sees why nobody asks."""
    for match in _augmenting().finditer(sentence.low):
        subject = _find_subject(sentence, match.start("verb"), context)
        if subject.kind not in ("self", "bare", "it"):
            continue
        mark = Mark(match.start("verb"), match.end("verb"), Family.SUPERSEDE, Form.ACTIVE)
        yield Claim(mark, _listed(sentence, *match.span("list")), (), frozenset((Refusal.AUGMENTING,)), False, 0.1)


def _read(sentence: Reduced, mark: Mark, context: Context) -> Claim | None:
    match mark.form:
        case Form.ACTIVE if mark.family is Family.INSTEAD_OF:
            return _read_instead(sentence, mark, context)
        case Form.ACTIVE:
            return _read_active(sentence, mark, context)
        case Form.PASSIVE if mark.family in (Family.IN_FAVOUR_OF, Family.FAVOURING):
            return _read_favour(sentence, mark, context)
        case Form.PASSIVE if mark.family in (Family.NO_LONGER, Family.IS_NOW):
            return _read_state(sentence, mark, context)
        case Form.PASSIVE:
            return _read_passive(sentence, mark, context)
        case Form.PARTICIPLE:
            return _read_participle(sentence, mark, context)
        case Form.NOMINAL:
            return _read_nominal(sentence, mark, context)


def _read_active(  # noqa: C901 - one case for each kind of subject
    sentence: Reduced, mark: Mark, context: Context
) -> Claim | None:
    """`A supersedes B`, with what stands around it."""
    low = sentence.low
    subject = _find_subject(sentence, mark.start, context)
    found = _object().match(low, mark.end)
    if found and found["own"] and not subject.others and (own := _names_itself(sentence, found.start("own"))):
        return _build(mark, (own,), (), {Refusal.SELF}, False, 0.2)
    if found is None or (found["own"] and not subject.others):
        if relative := _read_relative(sentence, mark, subject, context):
            return relative
        return _read_loosely(sentence, mark, subject, context)
    is_base = not low[mark.start : mark.end].endswith("s")
    end = found.end()
    refusals, plain = _behind(sentence, end, context)
    refusals |= _hold(sentence, subject, mark, end, context)
    plain = plain and _opens_plainly(low, subject)
    if found["own"]:
        return _build(mark, (), subject.others, refusals, plain and subject.kind == "others" and not is_base, 0.9)
    targets = _listed(sentence, *found.span("list"))
    proves = mark.family in PROVING
    match subject.kind:
        case "self" | "it":
            return _build(mark, targets, (), refusals, plain and proves and not is_base, 0.95)
        case "bare":
            return _build(mark, targets, (), refusals, plain and proves and not is_base and context.may_be_bare, 0.9)
        case "weak":
            sure = context.is_preamble and plain and proves and not is_base
            return _build(mark, targets, (), refusals | (set() if sure else {Refusal.OTHER_SUBJECT}), sure, 0.7)
        case "none" if context.subject:
            return _build(mark, targets, context.subject, refusals | {Refusal.OTHER_SUBJECT}, False, 0.2)
        case "none":
            if is_base:
                refusals |= {Refusal.PROPOSAL}
            return _build(mark, targets, (), refusals, plain and proves and context.is_note and not is_base, 0.8)
        case "we":
            return _build(mark, targets, (), refusals, False, 0.6)
        case "others":
            return _build(mark, targets, subject.others, refusals | {Refusal.OTHER_SUBJECT}, False, 0.3)
        case _:
            return _build(mark, targets, (), refusals | {Refusal.OTHER_SUBJECT}, False, 0.2)


def _read_relative(sentence: Reduced, mark: Mark, subject: _Subject, context: Context) -> Claim | None:
    """`X, the design that this memo supersedes`: the object stands in front."""
    if subject.kind not in ("self", "bare") or not _ends_clause(sentence.low, mark.end):
        return None
    front = _antecedent().search(sentence.low[: subject.start])
    if front is None:
        return None
    targets = _listed(sentence, *front.span("list"))
    inner = _Subject(subject.kind, (), front.start(), subject.end)
    refusals = _hold(sentence, inner, mark, mark.end, context) | _scan(sentence.low[mark.end :], words.AFTER)
    is_base = not sentence.low[mark.start : mark.end].endswith("s")
    return _build(mark, targets, (), refusals, mark.family in PROVING and not is_base, 0.85)


def _read_passive(sentence: Reduced, mark: Mark, context: Context) -> Claim | None:
    """`B is superseded by A`."""
    low = sentence.low
    if mark.family in (Family.MOVED_TO, Family.MERGED_INTO):
        agent = _object().match(low, mark.end)
        proves = False
    else:
        agent = _agent().match(low, mark.end)
        proves = mark.family in (*PROVING, Family.SUCCEED)
    subject = _find_subject(sentence, mark.start, context, passive=True)
    if agent is None:
        return _read_loosely(sentence, mark, subject, context)
    if "favo" in low[agent.start() : agent.start("list")] if agent["list"] else False:
        proves = True
    if (
        agent["own"]
        and subject.kind not in ("others", "other")
        and (own := _names_itself(sentence, agent.start("own")))
    ):
        return _build(mark, (own,), (), {Refusal.SELF}, False, 0.2)
    refusals, plain = _behind(sentence, agent.end(), context)
    refusals |= _hold(sentence, subject, mark, agent.end(), context)
    plain = plain and _opens_plainly(low, subject)
    return _judge_passive(sentence, mark, subject, agent, refusals, context, plain=plain and proves)


def _read_favour(sentence: Reduced, mark: Mark, context: Context) -> Claim | None:
    """`B was withdrawn in favour of A`."""
    low = sentence.low
    status = _status_before().search(low, max(0, mark.start - 90), mark.start)
    agent = _favoured().match(low, mark.end)
    start = status.start("verb") if status else mark.start
    subject = _find_subject(sentence, start, context, passive=True)
    if agent is None or status is None:
        claim = _read_loosely(sentence, mark, subject, context)
        return claim and claim._replace(refusals=claim.refusals | {Refusal.ALTERNATIVE}, is_proof=False)
    refusals, plain = _behind(sentence, agent.end(), context)
    refusals |= _hold(sentence, subject, mark, agent.end(), context)
    proves = bool(re.fullmatch(words.STRONG_WITHDRAWN, status["verb"])) and mark.family is Family.IN_FAVOUR_OF
    if agent["own"]:
        # What is rejected in favour of this memo need never have been in force.
        proves = False
    return _judge_passive(sentence, mark, subject, agent, refusals, context, plain=plain and proves)


def _judge_passive(  # noqa: PLR0917 - what its two callers have read
    sentence: Reduced,
    mark: Mark,
    subject: _Subject,
    agent: re.Match[str],
    refusals: set[Refusal],
    context: Context,
    *,
    plain: bool,
) -> Claim | None:
    if agent["own"]:
        match subject.kind:
            case "others":
                return _build(mark, subject.others, (), refusals, plain, 0.85)
            case "none" if context.subject:
                return _build(mark, context.subject, (), refusals, False, 0.6)
            case _:
                front = _any_before(sentence, mark.start)
                if front is None:
                    return None
                return _build(mark, front, (), refusals | {Refusal.OTHER_SUBJECT}, False, 0.2)
    successors = _listed(sentence, *agent.span("list"))
    match subject.kind:
        case "self" | "it":
            return _build(mark, (), successors, refusals, plain, 0.95)
        case "bare":
            return _build(mark, (), successors, refusals, plain and (context.may_be_bare or context.is_note), 0.9)
        case "weak" if context.is_preamble or context.is_note:
            return _build(mark, (), successors, refusals, plain and (context.is_preamble or context.is_top), 0.75)
        case "none" if context.subject:
            return _build(mark, context.subject, successors, refusals | {Refusal.OTHER_SUBJECT}, False, 0.2)
        case "none":
            return _build(mark, (), successors, refusals, plain and context.is_note, 0.8)
        case "others":
            return _build(mark, subject.others, successors, refusals | {Refusal.OTHER_SUBJECT}, False, 0.3)
        case _:
            return _build(mark, (), successors, refusals | {Refusal.OTHER_SUBJECT}, False, 0.2)


def _read_participle(sentence: Reduced, mark: Mark, context: Context) -> Claim | None:
    """`A has superseded B`, `A replaced B`; else an adjective, which says nothing of a successor."""
    low = sentence.low
    if low[mark.end : mark.end + 1] == ":" and (listed := _bare_list().match(low, mark.end + 1)):
        return _build(mark, _listed(sentence, *listed.span("list")), (), {Refusal.CATALOGUE}, False, 0.1)
    found = _object().match(low, mark.end)
    subject = _find_subject(sentence, mark.start, context)
    if found is None:
        return _read_loosely(sentence, mark, subject, context)
    refusals, plain = _behind(sentence, found.end(), context)
    refusals |= _hold(sentence, subject, mark, found.end(), context)
    has = (
        re.search(r" (?:has|have)(?: (?:now|since|thereby|formally|fully|completely))? $", low[: mark.start])
        is not None
    )
    plain = plain and has and mark.family in PROVING and _opens_plainly(low, subject)
    if found["own"]:
        if subject.kind == "others":
            return _build(mark, (), subject.others, refusals, plain, 0.85)
        return None
    targets = _listed(sentence, *found.span("list"))
    if subject.kind in ("self", "it", "bare"):
        return _build(mark, targets, (), refusals, plain and subject.kind != "bare", 0.8 if has else 0.6)
    if subject.kind == "we":
        return _build(mark, targets, (), refusals | {Refusal.OTHER_SUBJECT}, False, 0.3)
    if subject.kind == "others":
        return _build(mark, targets, subject.others, refusals | {Refusal.OTHER_SUBJECT}, False, 0.3)
    return _build(mark, targets, (), refusals | {Refusal.OTHER_SUBJECT}, False, 0.2)


def _read_nominal(sentence: Reduced, mark: Mark, context: Context) -> Claim | None:
    """`A is a replacement for B`: enough for a question, never for a proof."""
    low = sentence.low
    found = _complement().match(low, mark.end)
    is_front = re.search(rf"(?:{SELF}|this) is (?:now )?(?:the|a|an)(?: [a-z-]+){{0,3}} $", low[: mark.start])
    start = is_front.start() if is_front else mark.start
    subject = _find_subject(sentence, mark.start, context) if not is_front else _Subject("self", (), start, start + 1)
    if found is None:
        return _read_loosely(sentence, mark, subject._replace(kind="other"), context)
    refusals, _ = _behind(sentence, found.end(), context)
    refusals |= _hold(sentence, subject, mark, found.end(), context)
    if not is_front:
        refusals |= {Refusal.OTHER_SUBJECT}
    return _build(mark, _listed(sentence, *found.span("list")), (), refusals, False, 0.5)


def _read_instead(sentence: Reduced, mark: Mark, context: Context) -> Claim | None:
    found = _object().match(sentence.low, mark.end)
    if found is None or found["own"]:
        return None
    subject = _find_subject(sentence, mark.start, context)
    refusals = {Refusal.ALTERNATIVE} | _hold(sentence, subject, mark, found.end(), context)
    return _build(mark, _listed(sentence, *found.span("list")), (), refusals, False, 0.1)


def _read_state(sentence: Reduced, mark: Mark, context: Context) -> Claim | None:
    """`X no longer applies`: says that X has ended, not what took its place."""
    front = _near_before(sentence, mark.start)
    if mark.family is Family.IS_NOW or front is None:
        return None
    subject = _Subject("other", front, sentence.low.rfind(". ", 0, mark.start) + 1, mark.start)
    refusals = _hold(sentence, subject, mark, mark.end, context) | {Refusal.OTHER_SUBJECT}
    return _build(mark, front, (), refusals, False, 0.1)


def _read_loosely(sentence: Reduced, mark: Mark, subject: _Subject, context: Context) -> Claim | None:
    """A closure word and a reference in one sentence, and no pattern that joins them: held back at the least."""
    low = sentence.low
    right = _near().match(low, mark.end)
    refusals = _hold(sentence, subject, mark, right.end() if right else mark.end, context)
    is_self = subject.kind in ("self", "bare", "it", "none", "we")
    if right is not None:
        listed = _listed(sentence, *right.span("list"))
        gap = low[mark.end : right.start("list")]
        if is_self and (re.search(r"\b(?:of|in|from|for|by|to|on|with|under)\b|['\u2019]s", gap) or gap.strip()):
            refusals |= {Refusal.PARTIAL}
        if not is_self or not gap.strip():
            refusals |= {Refusal.OTHER_SUBJECT}
        if mark.form is Form.PASSIVE and re.match(r" (?:by|with|in favo)", gap):
            return _build(mark, (), listed, refusals | {Refusal.OTHER_SUBJECT}, False, 0.1)
        successors = subject.others if subject.kind == "others" else ()
        return _build(mark, listed, successors, refusals or {Refusal.OTHER_SUBJECT}, False, 0.15)
    front = _any_before(sentence, mark.start) or _any_after(sentence, mark.end)
    if front is None:
        return None
    if re.search(r"\b(?:its|their|his|her)\b|\bonly\b", low[mark.end : mark.end + 60]):
        refusals |= {Refusal.PARTIAL}
    if not refusals or subject.kind in ("others", "other"):
        refusals |= {Refusal.OTHER_SUBJECT}
    return _build(mark, front, (), refusals, False, 0.1)


def _build(  # noqa: PLR0917 - each call reads as a row of a table
    mark: Mark,
    targets: tuple[Mentioned, ...],
    successors: tuple[Mentioned, ...],
    refusals: set[Refusal] | frozenset[Refusal],
    is_proof: bool,
    score: float,
) -> Claim:
    held = set(refusals)
    for each in (*targets, *successors):
        if each.sign == MISSING:
            held.add(Refusal.TARGET_MISSING)
        elif each.sign == AMBIGUOUS:
            held.add(Refusal.TARGET_AMBIGUOUS)
        if each.names_part:
            held.add(Refusal.PARTIAL)
    return Claim(mark, targets, successors, frozenset(held), is_proof and not held, score)


def _find_subject(sentence: Reduced, end: int, context: Context, *, passive: bool = False) -> _Subject:
    """Who stands before a verb that begins at `end`."""
    low = sentence.low
    left = low[:end]
    if match := _subject().search(left):
        return _read_subject(sentence, match, context)
    if (match := _conjoined().search(left)) and not _breaks().search(match["mid"]):
        who = match["who"]
        kind = "self" if who == SELF else "bare" if who == "this" else "it"
        if kind != "it" or (context.speaks_of_self and not left[: match.start()].strip()):
            return _Subject(kind, (), match.start("who"), match.end("who"))
    if passive and (match := _dashed().search(left)):
        return _Subject("others", _listed(sentence, *match.span("list")), match.start(), match.end("list"))
    if _no_subject().fullmatch(left):
        return _Subject("none", (), 0, 0)
    return _Subject("other", (), 0, 0)


def _read_subject(sentence: Reduced, match: re.Match[str], context: Context) -> _Subject:
    """The subject that stands directly before a verb, adverbs aside."""
    left = match.string
    start = match.start("who")
    who = match["who"]
    if who[0] == SELF and _is_of(left[:start]):
        return _Subject("other", (), start, match.end("who"))
    if who[0] == SELF:
        return _Subject("self", (), start, match.end("who"))
    if who[0] == WEAK:
        return _Subject("weak", (), start, match.end("who"))
    if who == "this":
        return _Subject("bare", (), start, match.end("who"))
    if who == "it":
        kind = "it" if context.speaks_of_self and not left[:start].strip() else "other"
        return _Subject(kind, (), start, match.end("who"))
    if who in ("we", "i"):
        return _Subject("we", (), start, match.end("who"))
    if who in ("which", "that", "who"):
        front = _relative_front().search(left[:start])
        if front is None:
            return _Subject("other", (), start, match.end("who"))
        if front["list"] == SELF:
            return _Subject("self", (), front.start(), front.end())
        return _Subject("others", _listed(sentence, *front.span("list")), front.start(), match.end("who"))
    if not _is_of(left[:start]):
        return _Subject("others", _listed(sentence, start, match.end("who")), start, match.end("who"))
    return _Subject("other", (), start, match.end("who"))


def _hold(sentence: Reduced, subject: _Subject, mark: Mark, end: int, context: Context) -> set[Refusal]:
    """What holds a claim back from the start of its clause to the references of its object."""
    low = sentence.low
    listed = _references().search(low, mark.end, end)
    last = listed.start() if listed else end
    found = _scan(low[subject.start : last], words.HOLDS) | set(context.holds)
    # Scope words before the subject are about something else.
    found |= _scan(low[_clause_start(low, subject.start) : subject.start], words.HOLDS) - {Refusal.PARTIAL}
    found |= _scan(low[last:end], words.AFTER)
    if (conj := low[subject.end : mark.start]) and _augments().search(conj) and "and" not in conj.split():
        found.add(Refusal.AUGMENTING)
    return found


def _behind(sentence: Reduced, end: int, context: Context) -> tuple[set[Refusal], bool]:
    """What follows an object: refusals, and whether it leaves the claim plain."""
    rest = sentence.low[end:]
    if trail := _wholly().match(rest):
        rest = rest[trail.end() :]
    refusals: set[Refusal] = set()
    plain = True
    if rest and not _ends().match(rest) and not _is_coordinated(rest):
        held = next((refusal for refusal, pattern in words.BEHIND if re.match(pattern, rest)), None)
        plain = _line_ends(sentence, end) and not _explicit_part().match(rest)
        if held is not None and not plain:
            refusals.add(held)
    refusals |= _scan(_stop().split(rest, 1)[0], words.AFTER)
    if context.following:
        refusals |= _scan(context.following, words.NEXT)
    return refusals, plain and not refusals


def _line_ends(sentence: Reduced, end: int) -> bool:
    """Whether a line ends here and the next one begins like a sentence: a stop is often left out behind a link."""
    return end in sentence.breaks and sentence.text[end + 1 : end + 2].isupper()


def _clause_start(low: str, end: int) -> int:
    """Where the clause begins that holds a place: behind the last semicolon, or at the start."""
    return low.rfind("; ", 0, end) + 2 if "; " in low[:end] else 0


def _opens_plainly(low: str, subject: _Subject) -> bool:
    """Whether nothing stands before a subject but what leaves a statement plain: a label, `therefore`, a date."""
    return _opening().fullmatch(low, _clause_start(low, subject.start), subject.start) is not None


def _scan(region: str, tables: Sequence[tuple[Refusal, str]]) -> set[Refusal]:
    return {refusal for refusal, pattern in tables if _whole(pattern).search(region)}


def _is_coordinated(rest: str) -> bool:
    match = _and_verb().match(rest)
    if match is None:
        return False
    verb = match["verb"]
    return verb in _COORDINATED or (verb.endswith("s") and not verb.endswith("ss") and match["next"] is not None)


def _ends_clause(low: str, end: int) -> bool:
    return re.match(r" ?(?:$|[.,;:)\]!(\u2013\u2014-])", low[end:]) is not None


def _is_of(left: str) -> bool:
    """Whether a reference stands in somebody else's name: `the limits of X replace …`."""
    return (
        re.search(r"\b(?:of|in|from|by|to|for|with|under|via|per|on|than|see|like|unlike)(?: the| both)? $", left)
        is not None
    )


def _listed(sentence: Reduced, start: int, end: int) -> tuple[Mentioned, ...]:
    """The references between two places; what stands in brackets behind one is about it, not beside it."""
    found: list[Mentioned] = []
    depth = 0
    for index in range(start, end):
        sign = sentence.text[index]
        depth += (sign == "(") - (sign == ")")
        if index in sentence.mentioned and (depth == 0 or not found) and sign in _SIGNS:
            found.append(sentence.mentioned[index])
    return tuple(found)


def _any_before(sentence: Reduced, end: int) -> tuple[Mentioned, ...] | None:
    """The last list of references before a place."""
    found = [match.span() for match in _references().finditer(sentence.low, 0, end)]
    return _listed(sentence, *found[-1]) if found else None


def _any_after(sentence: Reduced, start: int) -> tuple[Mentioned, ...] | None:
    found = [index for sign in _SIGNS if (index := sentence.low.find(sign, start)) >= 0]
    return (sentence.mentioned[min(found)],) if found and min(found) in sentence.mentioned else None


def _names_itself(sentence: Reduced, at: int) -> Mentioned | None:
    """The reference by which a memo names itself, `this memo` aside."""
    own = sentence.mentioned.get(at)
    return own if own and own.sign == SELF and not own.written.lower().startswith(("this", "the ", "our ")) else None


def _near_before(sentence: Reduced, end: int) -> tuple[Mentioned, ...] | None:
    match = re.search(rf"(?P<list>{_SIGN})(?: is| are| was| were)? $", sentence.low[:end])
    return _listed(sentence, *match.span("list")) if match else None


def _choices(table: Sequence[str]) -> str:
    return "|".join(
        sorted((re.escape(each).replace(r"\ ", " ").replace("'", "['\u2019]") for each in table), key=len, reverse=True)
    )


_COORDINATED = frozenset(words.COORDINATED)


@cache
def _whole(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{pattern})")


@cache
def _object() -> re.Pattern[str]:
    """A bare object: adjectives, the memo's noun, where it is documented, the references; or this memo itself."""
    nouns = "|".join(re.escape(noun).replace(r"\ ", " ") for noun in sorted(words.NOUNS, key=len, reverse=True))
    return re.compile(
        rf":?(?: (?:{_choices(words.ADJECTIVES)}),?(?: and)?)*"
        rf"(?: (?:{nouns})s?,?(?: (?:{words.WHERE}))?)?(?: (?:the|both))? ?(?<=[ :])"
        rf"(?:(?P<own>{SELF})|(?P<list>{_LIST}))"
    )


@cache
def _agent() -> re.Pattern[str]:
    """Whom something was replaced by."""
    nouns = "|".join(re.escape(noun).replace(r"\ ", " ") for noun in sorted(words.NOUNS, key=len, reverse=True))
    weak = "|".join(words.WEAK_NOUNS)
    return re.compile(
        rf"(?:-by:?| by:?| with| in favou?r of)(?: (?:{_choices(words.ADJECTIVES)}),?)*"
        rf"(?: (?:{nouns}|{weak})s?,?(?: (?:{words.WHERE}))?)?(?: (?:the|both))? "
        rf"(?:(?P<own>{SELF}|this(?= ?(?:$|[.,;:)])))|(?P<list>{_LIST}))"
    )


@cache
def _favoured() -> re.Pattern[str]:
    """What something was withdrawn in favour of: the words before a reference may describe it."""
    return re.compile(
        rf"(?: (?!(?:and|or|but|which|that|because|as|see|{SELF})\b)[\w'\u2019-]+){{0,10}}? "
        rf"(?:(?P<own>{SELF}|this(?= ?(?:$|[.,;:)])))|(?P<list>{_LIST}))"
    )


@cache
def _complement() -> re.Pattern[str]:
    return re.compile(rf" (?:for|of|to)(?: (?:{_choices(words.ADJECTIVES)}))*(?: [\w-]+){{0,2}}? (?P<list>{_LIST})")


@cache
def _subject() -> re.Pattern[str]:
    adverbs = _choices((*words.ADVERBS, *words.MODALS))
    return re.compile(
        rf"(?P<who>{SELF}|{WEAK}|{_LIST}|\b(?:this|it|we|i|which|that|who)\b)"
        rf"(?P<aside>{_ASIDE}(?:,[^,;:]{{1,80}},)?)(?P<aux>(?:,? (?:{adverbs}|[a-z]+ly))*),? ?$"
    )


@cache
def _conjoined() -> re.Pattern[str]:
    """`This memo expands on and` (supersedes): the subject is further left, past a verb of its own."""
    adverbs = _choices(words.ADVERBS)
    return re.compile(
        rf"(?P<who>{SELF}|\bthis\b|\bit\b)(?P<mid>(?: |,)[^;:.]{{1,160}}?),? (?:and|&|and/or|or|but)(?: (?:{adverbs}|[a-z]+ly))* ?$"
    )


@cache
def _opening() -> re.Pattern[str]:
    """What may stand before the subject of a proof."""
    return re.compile(
        rf"(?:[^\w{_SIGNS}{SELF}{WEAK}]|:\w+:|\[![a-z]+\])*(?:(?:{_choices(LABELS)})[ :\u2013\u2014-]+)*(?:{words.PREFIX}[,:]? ?)*[^\w{_SIGNS}{SELF}{WEAK}]*"
    )


@cache
def _breaks() -> re.Pattern[str]:
    """What begins another clause, whose verb would not be the subject's."""
    return re.compile(
        r"\b(?:that|which|who|whose|when|where|if|because|since|while|whereas|how|why|what|so|it|they|we|to)\b"
    )


@cache
def _dashed() -> re.Pattern[str]:
    """`X (then proposed; now` superseded, `X — ` superseded, `X, since` superseded, `X: ` superseded."""
    adverbs = _choices(words.ADVERBS)
    return re.compile(
        rf"(?P<list>{_SIGN})(?:[,:]| ?[\u2013\u2014]| -| ?\()(?: ?[^();.{_SIGNS}{SELF}]{{1,40}}[;,])?(?: ?(?:{adverbs}))* ?$"
    )


@cache
def _relative_front() -> re.Pattern[str]:
    return re.compile(rf"(?P<list>{SELF}|{_LIST})(?:,|\)| \()? ?$")


@cache
def _antecedent() -> re.Pattern[str]:
    return re.compile(
        rf"(?P<list>{_LIST})[ ,:;(\u2013\u2014-]+(?:(?:the|a|an|its) )?(?:[\w-]+ ){{0,4}}?(?:(?:that|which) )?$"
    )


@cache
def _no_subject() -> re.Pattern[str]:
    """Nothing before the verb but signs, emoji, a label and adverbs; or a status before a comma."""
    labels = _choices(LABELS)
    adverbs = _choices((*words.ADVERBS, "partially", "partly", "in part", "effectively", "mostly"))
    status = "accepted|proposed|rejected|deprecated|draft|final|withdrawn|obsolete|inactive|closed|historical|approved"
    return re.compile(
        rf"(?:[^\w{_SIGNS}{SELF}{WEAK}]|:\w+:|\[![a-z]+\])*(?:(?:{labels})\b[ :\u2013\u2014-]*)*(?:(?:{status})(?: on [0-9-]+)?[,;]? ?(?:and |but )?|[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[ :\u2013\u2014,-]*)*"
        rf"(?:(?:{adverbs}) ?)*[^\w{_SIGNS}{SELF}{WEAK}]*"
    )


@cache
def _near() -> re.Pattern[str]:
    """The nearest reference behind a verb, within its clause."""
    return re.compile(rf"[^;.{_SIGNS}{SELF}]{{0,160}}?(?P<list>{_LIST})")


@cache
def _bare_list() -> re.Pattern[str]:
    return re.compile(rf" ?(?P<list>{_LIST})[ .]*$")


@cache
def _status_before() -> re.Pattern[str]:
    return re.compile(rf"\b(?P<verb>{words.WITHDRAWN})\b[^;.]{{0,50}}? ?\(?,? ?$")


@cache
def _references() -> re.Pattern[str]:
    return re.compile(_LIST)


@cache
def _stop() -> re.Pattern[str]:
    return re.compile(r"[.!?](?= |$)")


@cache
def _explicit_part() -> re.Pattern[str]:
    return re.compile(r" ?(?:\u00a7|sections?\b|parts?\b|clauses?\b|chapters?\b|appendix\b|d[0-9])")


@cache
def _wholly() -> re.Pattern[str]:
    return re.compile(rf",? (?:{words.WHOLLY})\b")


@cache
def _ends() -> re.Pattern[str]:
    return re.compile(r" ?(?:$|[.,;:!?)\](}\u2013\u2014\"\u201d|]|- |which\b|[^\w\s'\u2019\u00a7#/&+-])")


@cache
def _and_verb() -> re.Pattern[str]:
    return re.compile(
        r" (?:and|but)(?: (?:also|then|thereby|now|further|[a-z]+ly))? (?P<verb>[a-z]+)"
        rf"(?P<next> (?:a|an|the|some|its|it|them|their|this|these|those|all|any|how|what|why|when|{_SIGN}|new|several)\b)?"
    )


@cache
def _augments() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{words.AUGMENTING})\b")


@cache
def _augmenting() -> re.Pattern[str]:
    return re.compile(rf"\b(?P<verb>{words.AUGMENTING})\b(?: (?:the|both))? (?P<list>{_LIST})")
