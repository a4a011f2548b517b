"""File names in sentences. Anybody may have written them, and an agent reads the sentence."""

from collections.abc import Sequence
from typing import Final

from recall_core.model.escape import visible

LONGEST_NAME: Final = 120
"""The most characters of a name in a sentence, escapes included and the quotes not."""

_MOST_NAMES: Final = 3
_QUOTES: Final = {ord(quote): f"\\x{ord(quote):02x}" for quote in "`\"'"}


def quote_name(path: str) -> str:
    """A path in backticks on one line: control and bidi characters and quotes spelt out, its middle cut if too long."""
    return f"`{visible(visible(path, limit=LONGEST_NAME).translate(_QUOTES), limit=LONGEST_NAME)}`"


def quote_names(paths: Sequence[str]) -> str:
    """Several paths as a part of a sentence; after the third they are counted."""
    shown = [quote_name(path) for path in paths[:_MOST_NAMES]]
    if len(paths) > _MOST_NAMES:
        shown.append(f"{len(paths) - _MOST_NAMES} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else ""
