"""The environment variables that the author's tool obeys, read here and nowhere else (Git reads its own)."""

import os
import sys
from dataclasses import dataclass

from recall_core.adapters.cache import user_cache_folder
from recall_core.adapters.terminal import line_width


@dataclass(frozen=True, slots=True)
class Environment:
    """What the surroundings say. `in_hook` is True under pre-commit and prek; `pushed` the revision they push."""

    folder: str
    no_color: str | None
    term: str | None
    width: int
    in_hook: bool
    pushed: str | None
    cache_folder: str
    stdout_is_terminal: bool

    @classmethod
    def read(cls) -> "Environment":
        """The environment of this process."""
        variables = os.environ
        is_terminal = sys.stdout.isatty()
        return cls(
            folder=os.getcwd(),
            no_color=variables.get("NO_COLOR"),
            term=variables.get("TERM"),
            width=line_width(columns=variables.get("COLUMNS"), reported=_terminal_width() if is_terminal else None),
            in_hook="PRE_COMMIT" in variables,
            pushed=variables.get("PRE_COMMIT_TO_REF") or None,
            cache_folder=user_cache_folder(variables),
            stdout_is_terminal=is_terminal,
        )


def _terminal_width() -> int | None:
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        return None
