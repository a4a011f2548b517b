"""Two versions of a memo stand side by side, and nothing says that one replaced the other.

## What it does
Reports a memo such as `limits-v2.md` beside `limits-v1.md` in the same folder when no memo declares that it replaces
the older one. A version is a base name, then `-`, `_`, `.`, a blank or nothing, then `v` and digits. Neighbours are
found by number: `v2` and `v10` are, if there is nothing between them.

## Why is this bad?
Both read as current. A search finds the older one as readily as the newer.

## Example
`limits_v1.md` and `limits_v2.md` without `supersedes`.

## Use instead
In `limits_v2.md`:
```yaml
supersedes: limits_v1
```
If both stay in force, as with two versions of an interface, say so in the newer memo:
```markdown
<!-- recall: not-superseding limits_v1 both are served -->
```

## Fix safety
No fix: that the number is higher does not prove that the older memo is replaced.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from recall_core.frontmatter.scalar import write_scalar
from recall_core.graph.corpus import Naming
from recall_core.model.memo import Memo
from recall_core.model.span import START
from recall_lint.diagnostic import Diagnostic, Related, Severity
from recall_lint.inspection import Inspection
from recall_lint.questions.declined import find_declined
from recall_lint.rule import Rule
from recall_lint.rules.graph.wording import list_names, shorten
from recall_lint.suppress import render_target

RULE = Rule("RL209", "version-sibling-unlinked", Severity.WARNING)

_VERSION: Final = re.compile(r"(.*[^-_. ])[-_. ]?[vV]([0-9]+)", re.DOTALL)
_DIGITS: Final = frozenset("0123456789")

_Number = tuple[int, str]
"""Digits without leading zeros, the shorter first: compares as the number does, at any length."""


class Version(NamedTuple):
    """A memo's name taken apart. `folder` ends in its slash."""

    folder: str
    base: str
    number: _Number


def find_version(memo: Memo) -> Version | None:
    """Which version of what a memo is by its name; None where the name tells no version."""
    if memo.key[-1:] not in _DIGITS or (match := _VERSION.fullmatch(memo.key)) is None:
        return None
    digits = match[2].lstrip("0")
    return Version(memo.path[: memo.path.rfind("/") + 1], match[1], (len(digits), digits))


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each newer neighbour of an older version that nobody replaces, and that it does not decline."""
    for newer, older in find_unlinked(inspection):
        declined = {path for memo in newer for path in _declined(inspection, memo)}
        if asked := [memo for memo in older if memo.path not in declined]:
            yield _report(newer[0], asked)


def find_unlinked(inspection: Inspection) -> Iterator[tuple[list[Memo], list[Memo]]]:
    """The memos of a newer version with those of the one before it that no metadata speaks of, declined or not."""
    linked = _Links(inspection)
    for versions in _group(inspection):
        if len(versions) < 2:
            continue
        for older, newer in pairwise(sorted(versions)):
            declarers = versions[newer]
            unlinked = [memo for memo in versions[older] if not linked.speaks_of(memo, declarers)]
            # What an unreadable memo declares is not known, and RL101 or RL102 asks for it.
            if unlinked and all(memo.readable for memo in declarers):
                yield declarers, unlinked


def _declined(inspection: Inspection, memo: Memo) -> Iterator[str]:
    """The paths of the memos that this one says it does not replace."""
    for decline in inspection.declined.get(memo.path, ()):
        if decline.target is not None:
            yield from (other.path for other in find_declined(inspection.corpus, memo, decline.target))


def _group(inspection: Inspection) -> Iterator[dict[_Number, list[Memo]]]:
    """The memos of each folder and base, by version."""
    groups: dict[tuple[str, str], dict[_Number, list[Memo]]] = {}
    for memo in inspection.corpus.memos:
        version = find_version(memo)
        if version is not None:
            groups.setdefault((version.folder, version.base), {}).setdefault(version.number, []).append(memo)
    return iter(groups.values())


class _Links:
    """What is declared of an older version: replaced, meant ambiguously or in part, or the other way round."""

    def __init__(self, inspection: Inspection) -> None:
        self._edges = inspection.evaluation.edges
        self._parts = {
            (memo.path, match.path) for memo, _, found in inspection.named(Naming.PART) for match in found.memos
        }

    def speaks_of(self, older: Memo, newer: Iterable[Memo]) -> bool:
        edges = self._edges
        if older.path in edges.by_target or older.path in edges.ambiguous:
            return True
        paths = {memo.path for memo in newer}
        if any(edge.target.path in paths for edge in edges.by_successor.get(older.path, ())):
            return True
        return any((path, older.path) in self._parts for path in paths)


def _report(newer: Memo, older: list[Memo]) -> Diagnostic:
    names = list_names([memo.key for memo in older], "and")
    item = shorten(write_scalar(older[0].key) or older[0].key)
    otherwise = f"if both hold, `<!-- recall: not-superseding {shorten(render_target(older[0].key))} -->`"
    if len(older) > 1:
        otherwise += ", and so for each"
    wanted = f"add {list_names([memo.key for memo in older])} to `supersedes`" if newer.supersedes else ""
    return RULE.at(
        newer.path,
        START,
        f"`{shorten(newer.key)}` does not say whether it replaces {names}",
        help=f"if it does, {wanted or f'declare `supersedes: {item}`'}; {otherwise}",
        related=(Related(memo.path, "an older version that nothing replaces") for memo in older),
    )
