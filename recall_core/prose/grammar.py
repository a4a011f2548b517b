"""The patterns that claims are read by, over reduced sentences: built from the tables in `words`, compiled when first used."""

# ruff: noqa: E501 - a pattern is read as one line

import re
from collections.abc import Sequence
from functools import cache

from recall_core.prose import words
from recall_core.prose.reduce import AMBIGUOUS, MISSING, OTHER, SELF, WEAK
from recall_core.prose.voice import LABELS

SIGNS = f"{OTHER}{MISSING}{AMBIGUOUS}"
SIGN = f"[{SIGNS}]"
_ASIDE = r"(?: ?\([^()]{0,160}\))?"
_REF = rf"(?:pull request |issue )?{SIGN}{_ASIDE}"
LIST = rf"{_REF}(?:(?:,? (?:and|or|&|plus|as well as)(?: also| then)?(?: by| of| with)?(?: the| the later| partly)? |, (?:the )?| ?/ ?){_REF})*"


def _choices(table: Sequence[str]) -> str:
    return "|".join(
        sorted((re.escape(each).replace(r"\ ", " ").replace("'", "['\u2019]") for each in table), key=len, reverse=True)
    )


@cache
def whole(pattern: str) -> re.Pattern[str]:
    """A word or phrase of the tables that begins no later part of another word."""
    return re.compile(rf"(?<![\w-])(?:{pattern})")


@cache
def object_phrase() -> re.Pattern[str]:
    """A bare object: adjectives, the memo's noun, where it is documented, the references; or this memo itself."""
    nouns = "|".join(re.escape(noun).replace(r"\ ", " ") for noun in sorted(words.NOUNS, key=len, reverse=True))
    return re.compile(
        rf":?(?: (?:{_choices(words.ADJECTIVES)}),?(?: and)?)*"
        rf"(?: (?:{nouns})s?,?(?: (?:{words.WHERE}))?)?(?: (?:the|both))? ?(?<=[ :])"
        rf"(?:(?P<own>{SELF})|(?P<list>{LIST}))"
    )


@cache
def agent() -> re.Pattern[str]:
    """Whom something was replaced by."""
    nouns = "|".join(re.escape(noun).replace(r"\ ", " ") for noun in sorted(words.NOUNS, key=len, reverse=True))
    weak = "|".join(words.WEAK_NOUNS)
    return re.compile(
        rf"(?:-by:?| by:?| with| in favou?r of)(?: (?:{_choices(words.ADJECTIVES)}),?)*"
        rf"(?: (?:{nouns}|{weak})s?,?(?: (?:{words.WHERE}))?)?(?: (?:the|both))? "
        rf"(?:(?P<own>{SELF}|this(?= ?(?:$|[.,;:)])))|(?P<list>{LIST}))"
    )


@cache
def favoured() -> re.Pattern[str]:
    """What something was withdrawn in favour of: the words before a reference may describe it."""
    return re.compile(
        rf"(?: (?!(?:and|or|but|which|that|because|as|see|{SELF})\b)[\w'\u2019-]+){{0,10}}? "
        rf"(?:(?P<own>{SELF}|this(?= ?(?:$|[.,;:)])))|(?P<list>{LIST}))"
    )


@cache
def complement() -> re.Pattern[str]:
    """What a nominal form is of: `a replacement for X`."""
    return re.compile(rf" (?:for|of|to)(?: (?:{_choices(words.ADJECTIVES)}))*(?: [\w-]+){{0,2}}? (?P<list>{LIST})")


@cache
def subject() -> re.Pattern[str]:
    """A subject directly before a verb, adverbs and modals aside."""
    adverbs = _choices((*words.ADVERBS, *words.MODALS))
    return re.compile(
        rf"(?P<who>{SELF}|{WEAK}|{LIST}|\b(?:this|it|we|i|which|that|who)\b)"
        rf"(?P<aside>{_ASIDE}(?:,[^,;:]{{1,80}},)?)(?P<aux>(?:,? (?:{adverbs}|[a-z]+ly))*),? ?$"
    )


@cache
def conjoined() -> re.Pattern[str]:
    """`This memo expands on and` (supersedes): the subject is further left, past a verb of its own."""
    adverbs = _choices(words.ADVERBS)
    return re.compile(
        rf"(?P<who>{SELF}|\bthis\b|\bit\b)(?P<mid>(?: |,)[^;:.]{{1,160}}?),? (?:and|&|and/or|or|but)(?: (?:{adverbs}|[a-z]+ly))* ?$"
    )


@cache
def opening() -> re.Pattern[str]:
    """What may stand before the subject of a proof."""
    return re.compile(
        rf"(?:[^\w{SIGNS}{SELF}{WEAK}]|:\w+:|\[![a-z]+\])*(?:(?:{_choices(LABELS)})[ :\u2013\u2014-]+)*(?:{words.PREFIX}[,:]? ?)*[^\w{SIGNS}{SELF}{WEAK}]*"
    )


