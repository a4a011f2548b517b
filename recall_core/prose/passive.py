"""Claims whose subject loses the place: `B is superseded by A`, `B was withdrawn in favour of A`."""

import re

from recall_core.prose import grammar, words
from recall_core.prose.candidate import Refusal
from recall_core.prose.claim import PROVING, Claim, build_claim
from recall_core.prose.holds import find_holds, look_behind
from recall_core.prose.loose import read_loosely
from recall_core.prose.markers import Family, Mark
from recall_core.prose.nearby import any_before, names_itself, near_before
from recall_core.prose.reduce import Reduced
from recall_core.prose.subject import Context, Subject, find_subject, list_mentioned, opens_plainly


def read_passive(sentence: Reduced, mark: Mark, context: Context) -> Claim | None:
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
        return read_loosely(sentence, mark, subject, context)
    if "favo" in low[agent.start() : agent.start("list")] if agent["list"] else False:
        proves = True
    if agent["own"] and subject.kind not in ("others", "other") and (own := names_itself(sentence, agent.start("own"))):
        return build_claim(mark, (own,), (), {Refusal.SELF}, False, 0.2)
    refusals, plain = look_behind(sentence, agent.end(), context)
    refusals |= find_holds(sentence, subject, mark, agent.end(), context)
    plain = plain and opens_plainly(low, subject)
    return _judge_passive(sentence, mark, subject, agent, refusals, context, plain=plain and proves)


def read_favour(sentence: Reduced, mark: Mark, context: Context) -> Claim | None:
    """`B was withdrawn in favour of A`."""
    low = sentence.low
    status = grammar.status_before().search(low, max(0, mark.start - 90), mark.start)
    agent = grammar.favoured().match(low, mark.end)
    start = status.start("verb") if status else mark.start
    subject = find_subject(sentence, start, context, passive=True)
    if agent is None or status is None:
        claim = read_loosely(sentence, mark, subject, context)
        return claim and claim._replace(refusals=claim.refusals | {Refusal.ALTERNATIVE}, is_proof=False)
    refusals, plain = look_behind(sentence, agent.end(), context)
    refusals |= find_holds(sentence, subject, mark, agent.end(), context)
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
                return build_claim(mark, subject.others, (), refusals, plain, 0.85)
            case "none" if context.subject:
                return build_claim(mark, context.subject, (), refusals, False, 0.6)
            case _:
                front = any_before(sentence, mark.start)
                if front is None:
                    return None
                return build_claim(mark, front, (), refusals | {Refusal.OTHER_SUBJECT}, False, 0.2)
    successors = list_mentioned(sentence, *agent.span("list"))
    match subject.kind:
        case "self" | "it":
            return build_claim(mark, (), successors, refusals, plain, 0.95)
        case "bare":
            return build_claim(mark, (), successors, refusals, plain and (context.may_be_bare or context.is_note), 0.9)
        case "weak" if context.is_preamble or context.is_note:
            return build_claim(mark, (), successors, refusals, plain and (context.is_preamble or context.is_top), 0.75)
        case "none" if context.subject:
            return build_claim(mark, context.subject, successors, refusals | {Refusal.OTHER_SUBJECT}, False, 0.2)
        case "none":
            return build_claim(mark, (), successors, refusals, plain and context.is_note, 0.8)
        case "others":
            return build_claim(mark, subject.others, successors, refusals | {Refusal.OTHER_SUBJECT}, False, 0.3)
        case _:
            return build_claim(mark, (), successors, refusals | {Refusal.OTHER_SUBJECT}, False, 0.2)


def read_state(sentence: Reduced, mark: Mark, context: Context) -> Claim | None:
    """`X no longer applies`: says that X has ended, not what took its place."""
    front = near_before(sentence, mark.start)
    if mark.family is Family.IS_NOW or front is None:
        return None
    subject = Subject("other", front, sentence.low.rfind(". ", 0, mark.start) + 1, mark.start)
    refusals = find_holds(sentence, subject, mark, mark.end, context) | {Refusal.OTHER_SUBJECT}
    return build_claim(mark, front, (), refusals, False, 0.1)
