"""The rules, listed by hand: one line each, in order of their codes."""

from collections.abc import Callable, Iterable
from types import ModuleType
from typing import NamedTuple

from recall_lint.diagnostic import Diagnostic
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.graph import (
    ambiguous_reference,
    backdated_supersession,
    competing_successors,
    dangling_reference,
    look_alike_names,
    partial_reference,
    redundant_edge,
    self_supersession,
    successor_not_in_force,
    supersession_cycle,
    untracked_target,
    version_sibling_unlinked,
)
from recall_lint.rules.prose import undeclared_closure
from recall_lint.rules.reading import (
    ambiguous_scalar,
    duplicate_key,
    empty_window,
    invalid_date,
    invalid_frontmatter,
    misplaced_frontmatter,
    misspelt_key,
    placeholder_value,
    unclosed_frontmatter,
    unquoted_wikilink,
    unreadable_memo,
    unusual_fence,
)
from recall_lint.rules.suppression import unused_suppression
from recall_lint.rules.window import expired_memo, expiring_soon

MODULES: tuple[ModuleType, ...] = (
    unreadable_memo,
    untracked_target,
    unclosed_frontmatter,
    invalid_frontmatter,
    duplicate_key,
    misspelt_key,
    invalid_date,
    empty_window,
    ambiguous_scalar,
    placeholder_value,
    misplaced_frontmatter,
    unquoted_wikilink,
    unusual_fence,
    dangling_reference,
    ambiguous_reference,
    self_supersession,
    supersession_cycle,
    competing_successors,
    partial_reference,
    successor_not_in_force,
    backdated_supersession,
    version_sibling_unlinked,
    look_alike_names,
    redundant_edge,
    undeclared_closure,
    expired_memo,
    expiring_soon,
    unused_suppression,
)


class Registered(NamedTuple):
    """A rule, what it checks, and the text of its page."""

    rule: Rule
    check: Callable[[Inspection], Iterable[Diagnostic]]
    page: str


REGISTERED: tuple[Registered, ...] = tuple(
    Registered(module.RULE, module.check, module.__doc__ or "") for module in MODULES
)

RULES: tuple[Rule, ...] = tuple(registered.rule for registered in REGISTERED)
