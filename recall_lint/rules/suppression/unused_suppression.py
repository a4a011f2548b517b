"""A suppression suppresses nothing.

## What it does
Reports a `recall: ignore` comment that names a rule with nothing to say at its place, a rule that does not exist, or no
rule at all.

## Why is this bad?
It hides a finding that comes later, and tells readers of a problem that is gone. A misspelt code silences nothing,
though its author believes that it does.

## Example
`supersedes: limits-v1  # recall: ignore RL205` after the other memo was removed.

## Use instead
`supersedes: limits-v1`

A suppression names its rules: `# recall: ignore RL205 the reason`, in the text
`<!-- recall: ignore RL301 the reason -->`.

## Fix safety
Safe for a rule that has nothing to say there: its name, or the comment with the last one, is removed. Unsafe where the
rule's findings depend on the day, since it may speak again, and where the name is no rule's or missing. Nothing is said
of rules whose findings come and go with Git's state, such as RL002 and RL208.
"""

from collections.abc import Iterable, Iterator
from typing import Final, assert_never

from recall_core.model.span import TextEdit
from recall_lint.diagnostic import Applicability, Diagnostic, Fix, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.graph.wording import shorten
from recall_lint.suppress import Unused, UnusedReason

RULE = Rule("RL901", "unused-suppression", Severity.WARNING)

_BY_THE_DAY: Final = frozenset({"RL205", "RL207", "RL302", "RL401", "RL402"})
_BY_GIT: Final = frozenset({"RL002", "RL208"})
"""A run that sees a change only, or a shallow clone, has no finding where the full one has."""


def check(inspection: Inspection) -> Iterator[Diagnostic]:  # noqa: ARG001 - every rule has this signature
    """Nothing: what is unused is known after all other rules, so the engine calls `report_unused` then."""
    yield from ()


def report_unused(unused: Iterable[Unused]) -> Iterator[Diagnostic]:
    """One finding for each name of a rule, or each nameless suppression, that silenced nothing."""
    for one in unused:
        if one.code not in _BY_GIT:
            yield _report(one)


def _report(unused: Unused) -> Diagnostic:
    applicability, edit, clock = Applicability.UNSAFE, unused.edit, False
    name = f"`{shorten(unused.text)}`"
    match unused.reason:
        case UnusedReason.UNUSED:
            clock = unused.code in _BY_THE_DAY
            message, wanted = f"{name} has nothing to suppress here", "remove it"
            applicability = Applicability.UNSAFE if clock else Applicability.SAFE
        case UnusedReason.UNKNOWN if unused.suggestion:
            message, wanted = f"{name} is no rule", f"did you mean `{unused.suggestion}`?"
            edit = TextEdit(unused.span, unused.suggestion)
        case UnusedReason.UNKNOWN:
            message, wanted = f"{name} is no rule", "`recall rule` lists them; or remove it"
        case UnusedReason.BLANKET:
            message, wanted = "this names no rule, and suppresses nothing", "name the rule: `recall: ignore RL301`"
        case _:
            assert_never(unused.reason)
    return RULE.at(unused.path, unused.span, message, help=wanted, fix=Fix(applicability, (edit,)), clock=clock)
