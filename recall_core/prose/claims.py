"""What one reduced sentence claims: who replaces whom, how plainly, and what holds it back."""

from collections.abc import Iterator, Sequence

from recall_core.prose import grammar
from recall_core.prose.active import read_active, read_instead, read_nominal, read_participle
from recall_core.prose.candidate import Refusal
from recall_core.prose.claim import Claim
from recall_core.prose.markers import Family, Form, Mark
from recall_core.prose.passive import read_favour, read_passive, read_state
from recall_core.prose.reduce import Reduced
from recall_core.prose.subject import Context, find_subject, list_mentioned


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
            return read_instead(sentence, mark, context)
        case Form.ACTIVE:
            return read_active(sentence, mark, context)
        case Form.PASSIVE if mark.family in (Family.IN_FAVOUR_OF, Family.FAVOURING):
            return read_favour(sentence, mark, context)
        case Form.PASSIVE if mark.family in (Family.NO_LONGER, Family.IS_NOW):
            return read_state(sentence, mark, context)
        case Form.PASSIVE:
            return read_passive(sentence, mark, context)
        case Form.PARTICIPLE:
            return read_participle(sentence, mark, context)
        case Form.NOMINAL:
            return read_nominal(sentence, mark, context)
