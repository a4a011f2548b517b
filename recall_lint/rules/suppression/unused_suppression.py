"""A suppression suppresses nothing, or a declined question is not asked.

## What it does
Reports a `recall: ignore` comment that names a rule with nothing to say at its place, a rule that does not exist, or no
rule at all; and a `recall: not-superseding` comment that names no other memo, or one that no sentence of this memo
names where it speaks of replacement and that is no older version of it, or that `supersedes` declares as replaced all
the same. Older versions are asked about by RL209.

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
of rules whose findings come and go with Git's state, such as RL002 and RL208, nor in a memo that cannot be read.

Safe for a declined question that nobody asks: the comment is removed, or the target's letter case mended. Unsafe where
no target is named, and where the metadata say the opposite.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from typing import Final, assert_never

from recall_core.graph.corpus import Corpus
from recall_core.model.memo import Memo
from recall_core.model.span import TextEdit
from recall_lint.diagnostic import Applicability, Diagnostic, Fix, Severity
from recall_lint.inspection import Inspection
from recall_lint.questions.declined import find_declined
from recall_lint.rule import Rule
from recall_lint.rules.graph.version_sibling_unlinked import find_unlinked
from recall_lint.rules.graph.wording import as_written, shorten
from recall_lint.suppress import Decline, Unused, UnusedReason, render_target

RULE = Rule("RL901", "unused-suppression", Severity.WARNING)

_BY_THE_DAY: Final = frozenset({"RL205", "RL207", "RL302", "RL401", "RL402"})
_BY_GIT: Final = frozenset({"RL002", "RL208"})
"""A run that sees a change only, or a shallow clone, has no finding where the full one has."""


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each declined question that nobody asks.

    Which suppressions are unused is known after all other rules, so the engine calls `report_unused` then.
    """
    older = cache(lambda: _find_older_versions(inspection))
    for path, declines in inspection.declined.items():
        memo = inspection.corpus.memo(path)
        if memo is None or not memo.readable:
            continue  # RL301 asks nothing there
        edges = inspection.evaluation.edges.by_successor.get(path, ())
        declared = {edge.target.path for edge in edges}
        for decline in declines:
            if (finding := _check_decline(inspection, memo, decline, declared, older)) is not None:
                yield finding


def _find_older_versions(inspection: Inspection) -> set[tuple[str, str]]:
    """The pairs of a newer version and an older one that RL209 asks about."""
    return {(one.path, other.path) for newer, older in find_unlinked(inspection) for one in newer for other in older}


def _check_decline(
    inspection: Inspection,
    memo: Memo,
    decline: Decline,
    declared: Collection[str],
    older: Callable[[], Collection[tuple[str, str]]],
) -> Diagnostic | None:
    """The finding about one declined question. `older` gives the pairs of versions that metadata leave open."""
    target, span, edit, safety = decline.target, decline.span, decline.removal, Applicability.SAFE
    if target is None:
        message, wanted = "this names no memo, and declines nothing", "name one: `recall: not-superseding limits-v1`"
        return RULE.at(memo.path, span, message, help=wanted, fix=Fix(Applicability.UNSAFE, (edit,)))
    name, wanted = as_written(target), "remove it"
    others = find_declined(inspection.corpus, memo, target)
    if not others:
        message = f"{name} names no other memo, and declines nothing"
        alike = inspection.corpus.memos_with_key_in_any_case(target.name) if target.name else ()
        if len(alike) == 1 and alike[0] is not memo:
            right = render_target(alike[0].key)
            wanted, edit = f"did you mean `{shorten(right)}`?", TextEdit(target.span, right)
    elif any(other.path in declared for other in others):
        message, wanted = f"{name} is declined here and declared in `supersedes`", "remove one of the two"
        safety = Applicability.UNSAFE
    elif not any(inspection.may_tell(memo.path, other.path) or (memo.path, other.path) in older() for other in others):
        message = f"no sentence here asks whether this memo replaces {name}"
    else:
        return None
    return RULE.at(memo.path, target.span, message, help=wanted, fix=Fix(safety, (edit,)))


def report_unused(unused: Iterable[Unused], corpus: Corpus) -> Iterator[Diagnostic]:
    """One finding for each name of a rule, or each nameless suppression, that silenced nothing.

    In a memo that cannot be read most rules have nothing to say yet: a rule that exists is not called unused there.
    """
    for one in unused:
        memo = corpus.memo(one.path)
        unread = memo is not None and not memo.readable
        if one.code not in _BY_GIT and not (unread and one.reason is UnusedReason.UNUSED):
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
