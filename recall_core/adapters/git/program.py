"""Running the `git` program: the environment it gets, and what becomes of its refusals."""

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from recall_core.errors import GitError

# A file-system monitor is a program that the repository's configuration names: it is never started from here.
_OPTIONS = ("-c", "core.fsmonitor=false")
# How a pathspec is read is said with each call; these would change or forbid it.
_PATHSPEC_VARIABLES = ("GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS")
_UNREADABLE_FOLDER = re.compile(r"^warning: could not open directory '(.*)': (.*)$", re.MULTILINE)


class Answer(NamedTuple):
    """What one run of Git gave: its exit status, its output, and what it said on stderr."""

    status: int
    output: bytes
    complaint: str


class GitMissingError(GitError):
    """No `git` program on PATH."""


def build_environment(given: Mapping[str, str]) -> dict[str, str]:
    """The environment for Git: as given, in plain English, taking no locks, asking nobody and fetching nothing."""
    environment = {name: value for name, value in given.items() if name not in _PATHSPEC_VARIABLES}
    environment |= {
        "LC_ALL": "C",
        "GIT_OPTIONAL_LOCKS": "0",
        # A partial clone fetches what it lacks when asked for it. The first is Git 2.45's word against it; for older
        # ones no protocol is allowed.
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
    }
    return environment


def ask(arguments: Sequence[str], *, folder: str, environment: Mapping[str, str]) -> Answer:
    """Run Git in `folder`, to its end, whatever its exit status.

    Raises GitMissingError when there is no such program, GitError when the system would not start it.
    """
    with start(arguments, folder=folder, environment=environment, stdin=subprocess.DEVNULL) as process:
        output, complaint = process.communicate()
    return Answer(process.returncode, output, complaint.decode("utf-8", "replace"))


def start(
    arguments: Sequence[str],
    *,
    folder: str,
    environment: Mapping[str, str],
    stdin: int = subprocess.PIPE,
    stderr: int = subprocess.PIPE,
) -> "subprocess.Popen[bytes]":
    """Start Git in `folder`; the caller talks to it and ends it. Raises as `ask` does."""
    try:
        return subprocess.Popen(
            [_program(environment), *_OPTIONS, *arguments],
            cwd=folder,
            env=environment,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            bufsize=1 << 16,
        )
    except (FileNotFoundError, PermissionError, NotADirectoryError) as error:
        if os.path.isdir(folder):
            raise GitMissingError(
                "there is a Git repository here, but no `git` program", help="install Git, or add it to PATH"
            ) from error
        raise GitError(f"{folder} is not a folder") from error
    except (OSError, ValueError) as error:
        raise GitError(f"Git could not be started: {error}") from error


def refusal(arguments: Sequence[str], complaint: str) -> GitError:
    """The error for a run that failed, in Git's own first line without control characters."""
    command = next((word for word in arguments if not word.startswith("-") and "=" not in word), "")
    lines = [line for line in map(printable, complaint.splitlines()) if line.strip()]
    told = next((line for line in lines if line.startswith(("fatal: ", "error: "))), lines[0] if lines else "it failed")
    message = f"git {command}: {told.removeprefix('fatal: ').removeprefix('error: ')}"
    # Git ends this one with the command that mends it.
    return GitError(message, help=lines[-1].strip() if "dubious ownership" in told else "")


def unreadable_folders(complaint: str) -> list[tuple[str, str]]:
    """Each folder that Git warned it could not list, with the system's reason."""
    return [(folder.rstrip("/"), reason) for folder, reason in _UNREADABLE_FOLDER.findall(complaint)]


def printable(text: str) -> str:
    """The text without control, format and other invisible characters."""
    return "".join(character for character in text.replace("\t", " ") if character.isprintable())


def _program(environment: Mapping[str, str]) -> str:
    if os.name != "nt":
        return "git"
    # Windows would take a git.exe out of the working folder before any on PATH.
    for folder in environment.get("PATH", "").split(os.pathsep):
        program = os.path.join(folder, "git.exe")
        if os.path.isabs(folder) and os.path.isfile(program):
            return program
    raise FileNotFoundError("git.exe")
