"""Which findings the suppressions take away, and which suppressions take nothing."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from recall_core.model.span import Span, TextEdit
from recall_lint.diagnostic import Diagnostic
from recall_lint.rule import Rule
from recall_lint.suppress.parse import Named, Suppression

UNUSED_SUPPRESSION = "RL901"
"""The rule that reports what `apply` finds unused. It is never unused itself: it would silence the report."""

_CODE = re.compile(r"RL[0-9]+", re.IGNORECASE)  # one code resembles every other: no ground for a guess
_CLOSE = 0.8


class UnusedReason(Enum):
    """Why a suppression is reported."""

    UNUSED = "unused"
    """The rule is known, ran, and had nothing to say there."""
    UNKNOWN = "unknown"
    """No rule is called so."""
    BLANKET = "blanket"
    """No rule is named at all, so nothing is suppressed."""


class Unused(NamedTuple):
    """A rule named in vain. `text` is as written ("" where no rule is named), `span` its place.

    `code` is the rule's where it is known, `suggestion` the rule that may be meant where it is not. `edit` removes
    exactly this name, or the whole comment where no other name in it is of use.
    """

    path: str
    span: Span
    text: str
    reason: UnusedReason
    edit: TextEdit
    code: str = ""
    suggestion: str = ""


class Applied(NamedTuple):
    """The findings that remain and those that were suppressed, in the order given, and the suppressions without use."""

    kept: tuple[Diagnostic, ...]
    suppressed: tuple[Diagnostic, ...]
    unused: tuple[Unused, ...]


class _Use(NamedTuple):
    """One name in one suppression: their positions."""

    suppression: int
    name: int


class _Silence:
    """The suppressions of one memo, by what they cover."""

    def __init__(self, suppressions: Sequence[Suppression], codes: Mapping[str, str]) -> None:
        self.suppressions = suppressions
        self.names = [_without_reason(suppression.rules, codes) for suppression in suppressions]
        self.uses: dict[tuple[int | None, str], list[_Use]] = {}
        self.used: set[_Use] = set()
        for position, (suppression, names) in enumerate(zip(suppressions, self.names, strict=True)):
            for index, named in enumerate(names):
                code = codes.get(named.text.lower())
                if code is not None:
                    self.uses.setdefault((suppression.line, code), []).append(_Use(position, index))

    def covers(self, line: int, code: str) -> bool:
        """Whether a finding of `code` on `line` is suppressed; every suppression that says so counts as used."""
        uses = [*self.uses.get((line, code), ()), *self.uses.get((None, code), ())]
        self.used.update(uses)
        return bool(uses)


def apply(
    diagnostics: Iterable[Diagnostic],
    suppressions: Mapping[str, Sequence[Suppression]],
    rules: Sequence[Rule],
    is_enabled: Callable[[str], bool],
) -> Applied:
    """Take away what the suppressions, by path, silence, and report those without use.

    `is_enabled` tells of a code whether its rule ran in full: of others nobody knows whether their suppression is used.
    """
    codes = {name.lower(): rule.code for rule in rules for name in (rule.code, rule.name)}
    silences = {path: _Silence(found, codes) for path, found in suppressions.items()}
    kept: list[Diagnostic] = []
    suppressed: list[Diagnostic] = []
    for diagnostic in diagnostics:
        silence = silences.get(diagnostic.path)
        is_covered = silence is not None and silence.covers(diagnostic.span.line, diagnostic.code)
        (suppressed if is_covered else kept).append(diagnostic)
    unused = tuple(
        one
        for path, silence in silences.items()
        for one in _unused(path, silence, codes, is_enabled)
        if not silence.covers(one.span.line, UNUSED_SUPPRESSION)
    )
    return Applied(tuple(kept), tuple(suppressed), unused)


def _without_reason(rules: Sequence[Named], codes: Mapping[str, str]) -> tuple[Named, ...]:
    """The names up to the first word that is no rule and resembles none, where the reason begins."""
    for index, named in enumerate(rules):
        if named.loose and named.text.lower() not in codes and not _suggestion(named.text, codes):
            return tuple(rules[:index])
    return tuple(rules)


def _unused(
    path: str, silence: _Silence, codes: Mapping[str, str], is_enabled: Callable[[str], bool]
) -> Iterator[Unused]:
    for position, (suppression, names) in enumerate(zip(silence.suppressions, silence.names, strict=True)):
        if not names:
            yield Unused(path, suppression.span, "", UnusedReason.BLANKET, suppression.removal)
            continue
        of_use = []
        for index, named in enumerate(names):
            code = codes.get(named.text.lower())
            is_quiet = code == UNUSED_SUPPRESSION or (code is not None and not is_enabled(code))
            of_use.append(is_quiet or _Use(position, index) in silence.used)
        for index, named in enumerate(names):
            if of_use[index]:
                continue
            edit = _removal(suppression, names, of_use, index)
            code = codes.get(named.text.lower())
            if code is None:
                suggestion = _suggestion(named.text, codes)
                yield Unused(path, named.span, named.text, UnusedReason.UNKNOWN, edit, suggestion=suggestion)
            else:
                yield Unused(path, named.span, named.text, UnusedReason.UNUSED, edit, code)


def _removal(suppression: Suppression, names: Sequence[Named], of_use: Sequence[bool], index: int) -> TextEdit:
    """The edit that takes out one name with one separator, so that the edits of several never overlap."""
    if not any(of_use):
        return suppression.removal
    span = names[index].span
    if any(of_use[:index]):
        before = names[index - 1].span
        return TextEdit(Span(before.end_line, before.end_column, span.end_line, span.end_column), "")
    after = names[index + 1].span
    return TextEdit(Span(span.line, span.column, after.line, after.column), "")


def _suggestion(text: str, codes: Mapping[str, str]) -> str:
    """The code or name of the rule that `text` may mean; "" where none comes close."""
    from difflib import get_close_matches  # noqa: PLC0415 - only for a message

    close = get_close_matches(text.lower(), codes, n=1, cutoff=_CLOSE)
    if not close or _CODE.fullmatch(text):
        return ""
    return close[0] if "-" in close[0] else codes[close[0]]
