"""What body text suggests: that one memo replaces another, and what holds the suggestion back."""

from enum import Enum
from typing import NamedTuple

from recall_core.model.span import Span


class Refusal(Enum):
    """Why a suggestion is no proof and no question. A closed set: programs compare these words."""

    REPORTED_SPEECH = "reported-speech"
    OTHER_SUBJECT = "other-subject"
    HEDGED = "hedged"
    NEGATED = "negated"
    PARTIAL = "partial"
    AUGMENTING = "augmenting"
    QUESTION = "question"
    CONDITIONAL = "conditional"
    FUTURE = "future"
    PROPOSAL = "proposal"
    QUOTED = "quoted"
    ALTERNATIVE = "alternative"
    CATALOGUE = "catalogue"
    TARGET_MISSING = "target-missing"
    TARGET_AMBIGUOUS = "target-ambiguous"
    SELF = "self"
    RIVAL = "rival"


class Evidence(NamedTuple):
    """Where the text says it: memo, place of the closure word, and the sentence as written, at most 400 characters."""

    path: str
    span: Span
    text: str


class Candidate(NamedTuple):
    """`successor` is told to replace `target`; the edge would be declared in `successor`.

    Both are paths of the corpus. `target` is the text of the reference where it names no memo or several (the refusals
    say so), and so is `successor` where the replacing memo is the one that cannot be found. `refusals` is empty where
    nothing holds the suggestion back; `is_proof` says that the sentence alone proves the edge (`recall fix` writes
    those, and a proof is always without refusals). `score`, 0 to 1, orders questions, the best first.
    """

    target: str
    successor: str
    evidence: Evidence
    refusals: tuple[Refusal, ...] = ()
    is_proof: bool = False
    score: float = 0.0


class Resemblance(NamedTuple):
    """Two memos that merely look alike (`why` in words): the newer of them by name or title, and the older."""

    newer: str
    older: str
    why: str
    score: float
