"""An edge that somebody may want to declare: told by a sentence, or only suggested by a likeness."""

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from recall_core.prose.candidate import Evidence, Refusal
from recall_lint.questions.answers import Answer


class Kind(Enum):
    """Where a suggestion comes from."""

    TOLD = "told"
    """A sentence speaks of it."""
    RESEMBLES = "resembles"
    """Two memos look alike, and no sentence says anything."""


class Paste(NamedTuple):
    """What to type: the line of the memo that it becomes (or takes the place of), and the text without a line end.

    The text is empty where a program cannot say it, `refusal` then tells why.
    """

    line: int
    text: str
    replaces: bool = False
    refusal: str = ""


class Suggestion(NamedTuple):
    """`declare_in` would declare that it replaces `target`.

    Both are paths, or the text of a reference that names no memo. `evidence` is None for a likeness, and `why` says in
    words what is alike. `is_proof` means that the sentence alone proves the edge.
    """

    target: str
    declare_in: str
    paste: Paste
    kind: Kind
    score: float
    evidence: Evidence | None = None
    held_back: Refusal | None = None
    answer: Answer | None = None
    is_proof: bool = False
    why: str = ""

    @property
    def is_question(self) -> bool:
        """Whether somebody should answer: told, held back by nothing, and neither declared nor declined."""
        return self.kind is Kind.TOLD and self.held_back is None and self.answer is None

    @property
    def is_open(self) -> bool:
        """Whether nobody has answered it, held back or not."""
        return self.answer is None

    @property
    def pair(self) -> frozenset[str]:
        """The two memos, in no order."""
        return frozenset((self.target, self.declare_in))

    def other(self, path: str) -> str:
        """The memo of the two that is not `path`."""
        return self.target if self.declare_in == path else self.declare_in


def in_order(suggestions: Iterable[Suggestion]) -> tuple[Suggestion, ...]:
    """Questions first, then what is held back, then likenesses, then what is answered; the best first in each."""
    return tuple(sorted(suggestions, key=_rank))


def _rank(suggestion: Suggestion) -> tuple[int, float, str, int, int, str, str]:
    evidence = suggestion.evidence
    place = (evidence.path, evidence.span.line, evidence.span.column) if evidence is not None else ("", 0, 0)
    if suggestion.answer is not None:
        group = 3
    elif suggestion.kind is Kind.RESEMBLES:
        group = 2
    else:
        group = int(suggestion.held_back is not None)
    # What is held back stands in the order of the text.
    score = 0.0 if group == 1 else -suggestion.score
    return group, score, *place, suggestion.target, suggestion.declare_in


def without_repetition(suggestions: Iterable[Suggestion]) -> list[Suggestion]:
    """Of several sentences that ask the same question the best; of what is held back each sentence once."""
    ordered = in_order(suggestions)
    asked = {(each.declare_in, each.target) for each in ordered if each.is_question}
    seen: set[tuple[object, ...]] = set()
    kept = []
    for each in ordered:
        edge = (each.declare_in, each.target)
        if each.is_question or each.answer is not None or each.kind is Kind.RESEMBLES:
            token: tuple[object, ...] = (*edge, each.kind, each.answer)
        elif edge in asked:
            continue  # the same is asked on better grounds
        else:
            place = each.evidence.span.line if each.evidence is not None else 0
            token = (*edge, each.held_back, place, each.evidence.path if each.evidence is not None else "")
        if token not in seen:
            seen.add(token)
            kept.append(each)
    return kept
