"""A key is nearly one of the three validity keys, or is `superseded_by`.

## What it does
Reports a key that is one edit, letter case or a hyphen away from `supersedes`, `valid_from` or `valid_until`, with a
value that reads as theirs: for `supersedes` any but a boolean or a date (`superseded: true` is a status, not a slip),
for a date anything with a digit in it. A key without a value declares nothing under any name.

Also reported, as a warning: `superseded_by` in any spelling. The memo that replaces declares the edge, so this key is
never read. It is an info where that memo already declares it.

## Why is this bad?
An unknown key is ignored without a word. The author believes that the memo is replaced or limited in time, and every
search goes on treating it as current.

## Example
```yaml
---
supersede: limits-v1
validUntil: 2026-12-31
---
```

## Use instead
```yaml
---
supersedes: limits-v1
valid_until: 2026-12-31
---
```
For `superseded_by: limits-v2`, write `supersedes: limits-v1` in `limits-v2.md`.

## Fix safety
The fix renames the key. It is unsafe, because it makes a declaration that was not there: another memo may count as
replaced. There is none where the block already has the right key. `superseded_by` is never renamed: it says the
opposite.
"""

import re
from collections.abc import Iterator

from recall_core.frontmatter.reference import is_placeholder
from recall_core.frontmatter.scalar import write_scalar
from recall_core.frontmatter.vocabulary import SUPERSEDED_BY, meant_key
from recall_core.graph.corpus import Naming
from recall_core.model.memo import Key, Memo, Reference
from recall_core.model.span import TextEdit
from recall_lint.diagnostic import Applicability, Diagnostic, Fix, Related, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.graph.wording import as_written, shorten

RULE = Rule("RL104", "misspelt-key", Severity.ERROR)

_BOOLEANS = frozenset({"true", "false", "yes", "no", "on", "off", "y", "n"})
_DATE = re.compile(r"[0-9]{1,4}([-/.])[0-9]{1,2}\1[0-9]{1,4}(?:[Tt \t].*)?", re.DOTALL)
_DIGIT = re.compile(r"[0-9]")


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each such key, at the key."""
    for memo in inspection.corpus.memos:
        taken: set[str] = set()
        for key in memo.keys:
            meant = meant_key(key.name)
            if meant == SUPERSEDED_BY:
                yield from _report_other_direction(inspection, memo, key)
            elif meant is not None and _reads_as(meant, key):
                is_free = key.is_free and meant not in taken
                taken.add(meant)
                fix = Fix(Applicability.UNSAFE, (TextEdit(key.span, meant),)) if is_free else None
                wanted = f"write `{meant}`" if is_free else f"join it with the `{meant}` that is there, or remove it"
                message = f"`{shorten(key.name)}` is not read; did you mean `{meant}`?"
                yield RULE.at(memo.path, key.span, message, help=wanted, fix=fix)


def _reads_as(meant: str, key: Key) -> bool:
    if key.null:
        return False  # no value declares nothing under any name
    if meant != "supersedes":
        return key.value is not None and _DIGIT.search(key.value) is not None
    if key.value is None:
        return True
    value = key.value.strip()
    return bool(value) and value.lower() not in _BOOLEANS and not _DATE.fullmatch(value)


def _report_other_direction(inspection: Inspection, memo: Memo, key: Key) -> Iterator[Diagnostic]:
    if key.null or (key.value is not None and (not key.value.strip() or is_placeholder(key.value))):
        return
    references = [reference for reference in key.references if not is_placeholder(reference.value)]
    if key.references and not references:
        return
    advice, related, open_ends = [], [], not references
    for reference in references:
        said, place, declared = _judge(inspection, memo, reference)
        advice.append(said)
        related += place
        open_ends = open_ends or not declared
    name = f"`{shorten(key.name)}`"
    if not open_ends:
        message, severity = f"{name} is not read; the memo that replaces this one declares it already", Severity.INFO
        yield RULE.at(memo.path, key.span, message, help="remove the line", related=related, severity=severity)
        return
    wanted = "; ".join(dict.fromkeys(line for line in advice if line)) or "name the memo that replaces this one, there"
    message = f"{name} is not read: the memo that replaces another declares it"
    yield RULE.at(memo.path, key.span, message, help=wanted, related=related, severity=Severity.WARNING)


def _judge(inspection: Inspection, memo: Memo, reference: Reference) -> tuple[str, list[Related], bool]:
    """What to do about one named successor, the places to look at, and whether it already declares the edge."""
    resolution = inspection.corpus.resolve(memo, reference)
    matches, written = resolution.memos, as_written(reference)
    line = f"`supersedes: {shorten(write_scalar(memo.key) or memo.key)}`"
    match resolution.naming:
        case Naming.ONE | Naming.PART if len(matches) == 1 and matches[0] is not memo:
            successor = matches[0]
            edges = inspection.evaluation.edges.by_successor.get(successor.path, ())
            edge = next((edge for edge in edges if edge.target is memo), None)
            if edge is not None:
                return "", [Related(successor.path, "declared here", edge.reference.span)], True
            advice = f"declare {line} in `{shorten(successor.path)}`"
            return advice, [Related(successor.path, "this memo is named as the successor")], False
        case Naming.SEVERAL | Naming.PART if len(matches) > 1:
            places = [Related(match.path, "could be this one") for match in matches]
            return f"{written} names {len(matches)} memos: declare {line} in the right one", places, False
        case Naming.SELF | Naming.PART:
            return f"{written} names this memo itself: remove the line", [], False
        case _:
            return f"no memo is named {written}: declare {line} in the memo that replaces this one", [], False
