"""The errors that a command ends on: it could not run, and the message says what to type.

A defect in somebody's memo is never one of these: it is a value (`Problem`, `Diagnostic`), and the rest of the run
goes on.
"""


class RecallError(Exception):
    """A command could not run. `kind` is a stable word for programs, `help` what to type next."""

    kind = "error"

    def __init__(self, message: str, *, help: str = "") -> None:  # noqa: A002 - the word of every message here
        super().__init__(message)
        self.message = message
        self.help = help


class UsageError(RecallError):
    """The arguments do not fit together, or name what is not there."""

    kind = "usage"


class ConfigurationError(RecallError):
    """A configuration file cannot be read, or says what nothing knows."""

    kind = "configuration"


class GitError(RecallError):
    """Git is missing, or refused what had to be asked of it."""

    kind = "git"


class MissingExtraError(RecallError):
    """An optional part of the distribution is not installed."""

    kind = "missing-extra"


class WriteError(RecallError):
    """A file was not written: it changed since it was read, lies outside the root, or the system refused."""

    kind = "write"
