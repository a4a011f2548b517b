"""Which block quotes are in the author's own voice: callouts, and notices above the first section."""

import re
from functools import cache

from recall_core.prose.layout import Block

LABELS = (
    "note", "note well", "nb", "n.b.", "status", "update", "updated", "edit", "notice", "important",
    "warning", "caution", "supersession", "decision", "outcome", "resolution", "editor's note",
    "editorial note", "deprecation notice", "current status", "tl;dr", "summary", "disclaimer", "attention",
    "info", "tip", "history", "lifecycle", "state",
)  # fmt: skip
"""What a note or status line begins with."""


def is_callout(flat: str, block: Block) -> bool:
    """Whether a block begins with a mark such as `[!NOTE]` or `Note:`."""
    return _callout().match(flat, block.start, block.end) is not None


def own_voice_ends(flat: str) -> int:
    """The offset up to which a block quote may be a notice about the memo itself.

    That is where the first section begins, the title aside; in a body without sections, where anything but headings
    and quotes begins.
    """
    top = _top().match(flat)
    first = 0 if flat.startswith("#") else flat.find("\n#")
    second = flat.find("\n#", first + 1) if first >= 0 else -1
    return max(top.end() if top else 0, second)


@cache
def _callout() -> re.Pattern[str]:
    labels = "|".join(re.escape(label) for label in sorted(LABELS, key=len, reverse=True))
    return re.compile(rf"\s*(?:\[![A-Za-z]+\]|[*_]*(?i:{labels})[*_]* ?[:\u2013\u2014])")


@cache
def _top() -> re.Pattern[str]:
    return re.compile(r"(?:[ \t]*(?:[#>][^\n]*)?\n)*(?:[ \t]*>[^\n]*)?")
