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


class UnavailableError(RecallError):
    """A server or a model that is needed cannot be reached, or answers nonsense: an outage, never an empty answer."""

    kind = "unavailable"


class StoreError(UnavailableError):
    """PostgreSQL cannot be reached, or refused a statement."""

    kind = "store"


class EmbedderError(UnavailableError):
    """The embedding model cannot be loaded or reached, or its answer has not the shape that was asked for."""

    kind = "embedder"


class EntailerError(UnavailableError):
    """The entailment stage got no decision for each text that it asked about."""

    kind = "entailer"


class SchemaError(RecallError):
    """The tables are not those that this version works with: missing, older, newer or changed by hand."""

    kind = "schema"


class ConflictError(RecallError):
    """Somebody else was faster, or holds what is needed: another writer, another active generation, another root."""

    kind = "conflict"


class RefusedError(RecallError):
    """What was asked for would do harm, and is not done without being asked for in so many words."""

    kind = "refused"
