"""Files that hold questions, scores or memos: read as text, and created so that their owner alone reads them."""

import os
from contextlib import suppress

from recall_core.errors import UsageError, WriteError
from recall_core.model.escape import visible

_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def read_text(path: str) -> str:
    """The text of a file. Raises UsageError where it cannot be read, or is no UTF-8."""
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8")
    except OSError as error:
        raise UsageError(
            f"`{visible(path)}` cannot be read: {error.strerror}", help="name a file that is there"
        ) from error
    except UnicodeDecodeError as error:
        raise UsageError(f"`{visible(path)}` is not UTF-8", help="save it as UTF-8") from error


def write_private(path: str, text: str, *, replaces: bool) -> None:
    """Write a file of mode 0600, whole or not at all.

    What stands there already is replaced with `replaces`, a link by a file of its own. Raises WriteError where it is
    not to be replaced, and where the system refuses.
    """
    real = os.path.abspath(path)
    temporary = f"{real}.{os.getpid()}-{os.urandom(6).hex()}.tmp"
    try:
        try:
            descriptor = os.open(temporary, _FLAGS, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(text.encode("utf-8"))
                file.flush()
                os.fsync(file.fileno())
            if replaces:
                os.replace(temporary, real)
            else:
                os.link(temporary, real)
        finally:
            with suppress(OSError):
                os.unlink(temporary)
    except FileExistsError as error:
        raise WriteError(
            f"`{visible(path)}` is there already, and may hold your work",
            help="name another file, or move that one away",
        ) from error
    except OSError as error:
        raise WriteError(
            f"`{visible(path)}` cannot be written: {error.strerror}", help="name a file in a folder that is yours"
        ) from error
