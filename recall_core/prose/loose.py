"""A closure word and a reference in one sentence, with nothing that joins them."""

import re

from recall_core.prose import grammar
from recall_core.prose.candidate import Refusal
from recall_core.prose.claim import Claim, build_claim
from recall_core.prose.holds import find_holds
from recall_core.prose.markers import Form, Mark
from recall_core.prose.nearby import any_after, any_before
from recall_core.prose.reduce import Reduced
from recall_core.prose.subject import Context, Subject, list_mentioned


def read_loosely(sentence: Reduced, mark: Mark, subject: Subject, context: Context) -> Claim | None:
    """A closure word and a reference in one sentence, and no pattern that joins them: held back at the least."""
    low = sentence.low
    right = grammar.near().match(low, mark.end)
    refusals = find_holds(sentence, subject, mark, right.end() if right else mark.end, context)
    is_self = subject.kind in ("self", "bare", "it", "none", "we")
    if right is not None:
        listed = list_mentioned(sentence, *right.span("list"))
        gap = low[mark.end : right.start("list")]
        if is_self and (re.search(r"\b(?:of|in|from|for|by|to|on|with|under)\b|['\u2019]s", gap) or gap.strip()):
            refusals |= {Refusal.PARTIAL}
        if not is_self or not gap.strip():
            refusals |= {Refusal.OTHER_SUBJECT}
        if mark.form is Form.PASSIVE and re.match(r" (?:by|with|in favo)", gap):
            return build_claim(mark, (), listed, refusals | {Refusal.OTHER_SUBJECT}, False, 0.1)
        successors = subject.others if subject.kind == "others" else ()
        return build_claim(mark, listed, successors, refusals or {Refusal.OTHER_SUBJECT}, False, 0.15)
    front = any_before(sentence, mark.start) or any_after(sentence, mark.end)
    if front is None:
        return None
    if re.search(r"\b(?:its|their|his|her)\b|\bonly\b", low[mark.end : mark.end + 60]):
        refusals |= {Refusal.PARTIAL}
    if not refusals or subject.kind in ("others", "other"):
        refusals |= {Refusal.OTHER_SUBJECT}
    return build_claim(mark, front, (), refusals, False, 0.1)
