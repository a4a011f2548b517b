"""A TOML file as read: its table, and where in it a key stands."""

import errno
import os
import re
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from recall_core.errors import ConfigurationError

Read = Callable[[str], bytes | None]
"""The content of the file at an absolute path, None where there is none: from the disk, the index, or a revision."""

_HEADER = re.compile(r"\s*\[\[?\s*([^\]]*?)\s*\]")
_POSITION = re.compile(r" \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$")


def read_regular_file(path: str) -> bytes | None:
    """The content of the file at `path`, None where nothing is there.

    Raises ConfigurationError where something else is: a folder, a pipe (never opened for long), a file that the
    system will not give, a link to nowhere.
    """
    try:
        # Without O_NONBLOCK, opening a pipe that nobody writes to would wait forever.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (FileNotFoundError, NotADirectoryError):
        if os.path.islink(path):
            raise ConfigurationError(f"{path}: is a link to a file that is not there") from None
        return None
    except OSError as error:
        if os.path.isdir(path):
            raise _no_file(path, "a folder") from None
        raise _refused(path, error) from error
    try:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            raise _no_file(path, "a folder" if stat.S_ISDIR(mode) else "no regular file")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read()
    except OSError as error:
        raise _refused(path, error) from error
    finally:
        os.close(descriptor)


def _no_file(path: str, what: str) -> ConfigurationError:
    return ConfigurationError(f"{path}: is {what}, not a configuration file", help="rename it, or move it away")


def _refused(path: str, error: OSError) -> ConfigurationError:
    reason = os.strerror(error.errno) if error.errno else str(error)
    advice = "make it readable for you" if error.errno in (errno.EACCES, errno.EPERM) else ""
    return ConfigurationError(f"{path}: cannot be read: {reason}", help=advice)


@dataclass(frozen=True, slots=True)
class TomlFile:
    """One TOML file, parsed. `shown` is its name in messages, `text` its source for finding places."""

    shown: str
    table: Mapping[str, object]
    text: str = field(repr=False)

    def place(self, *keys: str) -> str:
        """`file:line` of the key reached through `keys`, or of the nearest table around it; `file` where unsure."""
        for depth in range(len(keys), 0, -1):
            line = _line_of(self.text, keys[:depth])
            if line:
                return f"{self.shown}:{line}"
        return self.shown


def parse_toml(data: bytes, shown: str) -> TomlFile:
    """Parse the content of a TOML file. Raises ConfigurationError with the place of what cannot be read."""
    import tomllib  # noqa: PLC0415 - 14 ms, and most runs have no configuration file

    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigurationError(f"{shown}:{line}: is not UTF-8", help="save the file as UTF-8") from None
    try:
        return TomlFile(shown, tomllib.loads(text), text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        found = _POSITION.search(message)
        if found is None:
            raise ConfigurationError(f"{shown}: {message}") from None
        at_end = f"{text.count(chr(10)) + 1}:{len(text) - text.rfind(chr(10))}"
        place = f"{found['line']}:{found['column']}" if found["line"] else at_end
        reason = message[: found.start()]
        raise ConfigurationError(f"{shown}:{place}: {reason[:1].lower()}{reason[1:]}") from None
    except (ValueError, RecursionError):  # an integer of thousands of digits; brackets in brackets in brackets
        raise ConfigurationError(f"{shown}: holds a value too long or too deep to read") from None


def _line_of(text: str, keys: tuple[str, ...]) -> int:
    """The line where `keys` is assigned or opened as a table; 0 where that is not exactly one line."""
    table: tuple[str, ...] = ()
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        header = _HEADER.match(line)
        if header is not None:
            table = _dotted(header[1])
            if table == keys:
                found.append(number)
        elif keys[: len(table)] == table and "=" in line:
            assigned = _dotted(line.partition("=")[0])
            if assigned and table + assigned == keys:
                found.append(number)
    return found[0] if len(found) == 1 else 0


def _dotted(text: str) -> tuple[str, ...]:
    """`a . "b"` as its parts. Good enough to find a line by; the parser has read the file for its meaning."""
    if text.strip()[:1] in ("'", '"') and text.strip()[:1] == text.strip()[-1:] and text.count(text.strip()[:1]) == 2:
        return (text.strip()[1:-1],)
    return tuple(part.strip().strip("\"'") for part in text.split("."))
