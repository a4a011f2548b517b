"""Writing to stdout and stderr: whole answers, and silence where nobody listens any more."""

import os
import sys
from collections.abc import Iterable

import click


def write(chunks: Iterable[str]) -> None:
    """Write an answer to stdout. A closed pipe is silent: the reader has seen enough, and the status still counts."""
    stream = sys.stdout
    try:
        for chunk in chunks:
            stream.write(chunk)
        stream.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except UnicodeEncodeError:
        # A terminal that cannot show a character (a C locale) gets its escape rather than nothing.
        encoding = stream.encoding or "ascii"
        text = "".join(chunks).encode(encoding, "backslashreplace").decode(encoding)
        stream.write(text)


def remark(sentence: str) -> None:
    """Say something about the run on stderr."""
    from recall_core.model.escape import visible

    click.echo(f"recall: {visible(sentence)}", err=True)
