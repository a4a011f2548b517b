"""The rules, listed by hand: one line each, in order of their codes."""

from collections.abc import Callable, Iterable
from types import ModuleType
from typing import NamedTuple

from recall_lint.diagnostic import Diagnostic
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.graph import ambiguous_reference
from recall_lint.rules.reading import unclosed_frontmatter

MODULES: tuple[ModuleType, ...] = (
    unclosed_frontmatter,
    ambiguous_reference,
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
