"""Direct negation: `does not replace`, `replaces nothing`."""

from recall_core.prose.markers import Mark

NEGATIONS = frozenset(("not", "never", "neither", "nor", "no", "none", "nothing", "cannot", "without", "longer"))
_VERBS = {"be", "been", "being", "designed", "expected", "get", "going", "has", "have", "intended", "meant", "supposed"}
FILLERS = frozenset(_VERBS | {"a", "an", "and", "ever", "itself", "of", "or", "the", "to", "with", "yet"})
"""Words that may stand between a negation and what it negates; so may adverbs in -ly, `only` aside."""

OBJECTS = frozenset({"nothing", "none", "neither", "no"})
"""Words that negate a marker from behind: `replaces nothing`."""

STEMS = ("supersed", "superced", "replac", "obsolet", "deprecat", "retir")
"""Beginnings of the markers: one negation covers a list of them, `does not replace or retire`."""


def is_denied(lowered: str, start: int, mark: Mark) -> bool:
    """Whether a marker is directly negated, as in `does not replace`; `start` is where its sentence starts."""
    # Sixty characters hold every filler that is looked past; looking no further keeps the cost linear.
    before = lowered[max(start, mark.start - 60) : mark.start]
    for word in reversed(before.split()):
        bare = word.strip("*_~\"'\u2018\u2019\u201c\u201d`")
        if bare in NEGATIONS or bare.endswith(("n't", "n\u2019t")):
            return True
        if bare not in FILLERS and not bare.startswith(STEMS) and (not bare.endswith("ly") or bare == "only"):
            break
    after = [word.strip("*_~.,;") for word in lowered[mark.end : mark.end + 20].split()]
    return next((word in OBJECTS for word in after if word != "by"), False)
