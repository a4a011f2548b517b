"""What a memo would become, as a unified diff that `patch` takes and no terminal obeys."""

from collections.abc import Iterator
from difflib import unified_diff

from recall_core.model.escape import visible

_NO_LINE_END = "\0"
"""Ends the last line of a file that ends without a line feed; a memo with a NUL is never edited."""


def diff_lines(path: str, before: bytes, after: bytes) -> Iterator[str]:
    """The lines of the diff, each with its end."""
    for line in unified_diff(_lines(before), _lines(after), f"a/{visible(path)}", f"b/{visible(path)}", lineterm=""):
        # A CR at the end of a line does nothing to a terminal, and `patch` wants it.
        text, carriage_return = (line[:-1], "\r") if line.endswith("\r") else (line, "")
        yield visible(text.removesuffix(_NO_LINE_END)) + carriage_return + "\n"
        if line.endswith(_NO_LINE_END):
            yield "\\ No newline at end of file\n"


def _lines(data: bytes) -> list[str]:
    *lines, last = data.decode("utf-8", "backslashreplace").split("\n")
    return [*lines, last + _NO_LINE_END] if last else lines