@cache
def breaks() -> re.Pattern[str]:
    """What begins another clause, whose verb would not be the subject's."""
    return re.compile(
        r"\b(?:that|which|who|whose|when|where|if|because|since|while|whereas|how|why|what|so|it|they|we|to)\b"
    )


@cache
def dashed() -> re.Pattern[str]:
    """`X (then proposed; now` superseded, `X — ` superseded, `X, since` superseded, `X: ` superseded."""
    adverbs = _choices(words.ADVERBS)
    return re.compile(
        rf"(?P<list>{SIGN})(?:[,:]| ?[\u2013\u2014]| -| ?\()(?: ?[^();.{SIGNS}{SELF}]{{1,40}}[;,])?(?: ?(?:{adverbs}))* ?$"
    )


@cache
def relative_front() -> re.Pattern[str]:
    """The references, or this memo, that a relative pronoun stands for."""
    return re.compile(rf"(?P<list>{SELF}|{LIST})(?:,|\)| \()? ?$")


@cache
def antecedent() -> re.Pattern[str]:
    """References that an apposition speaks of."""
    return re.compile(
        rf"(?P<list>{LIST})[ ,:;(\u2013\u2014-]+(?:(?:the|a|an|its) )?(?:[\w-]+ ){{0,4}}?(?:(?:that|which) )?$"
    )


@cache
def no_subject() -> re.Pattern[str]:
    """Nothing before the verb but signs, emoji, a label and adverbs; or a status before a comma."""
    labels = _choices(LABELS)
    adverbs = _choices((*words.ADVERBS, "partially", "partly", "in part", "effectively", "mostly"))
    status = "accepted|proposed|rejected|deprecated|draft|final|withdrawn|obsolete|inactive|closed|historical|approved"
    return re.compile(
        rf"(?:[^\w{SIGNS}{SELF}{WEAK}]|:\w+:|\[![a-z]+\])*(?:(?:{labels})\b[ :\u2013\u2014-]*)*(?:(?:{status})(?: on [0-9-]+)?[,;]? ?(?:and |but )?|[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[ :\u2013\u2014,-]*)*"
        rf"(?:(?:{adverbs}) ?)*[^\w{SIGNS}{SELF}{WEAK}]*"
    )


@cache
def near() -> re.Pattern[str]:
    """The nearest reference behind a verb, within its clause."""
    return re.compile(rf"[^;.{SIGNS}{SELF}]{{0,160}}?(?P<list>{LIST})")


@cache
def bare_list() -> re.Pattern[str]:
    """References alone, to the end."""
    return re.compile(rf" ?(?P<list>{LIST})[ .]*$")


@cache
def status_before() -> re.Pattern[str]:
    """A withdrawal before "in favour of"."""
    return re.compile(rf"\b(?P<verb>{words.WITHDRAWN})\b[^;.]{{0,50}}? ?\(?,? ?$")


@cache
def references() -> re.Pattern[str]:
    """Any list of references."""
    return re.compile(LIST)


@cache
def stop() -> re.Pattern[str]:
    """The end of a sentence."""
    return re.compile(r"[.!?](?= |$)")


@cache
def explicit_part() -> re.Pattern[str]:
    """The name of a part, right behind a reference."""
    return re.compile(r" ?(?:\u00a7|sections?\b|parts?\b|clauses?\b|chapters?\b|appendix\b|d[0-9])")


@cache
def wholly() -> re.Pattern[str]:
    """Words that say that the whole is meant."""
    return re.compile(rf",? (?:{words.WHOLLY})\b")


@cache
def ends() -> re.Pattern[str]:
    """What may end an object without a word about its scope."""
    return re.compile(r" ?(?:$|[.,;:!?)\](}\u2013\u2014\"\u201d|]|- |which\b|[^\w\s'\u2019\u00a7#/&+-])")


@cache
def and_verb() -> re.Pattern[str]:
    """A coordinated verb behind an object, and what follows it."""
    return re.compile(
        r" (?:and|but)(?: (?:also|then|thereby|now|further|[a-z]+ly))? (?P<verb>[a-z]+)"
        rf"(?P<next> (?:a|an|the|some|its|it|them|their|this|these|those|all|any|how|what|why|when|{SIGN}|new|several)\b)?"
    )


@cache
def augments() -> re.Pattern[str]:
    """An augmenting verb."""
    return re.compile(rf"\b(?:{words.AUGMENTING})\b")


@cache
def augmenting() -> re.Pattern[str]:
    """An augmenting verb with its object."""
    return re.compile(rf"\b(?P<verb>{words.AUGMENTING})\b(?: (?:the|both))? (?P<list>{LIST})")
