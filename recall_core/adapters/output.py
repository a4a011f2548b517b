"""Writing to stdout and stderr: whole answers, and silence where nobody listens any more."""

import os
import sys
from collections.abc import Iterable
from typing import TextIO

from recall_core.errors import WriteError
from recall_core.model.escape import visible


def write(chunks: Iterable[str]) -> None:
    """Write an answer to stdout. A closed pipe is silent: the reader has seen enough, and the status still counts.

    Raises WriteError where the system refuses, such as on a full disk.
    """
    stream = sys.stdout
    if stream is None:  # started with a closed stdout
        return
    try:
        for chunk in chunks:
            _put(stream, chunk)
        stream.flush()
    except OSError as error:
        _give_up(stream, error)


def write_bytes(data: bytes) -> None:
    """Write the content of a file to stdout as it is: no encoding, no other line ends. Raises WriteError as `write`."""
    stream = sys.stdout
    if stream is None:
        return
    try:
        stream.flush()
        stream.buffer.write(data)
        stream.buffer.flush()
    except OSError as error:
        _give_up(stream, error)


def remark(sentence: str) -> None:
    """Say something about the run on stderr."""
    say(f"recall: {visible(sentence)}")


def say(text: str) -> None:
    """Write a line, or several, to stderr; where nobody takes it, it is lost and the run goes on."""
    stream = sys.stderr
    if stream is None or not text:
        return
    try:
        _put(stream, text if text.endswith("\n") else f"{text}\n")
        stream.flush()
    except OSError:
        silence(stream)


def silence(stream: TextIO) -> None:
    """Let what is still in the stream's buffer, and all that follows, go nowhere: it is flushed once more at exit."""
    descriptor = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(descriptor, stream.fileno())
    finally:
        os.close(descriptor)


def _put(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
    except UnicodeEncodeError:
        # A terminal that cannot show a character (a C locale) gets its escape rather than nothing.
        encoding = stream.encoding or "ascii"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


def _give_up(stream: TextIO, error: OSError) -> None:
    silence(stream)
    if not isinstance(error, BrokenPipeError):
        raise WriteError(f"standard output cannot be written: {error.strerror or error}") from error
