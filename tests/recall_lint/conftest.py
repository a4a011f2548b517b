"""Suggestions made by hand."""

from collections.abc import Callable

import pytest

from recall_core.model.span import Span
from recall_core.prose.candidate import Evidence, Refusal
from recall_lint.check.suggestion import Kind, Paste, Suggestion

Suggest = Callable[..., Suggestion]


def suggest(
    declare_in: str = "new.md",
    target: str = "old.md",
    *,
    line: int = 5,
    column: int = 6,
    at: str | None = None,
    text: str = "This supersedes old.md.",
    **more: object,
) -> Suggestion:
    """A suggestion told at a line of the memo that would declare it, or of `at`."""
    evidence = Evidence(at or declare_in, Span(line, column, line, column + 10), text)
    held_back = more.get("held_back")
    values: dict[str, object] = {
        "paste": Paste(2, f"supersedes: {target}"), "kind": Kind.TOLD, "score": 0.5, "evidence": evidence,
        "is_proof": held_back is None, **more,
    }  # fmt: skip
    assert held_back is None or isinstance(held_back, Refusal)
    return Suggestion(target, declare_in, **values)  # type: ignore[arg-type]  # fields by name


@pytest.fixture(name="suggest")
def suggest_fixture() -> Suggest:
    return suggest
