"""Text that looks like a secret: a memo that holds one is not indexed, since an index hands its text to whoever asks.

The list is short and made of what is hardly ever written for another reason: the header of a private key, and tokens
that their issuers gave a fixed beginning so that they can be found. It is no scanner: finding nothing proves nothing.
"""

import re
from typing import Final, NamedTuple


class Found(NamedTuple):
    """What was found, in words, and the line that it begins in, counted from 1."""

    what: str
    line: int


_KINDS: Final = (
    ("a private key", r"-----BEGIN (?:[A-Z0-9]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----"),
    ("a GitHub token", r"\bgh[pousr]_[A-Za-z0-9]{36,251}\b|\bgithub_pat_[A-Za-z0-9_]{60,244}\b"),
    ("a GitLab token", r"\bglpat-[A-Za-z0-9_-]{20,}"),
    ("a Slack token", r"\bxox[abeoprs]-[A-Za-z0-9-]{20,}"),
    ("an AWS access key", r"\b(?:AKIA|ASIA)[A-Z2-7]{16}\b"),
    ("a Google API key", r"\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
    ("a Stripe key", r"\b[rs]k_live_[A-Za-z0-9]{20,}\b"),
    ("an npm token", r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("a PyPI token", r"\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,}"),
    ("an API key", r"\bsk-(?:proj-|ant-)?[A-Za-z0-9_-]{32,}"),
)
_ANY = re.compile("|".join(f"({pattern})" for _, pattern in _KINDS))
_BEGINNINGS = re.compile("PRIVATE KEY|gh[pousr]_|github_pat_|glpat-|xox|AKIA|ASIA|AIza|k_live_|npm_|pypi-|sk-")
# What documentation itself uses, and what is made of one sign over and over, opens nothing.
_EXAMPLE = re.compile(r"EXAMPLE|(.)\1{9}|x{6}|0123456789|\.\.\.", re.IGNORECASE)


def find_secret(text: str) -> Found | None:
    """The first thing in `text` that looks like a secret, or None."""
    if _BEGINNINGS.search(text) is None:
        return None
    for match in _ANY.finditer(text):
        if _EXAMPLE.search(match[0]) is None:
            index = match.lastindex or 1
            return Found(_KINDS[index - 1][0], text.count("\n", 0, match.start()) + 1)
    return None
