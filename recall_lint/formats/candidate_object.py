"""A suggestion as JSON, the same for `check` and `fix`."""

from recall_core.adapters.encode import text
from recall_lint.check.suggestion import Suggestion


def candidate_object(suggestion: Suggestion) -> dict[str, object]:
    """The keys in the contract's order. `evidence` is null for a likeness."""
    evidence = suggestion.evidence
    return {
        "target": text(suggestion.target),
        "declare_in": text(suggestion.declare_in),
        "paste": {"line": suggestion.paste.line, "text": text(suggestion.paste.text)},
        "kind": suggestion.kind.value,
        "score": round(suggestion.score, 4),
        "evidence": None
        if evidence is None
        else {
            "path": text(evidence.path),
            "line": evidence.span.line,
            "column": evidence.span.column,
            "text": text(evidence.text),
        },
        "held_back": suggestion.held_back.value if suggestion.held_back is not None else None,
        "answer": suggestion.answer.value if suggestion.answer is not None else None,
    }
