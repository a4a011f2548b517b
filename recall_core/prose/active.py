"""Claims whose subject takes the place: `A supersedes B`, `A has replaced B`, `A is a replacement for B`."""

import re

from recall_core.prose import grammar, words
from recall_core.prose.candidate import Refusal
from recall_core.prose.claim import PROVING, Claim, build_claim
from recall_core.prose.holds import find_holds, look_behind, scan
from recall_core.prose.loose import read_loosely
from recall_core.prose.markers import Mark
from recall_core.prose.nearby import names_itself
from recall_core.prose.reduce import SELF, Reduced
from recall_core.prose.subject import Context, Subject, find_subject, list_mentioned, opens_plainly


def read_active(  # noqa: C901 - one case for each kind of subject
    sentence: Reduced, mark: Mark, context: Context
) -> Claim | None:
    """`A supersedes B`, with what stands around it."""
    low = sentence.low
    subject = find_subject(sentence, mark.start, context)
    found = grammar.object_phrase().match(low, mark.end)
    if found and found["own"] and not subject.others and (own := names_itself(sentence, found.start("own"))):
        return build_claim(mark, (own,), (), {Refusal.SELF}, False, 0.2)
    if found is None or (found["own"] and not subject.others):
        if relative := _read_relative(sentence, mark, subject, context):
            return relative
        return read_loosely(sentence, mark, subject, context)
    is_base = not low[mark.start : mark.end].endswith("s")
    end = found.end()
    refusals, plain = look_behind(sentence, end, context)
    refusals |= find_holds(sentence, subject, mark, end, context)
    plain = plain and opens_plainly(low, subject)
    if found["own"]:
        return build_claim(mark, (), subject.others, refusals, plain and subject.kind == "others" and not is_base, 0.9)
    targets = list_mentioned(sentence, *found.span("list"))
    proves = mark.family in PROVING
    match subject.kind:
        case "self" | "it":
            return build_claim(mark, targets, (), refusals, plain and proves and not is_base, 0.95)
        case "bare":
            return build_claim(
                mark, targets, (), refusals, plain and proves and not is_base and context.may_be_bare, 0.9
            )
        case "weak":
            sure = context.is_preamble and plain and proves and not is_base
            return build_claim(mark, targets, (), refusals | (set() if sure else {Refusal.OTHER_SUBJECT}), sure, 0.7)
        case "none" if context.subject:
            return build_claim(mark, targets, context.subject, refusals | {Refusal.OTHER_SUBJECT}, False, 0.2)
        case "none":
            if is_base:
                refusals |= {Refusal.PROPOSAL}
            return build_claim(mark, targets, (), refusals, plain and proves and context.is_note and not is_base, 0.8)
        case "we":
            return build_claim(mark, targets, (), refusals, False, 0.6)
        case "others":
            return build_claim(mark, targets, subject.others, refusals | {Refusal.OTHER_SUBJECT}, False, 0.3)
        case _:
            return build_claim(mark, targets, (), refusals | {Refusal.OTHER_SUBJECT}, False, 0.2)


def _read_relative(sentence: Reduced, mark: Mark, subject: Subject, context: Context) -> Claim | None:
    """`X, the design that this memo supersedes`: the object stands in front."""
    if subject.kind not in ("self", "bare") or not _ends_clause(sentence.low, mark.end):
        return None
    front = grammar.antecedent().search(sentence.low[: subject.start])
    if front is None:
        return None
    targets = list_mentioned(sentence, *front.span("list"))
    inner = Subject(subject.kind, (), front.start(), subject.end)
    refusals = find_holds(sentence, inner, mark, mark.end, context) | scan(sentence.low[mark.end :], words.AFTER)
    is_base = not sentence.low[mark.start : mark.end].endswith("s")
    return build_claim(mark, targets, (), refusals, mark.family in PROVING and not is_base, 0.85)


def read_participle(sentence: Reduced, mark: Mark, context: Context) -> Claim | None:
    """`A has superseded B`, `A replaced B`; else an adjective, which says nothing of a successor."""
    low = sentence.low
    if low[mark.end : mark.end + 1] == ":" and (listed := grammar.bare_list().match(low, mark.end + 1)):
        return build_claim(mark, list_mentioned(sentence, *listed.span("list")), (), {Refusal.CATALOGUE}, False, 0.1)
    found = grammar.object_phrase().match(low, mark.end)
    subject = find_subject(sentence, mark.start, context)
    if found is None:
        return read_loosely(sentence, mark, subject, context)
    refusals, plain = look_behind(sentence, found.end(), context)
    refusals |= find_holds(sentence, subject, mark, found.end(), context)
    has = (
        re.search(r" (?:has|have)(?: (?:now|since|thereby|formally|fully|completely))? $", low[: mark.start])
        is not None
    )
    plain = plain and has and mark.family in PROVING and opens_plainly(low, subject)
    if found["own"]:
        if subject.kind == "others":
            return build_claim(mark, (), subject.others, refusals, plain, 0.85)
        return None
    targets = list_mentioned(sentence, *found.span("list"))
    if subject.kind in ("self", "it", "bare"):
        return build_claim(mark, targets, (), refusals, plain and subject.kind != "bare", 0.8 if has else 0.6)
    if subject.kind == "we":
        return build_claim(mark, targets, (), refusals | {Refusal.OTHER_SUBJECT}, False, 0.3)
    if subject.kind == "others":
        return build_claim(mark, targets, subject.others, refusals | {Refusal.OTHER_SUBJECT}, False, 0.3)
    return build_claim(mark, targets, (), refusals | {Refusal.OTHER_SUBJECT}, False, 0.2)


def read_nominal(sentence: Reduced, mark: Mark, context: Context) -> Claim | None:
    """`A is a replacement for B`: enough for a question, never for a proof."""
    low = sentence.low
    found = grammar.complement().match(low, mark.end)
    is_front = re.search(rf"(?:{SELF}|this) is (?:now )?(?:the|a|an)(?: [a-z-]+){{0,3}} $", low[: mark.start])
    start = is_front.start() if is_front else mark.start
    subject = find_subject(sentence, mark.start, context) if not is_front else Subject("self", (), start, start + 1)
    if found is None:
        return read_loosely(sentence, mark, subject._replace(kind="other"), context)
    refusals, _ = look_behind(sentence, found.end(), context)
    refusals |= find_holds(sentence, subject, mark, found.end(), context)
    if not is_front:
        refusals |= {Refusal.OTHER_SUBJECT}
    return build_claim(mark, list_mentioned(sentence, *found.span("list")), (), refusals, False, 0.5)


def read_instead(sentence: Reduced, mark: Mark, context: Context) -> Claim | None:
    """`we use A instead of B`: an alternative, never a succession."""
    found = grammar.object_phrase().match(sentence.low, mark.end)
    if found is None or found["own"]:
        return None
    subject = find_subject(sentence, mark.start, context)
    refusals = {Refusal.ALTERNATIVE} | find_holds(sentence, subject, mark, found.end(), context)
    return build_claim(mark, list_mentioned(sentence, *found.span("list")), (), refusals, False, 0.1)


def _ends_clause(low: str, end: int) -> bool:
    return re.match(r" ?(?:$|[.,;:)\]!(\u2013\u2014-])", low[end:]) is not None
