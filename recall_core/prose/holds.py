"""What holds a claim back: the words before its verb, between it and its object, and behind that."""

import re
from collections.abc import Sequence

from recall_core.prose import grammar, words
from recall_core.prose.candidate import Refusal
from recall_core.prose.markers import Mark
from recall_core.prose.reduce import Reduced
from recall_core.prose.subject import Context, Subject, clause_start


def find_holds(sentence: Reduced, subject: Subject, mark: Mark, end: int, context: Context) -> set[Refusal]:
    """What holds a claim back from the start of its clause to the references of its object."""
    low = sentence.low
    listed = grammar.references().search(low, mark.end, end)
    last = listed.start() if listed else end
    found = scan(low[subject.start : last], words.HOLDS) | set(context.holds)
    # Scope words before the subject are about something else.
    found |= scan(low[clause_start(low, subject.start) : subject.start], words.HOLDS) - {Refusal.PARTIAL}
    found |= scan(low[last:end], words.AFTER)
    if (conj := low[subject.end : mark.start]) and grammar.augments().search(conj) and "and" not in conj.split():
        found.add(Refusal.AUGMENTING)
    return found


def look_behind(sentence: Reduced, end: int, context: Context) -> tuple[set[Refusal], bool]:
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
    refusals |= scan(grammar.stop().split(rest, 1)[0], words.AFTER)
    if context.following:
        refusals |= scan(context.following, words.NEXT)
    return refusals, plain and not refusals


def scan(region: str, tables: Sequence[tuple[Refusal, str]]) -> set[Refusal]:
    """The refusals whose words stand anywhere in a region of lower-cased text."""
    return {refusal for refusal, pattern in tables if grammar.whole(pattern).search(region)}


def _line_ends(sentence: Reduced, end: int) -> bool:
    """Whether a line ends here and the next one begins like a sentence: a stop is often left out behind a link."""
    return end in sentence.breaks and sentence.text[end + 1 : end + 2].isupper()


def _is_coordinated(rest: str) -> bool:
    match = grammar.and_verb().match(rest)
    if match is None:
        return False
    verb = match["verb"]
    return verb in _COORDINATED or (verb.endswith("s") and not verb.endswith("ss") and match["next"] is not None)


_COORDINATED = frozenset(words.COORDINATED)
