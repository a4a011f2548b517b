"""The references that stand around a verb."""

import re

from recall_core.prose import grammar
from recall_core.prose.reduce import SELF, Mentioned, Reduced
from recall_core.prose.subject import list_mentioned


def any_before(sentence: Reduced, end: int) -> tuple[Mentioned, ...] | None:
    """The last list of references before a place."""
    found = [match.span() for match in grammar.references().finditer(sentence.low, 0, end)]
    return list_mentioned(sentence, *found[-1]) if found else None


def any_after(sentence: Reduced, start: int) -> tuple[Mentioned, ...] | None:
    """The first reference behind a place."""
    found = [index for sign in grammar.SIGNS if (index := sentence.low.find(sign, start)) >= 0]
    return (sentence.mentioned[min(found)],) if found and min(found) in sentence.mentioned else None


def near_before(sentence: Reduced, end: int) -> tuple[Mentioned, ...] | None:
    """The reference that ends at a place, or with one form of `to be` between them."""
    match = re.search(rf"(?P<list>{grammar.SIGN})(?: is| are| was| were)? $", sentence.low[:end])
    return list_mentioned(sentence, *match.span("list")) if match else None


def names_itself(sentence: Reduced, at: int) -> Mentioned | None:
    """The reference by which a memo names itself, `this memo` aside."""
    own = sentence.mentioned.get(at)
    return own if own and own.sign == SELF and not own.written.lower().startswith(("this", "the ", "our ")) else None
