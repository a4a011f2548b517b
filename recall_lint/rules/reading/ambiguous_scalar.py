"""A name in `supersedes` is a number, a boolean or a date to other YAML readers.

## What it does
Reports an item of `supersedes` that is written without quotes and that a YAML 1.1 or 1.2 reader takes for a number
(octal, hexadecimal and binary ones too), a boolean such as `no` or `on`, a sexagesimal number such as `12:30:45`, or a
date.

## Why is this bad?
This tool reads what was typed. Others that read the same block do not: `0012` becomes 10 or 12, `no` becomes false, and
the name of the memo is lost to them.

## Example
```yaml
supersedes: 0012
```

## Use instead
```yaml
supersedes: "0012"
```

## Fix safety
Safe: the fix puts the same text in quotes.
"""

import re
from collections.abc import Iterator
from typing import Final

from recall_core.frontmatter.reference import is_placeholder
from recall_core.model.memo import Style
from recall_core.model.span import TextEdit
from recall_lint.diagnostic import Applicability, Diagnostic, Fix, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.graph.wording import shorten

RULE = Rule("RL107", "ambiguous-scalar", Severity.INFO)

# Types as in the YAML 1.1 type repository (yaml.org/type: bool, int, float, timestamp) and in the core schema of
# YAML 1.2.2 (section 10.3.2). The repository's float allows several points (`1.2.3`); no reader follows it there.
_KINDS: Final = (
    (
        "a boolean",
        re.compile(r"[yYnN]|yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF"),
    ),
    (
        "a number",
        re.compile(
            r"""
              [-+]?0b[01_]+ | [-+]?0x[0-9a-fA-F_]+ | 0o[0-7]+   # binary, hexadecimal, octal as 1.2 writes it
            # Decimal (with a leading zero octal in 1.1) and float.
            | [-+]?(?:[0-9][0-9_]*+(?:\.[0-9_]*+)?|\.[0-9][0-9_]*+)(?:[eE][-+]?[0-9]+)?
            | [-+]?\.(?:inf|Inf|INF) | \.(?:nan|NaN|NAN)
            """,
            re.VERBOSE,
        ),
    ),
    ("a sexagesimal number", re.compile(r"[-+]?[0-9][0-9_]*+(?::[0-5]?[0-9])+(?:\.[0-9_]*)?")),
    (
        "a date",
        re.compile(
            r"""
            [0-9]{4}-[0-9]{2}-[0-9]{2}
            | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?
              (?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?
            """,
            re.VERBOSE,
        ),
    ),
)
_MAY_BE: Final = re.compile(r"[-+.0-9]|(?:y|n|yes|no|true|false|on|off)\Z", re.IGNORECASE)


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each such item."""
    for memo, reference in inspection.corpus.references():
        value = reference.value
        if reference.style is not Style.PLAIN or not _MAY_BE.match(value) or is_placeholder(value):
            continue
        kind = next((kind for kind, pattern in _KINDS if pattern.fullmatch(value)), None)
        if kind is None:
            continue
        quoted = f'"{value}"'
        yield RULE.at(
            memo.path,
            reference.span,
            f"`{shorten(value)}` is {kind} to other YAML readers",
            help=f"put it in quotes: `{shorten(quoted)}`",
            fix=Fix(Applicability.SAFE, (TextEdit(reference.span, quoted),)),
        )
