"""The words in which a suggestion is put to an author."""

from recall_core.prose.candidate import Refusal
from recall_lint.check.suggestion import Suggestion

QUESTION_CODE = "RL301"
"""The rule that fires exactly where `check` has an open question."""

_LONGEST_NAME = 120

WHY_HELD_BACK = {
    Refusal.REPORTED_SPEECH: "somebody else is reported to say so",
    Refusal.OTHER_SUBJECT: "the sentence is about other memos, or other things",
    Refusal.HEDGED: "the sentence is not sure",
    Refusal.NEGATED: "the sentence denies it",
    Refusal.PARTIAL: "only a part is replaced",
    Refusal.AUGMENTING: "it adds to the other memo, which may stay in force",
    Refusal.QUESTION: "the sentence asks",
    Refusal.CONDITIONAL: "it depends on something",
    Refusal.FUTURE: "it is still to come",
    Refusal.PROPOSAL: "it is only proposed",
    Refusal.QUOTED: "it is a quotation",
    Refusal.ALTERNATIVE: "it is one of several alternatives",
    Refusal.CATALOGUE: "this memo catalogues others",
    Refusal.TARGET_MISSING: "no memo has this name",
    Refusal.TARGET_AMBIGUOUS: "several memos have this name",
    Refusal.SELF: "the memo speaks of itself",
    Refusal.RIVAL: "another memo claims the same",
}


def ask(suggestion: Suggestion) -> str:
    """The question in one sentence, without a question mark at its end where it is none."""
    here = suggestion.evidence.path if suggestion.evidence is not None else suggestion.declare_in
    if suggestion.declare_in == here:
        return f"does this memo replace `{name(suggestion.target)}`?"
    if suggestion.target == here:
        return f"is this memo replaced by `{name(suggestion.declare_in)}`?"
    return f"does `{name(suggestion.declare_in)}` replace `{name(suggestion.target)}`?"


def tell(suggestion: Suggestion) -> str:
    """The edge in words, for what is held back."""
    return f"`{name(suggestion.declare_in)}` in place of `{name(suggestion.target)}`"


def name(path: str) -> str:
    """A path short enough to stand in a sentence; both ends are kept."""
    if len(path) <= _LONGEST_NAME:
        return path
    tail = _LONGEST_NAME // 2
    return f"{path[: _LONGEST_NAME - tail - 1]}…{path[-tail:]}"


def where_to_write(suggestion: Suggestion) -> str:
    """Where the edge belongs, and what to type there."""
    paste = suggestion.paste
    if not paste.text:
        return f"declare it in `{name(suggestion.declare_in)}`: {paste.refusal or 'by hand'}"
    if "\n" in paste.text:
        lines = " / ".join(f"`{line}`" for line in paste.text.split("\n"))
        return f"put these lines at the top of `{name(suggestion.declare_in)}`: {lines}"
    verb = "make line" if paste.replaces else "add as line"
    return f"{verb} {paste.line} of `{name(suggestion.declare_in)}`: `{paste.text}`"
