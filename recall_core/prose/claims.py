"""What one reduced sentence claims: who replaces whom, how plainly, and what holds it back."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from recall_core.prose import grammar, words
from recall_core.prose.candidate import Refusal
from recall_core.prose.markers import Family, Form, Mark
from recall_core.prose.reduce import AMBIGUOUS, MISSING, SELF, Mentioned, Reduced
from recall_core.prose.subject import Context, Subject, clause_start, find_subject, list_mentioned, opens_plainly

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


class Claim(NamedTuple):
    """`successors` replace `targets`; an empty side is this memo. All pairs share the refusals."""

    mark: Mark
    targets: tuple[Mentioned, ...]
    successors: tuple[Mentioned, ...]
    refusals: frozenset[Refusal]
    is_proof: bool
    score: float


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
    for match in grammar.augmenting().finditer(sentence.low):
        subject = find_subject(sentence, match.start("verb"), context)
        if subject.kind not in ("self", "bare", "it"):
            continue
        mark = Mark(match.start("verb"), match.end("verb"), Family.SUPERSEDE, Form.ACTIVE)
        yield Claim(
            mark, list_mentioned(sentence, *match.span("list")), (), frozenset((Refusal.AUGMENTING,)), False, 0.1
        )


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
    subject = find_subject(sentence, mark.start, context)
    found = grammar.object_phrase().match(low, mark.end)
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
    plain = plain and opens_plainly(low, subject)
    if found["own"]:
        return _build(mark, (), subject.others, refusals, plain and subject.kind == "others" and not is_base, 0.9)
    targets = list_mentioned(sentence, *found.span("list"))
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


def _read_relative(sentence: Reduced, mark: Mark, subject: Subject, context: Context) -> Claim | None:
    """`X, the design that this memo supersedes`: the object stands in front."""
    if subject.kind not in ("self", "bare") or not _ends_clause(sentence.low, mark.end):
        return None
    front = grammar.antecedent().search(sentence.low[: subject.start])
    if front is None:
        return None
    targets = list_mentioned(sentence, *front.span("list"))
    inner = Subject(subject.kind, (), front.start(), subject.end)
    refusals = _hold(sentence, inner, mark, mark.end, context) | _scan(sentence.low[mark.end :], words.AFTER)
    is_base = not sentence.low[mark.start : mark.end].endswith("s")
    return _build(mark, targets, (), refusals, mark.family in PROVING and not is_base, 0.85)


def _read_passive(sentence: Reduced, mark: Mark, context: Context) -> Claim | None:
    """`B is superseded by A`."""
    low = sentence.low
    if mark.family in (Family.MOVED_TO, Family.MERGED_INTO):
        agent = grammar.object_phrase().match(low, mark.end)
        proves = False
    else:
        agent = grammar.agent().match(low, mark.end)
        proves = mark.family in (*PROVING, Family.SUCCEED)
    subject = find_subject(sentence, mark.start, context, passive=True)
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
    plain = plain and opens_plainly(low, subject)
    return _judge_passive(sentence, mark, subject, agent, refusals, context, plain=plain and proves)


def _read_favour(sentence: Reduced, mark: Mark, context: Context) -> Claim | None:
    """`B was withdrawn in favour of A`."""
    low = sentence.low
    status = grammar.status_before().search(low, max(0, mark.start - 90), mark.start)
    agent = grammar.favoured().match(low, mark.end)
    start = status.start("verb") if status else mark.start
    subject = find_subject(sentence, start, context, passive=True)
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
    subject: Subject,
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
    successors = list_mentioned(sentence, *agent.span("list"))
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
    if low[mark.end : mark.end + 1] == ":" and (listed := grammar.bare_list().match(low, mark.end + 1)):
        return _build(mark, list_mentioned(sentence, *listed.span("list")), (), {Refusal.CATALOGUE}, False, 0.1)
    found = grammar.object_phrase().match(low, mark.end)
    subject = find_subject(sentence, mark.start, context)
    if found is None:
        return _read_loosely(sentence, mark, subject, context)
    refusals, plain = _behind(sentence, found.end(), context)
    refusals |= _hold(sentence, subject, mark, found.end(), context)
    has = (
        re.search(r" (?:has|have)(?: (?:now|since|thereby|formally|fully|completely))? $", low[: mark.start])
        is not None
    )
    plain = plain and has and mark.family in PROVING and opens_plainly(low, subject)
    if found["own"]:
        if subject.kind == "others":
            return _build(mark, (), subject.others, refusals, plain, 0.85)
        return None
    targets = list_mentioned(sentence, *found.span("list"))
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
    found = grammar.complement().match(low, mark.end)
    is_front = re.search(rf"(?:{SELF}|this) is (?:now )?(?:the|a|an)(?: [a-z-]+){{0,3}} $", low[: mark.start])
    start = is_front.start() if is_front else mark.start
    subject = find_subject(sentence, mark.start, context) if not is_front else Subject("self", (), start, start + 1)
    if found is None:
        return _read_loosely(sentence, mark, subject._replace(kind="other"), context)
    refusals, _ = _behind(sentence, found.end(), context)
    refusals |= _hold(sentence, subject, mark, found.end(), context)
    if not is_front:
        refusals |= {Refusal.OTHER_SUBJECT}
    return _build(mark, list_mentioned(sentence, *found.span("list")), (), refusals, False, 0.5)


def _read_instead(sentence: Reduced, mark: Mark, context: Context) -> Claim | None:
    found = grammar.object_phrase().match(sentence.low, mark.end)
    if found is None or found["own"]:
        return None
    subject = find_subject(sentence, mark.start, context)
    refusals = {Refusal.ALTERNATIVE} | _hold(sentence, subject, mark, found.end(), context)
    return _build(mark, list_mentioned(sentence, *found.span("list")), (), refusals, False, 0.1)


def _read_state(sentence: Reduced, mark: Mark, context: Context) -> Claim | None:
    """`X no longer applies`: says that X has ended, not what took its place."""
    front = _near_before(sentence, mark.start)
    if mark.family is Family.IS_NOW or front is None:
        return None
    subject = Subject("other", front, sentence.low.rfind(". ", 0, mark.start) + 1, mark.start)
    refusals = _hold(sentence, subject, mark, mark.end, context) | {Refusal.OTHER_SUBJECT}
    return _build(mark, front, (), refusals, False, 0.1)


def _read_loosely(sentence: Reduced, mark: Mark, subject: Subject, context: Context) -> Claim | None:
    """A closure word and a reference in one sentence, and no pattern that joins them: held back at the least."""
    low = sentence.low
    right = grammar.near().match(low, mark.end)
    refusals = _hold(sentence, subject, mark, right.end() if right else mark.end, context)
    is_self = subject.kind in ("self", "bare", "it", "none", "we")
    if right is not None:
        listed = list_mentioned(sentence, *right.span("list"))
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


def _hold(sentence: Reduced, subject: Subject, mark: Mark, end: int, context: Context) -> set[Refusal]:
    """What holds a claim back from the start of its clause to the references of its object."""
    low = sentence.low
    listed = grammar.references().search(low, mark.end, end)
    last = listed.start() if listed else end
    found = _scan(low[subject.start : last], words.HOLDS) | set(context.holds)
    # Scope words before the subject are about something else.
    found |= _scan(low[clause_start(low, subject.start) : subject.start], words.HOLDS) - {Refusal.PARTIAL}
    found |= _scan(low[last:end], words.AFTER)
    if (conj := low[subject.end : mark.start]) and grammar.augments().search(conj) and "and" not in conj.split():
        found.add(Refusal.AUGMENTING)
    return found


def _behind(sentence: Reduced, end: int, context: Context) -> tuple[set[Refusal], bool]:
    """What follows an object: refusals, and whether it leaves the claim plain."""
    rest = sentence.low[end:]
    if trail := grammar.wholly().match(rest):
        rest = rest[trail.end() :]
    refusals: set[Refusal] = set()
    plain = True
    if rest and not grammar.ends().match(rest) and not _is_coordinated(rest):
        held = next((refusal for refusal, pattern in words.BEHIND if re.match(pattern, rest)), None)
        plain = _line_ends(sentence, end) and not grammar.explicit_part().match(rest)
        if held is not None and not plain:
            refusals.add(held)
    refusals |= _scan(grammar.stop().split(rest, 1)[0], words.AFTER)
    if context.following:
        refusals |= _scan(context.following, words.NEXT)
    return refusals, plain and not refusals


def _line_ends(sentence: Reduced, end: int) -> bool:
    """Whether a line ends here and the next one begins like a sentence: a stop is often left out behind a link."""
    return end in sentence.breaks and sentence.text[end + 1 : end + 2].isupper()


def _scan(region: str, tables: Sequence[tuple[Refusal, str]]) -> set[Refusal]:
    return {refusal for refusal, pattern in tables if grammar.whole(pattern).search(region)}


def _is_coordinated(rest: str) -> bool:
    match = grammar.and_verb().match(rest)
    if match is None:
        return False
    verb = match["verb"]
    return verb in _COORDINATED or (verb.endswith("s") and not verb.endswith("ss") and match["next"] is not None)


def _ends_clause(low: str, end: int) -> bool:
    return re.match(r" ?(?:$|[.,;:)\]!(\u2013\u2014-])", low[end:]) is not None


def _any_before(sentence: Reduced, end: int) -> tuple[Mentioned, ...] | None:
    """The last list of references before a place."""
    found = [match.span() for match in grammar.references().finditer(sentence.low, 0, end)]
    return list_mentioned(sentence, *found[-1]) if found else None


def _any_after(sentence: Reduced, start: int) -> tuple[Mentioned, ...] | None:
    found = [index for sign in grammar.SIGNS if (index := sentence.low.find(sign, start)) >= 0]
    return (sentence.mentioned[min(found)],) if found and min(found) in sentence.mentioned else None


def _names_itself(sentence: Reduced, at: int) -> Mentioned | None:
    """The reference by which a memo names itself, `this memo` aside."""
    own = sentence.mentioned.get(at)
    return own if own and own.sign == SELF and not own.written.lower().startswith(("this", "the ", "our ")) else None


def _near_before(sentence: Reduced, end: int) -> tuple[Mentioned, ...] | None:
    match = re.search(rf"(?P<list>{grammar.SIGN})(?: is| are| was| were)? $", sentence.low[:end])
    return list_mentioned(sentence, *match.span("list")) if match else None


_COORDINATED = frozenset(words.COORDINATED)
