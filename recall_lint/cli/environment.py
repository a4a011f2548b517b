"""The environment variables that the author's tool obeys, read here and nowhere else (Git reads its own)."""

import os
import sys
from typing import NamedTuple

from recall_core.adapters.cache import user_cache_folder
from recall_core.adapters.terminal import line_width
from recall_core.errors import UsageError


class Environment(NamedTuple):
    """What the surroundings say.

    `folder` is the working folder, `pushed` the revision that pre-commit and prek are about to push.
    """

    folder: str
    no_color: str | None
    term: str | None
    width: int
    pushed: str | None
    cache_folder: str
    stdout_is_terminal: bool

    @classmethod
    def read(cls) -> "Environment":
        """The environment of this process. Raises UsageError where its working folder is gone."""
        variables = os.environ
        is_terminal = sys.stdout is not None and sys.stdout.isatty()
        return cls(
            folder=_working_folder(),
            no_color=variables.get("NO_COLOR"),
            term=variables.get("TERM"),
            width=line_width(columns=variables.get("COLUMNS"), reported=_terminal_width() if is_terminal else None),
            pushed=variables.get("PRE_COMMIT_TO_REF") or None,
            cache_folder=user_cache_folder(variables),
            stdout_is_terminal=is_terminal,
        )


def _working_folder() -> str:
    try:
        return os.getcwd()
    except OSError as error:
        raise UsageError(f"the working folder cannot be used: {error.strerror}", help="change to another") from error


def _terminal_width() -> int | None:
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        return None
