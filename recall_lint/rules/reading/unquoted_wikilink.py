"""A wikilink under `supersedes` has no quotes.

## What it does
Reports `[[name]]` written without quotes. It is read, and it makes an edge.

## Why is this bad?
To YAML it is a list in a list. Editors that know wikilinks show it as plain text, do not follow it and do not rename
it, and some write it back as a nested list.

## Example
```yaml
supersedes: [[limits-v1]]
```

## Use instead
```yaml
supersedes: "[[limits-v1]]"
```

## Fix safety
Safe: the fix puts quotes around the link, and both forms name the same memo.
"""

from collections.abc import Iterator

from recall_core.frontmatter.reference import is_placeholder
from recall_core.model.memo import Reference, Style
from recall_core.model.span import TextEdit
from recall_lint.diagnostic import Applicability, Diagnostic, Fix, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.graph.wording import shorten

RULE = Rule("RL110", "unquoted-wikilink", Severity.INFO)


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each unquoted wikilink."""
    for memo, reference in inspection.corpus.references():
        if reference.style is not Style.WIKILINK or is_placeholder(reference.value):
            continue
        message = f"`{shorten(reference.written)}` is a list in a list to YAML"
        quoted = _quote(reference)
        if quoted is None:
            yield RULE.at(memo.path, reference.span, message, help="put it in quotes")
            continue
        fix = Fix(Applicability.SAFE, (TextEdit(reference.span, quoted),))
        yield RULE.at(memo.path, reference.span, message, help=f"put it in quotes: `{shorten(quoted)}`", fix=fix)


def _quote(reference: Reference) -> str | None:
    """The link in quotes, or None where more than quotes is needed (it goes on in the next line, or has an anchor)."""
    written = reference.written
    if reference.value not in written or "\n" in written or "\r" in written or " #" in written:
        return None
    if '"' in written or "\\" in written:
        return "'" + written.replace("'", "''") + "'"
    return f'"{written}"'
