"""`recall check`: which memo does this one replace? Asked while its author is there to answer."""

from typing import NamedTuple

import click

from recall_core.errors import UsageError
from recall_lint.cli.environment import Environment
from recall_lint.collection import paused_collection

FORMATS = ("full", "concise", "json", "jsonl", "rdjsonl")
STDIN = "-"


class Options(NamedTuple):
    """The command line of `recall check`."""

    files: tuple[str, ...]
    staged: bool
    strict: bool
    accept: tuple[str, ...]
    decline: tuple[str, ...]
    reason: str | None
    interactive: bool
    format: str
    stdin_filename: str | None
    cache: bool
    config: str | None
    color: str

    @property
    def answers(self) -> bool:
        """Whether this run writes what the author says on the command line."""
        return bool(self.accept or self.decline)


@click.command("check", short_help="Ask which memos these replace.")
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("--staged", is_flag=True, help="Check what the next commit would hold; without FILE all staged memos.")
@click.option("--strict", is_flag=True, help="Exit 1 while a question is open.")
@click.option("--accept", multiple=True, metavar="TARGET", help="Declare the edge between FILE and TARGET.")
@click.option("--decline", multiple=True, metavar="TARGET", help="Write into FILE that there is none.")
@click.option("--reason", metavar="TEXT", help="With --decline: why.")
@click.option("-i", "--interactive", is_flag=True, help="Answer each question with a key.")
@click.option("--format", "format", type=click.Choice(FORMATS), default="full", show_default=True, help="How to print.")
@click.option("--stdin-filename", metavar="FILE", help="The name of the memo that `-` reads from standard input.")
@click.option("--no-cache", "cache", is_flag=True, flag_value=False, default=True, help="Read every memo anew.")
@click.option("--config", metavar="FILE", help="The configuration file; its folder is the root.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colours in the output.")
def command(**given: object) -> int:
    """Ask which memos these replace, and say what is wrong in them.

    Every sentence that tells of a replacement, here or in a memo about these, is a question until the edge is declared
    or declined. Nothing is printed where nothing is to be said. `-` reads one memo from standard input.

    Exit status: 0 fine, an open question included; 1 an error, or with --strict an open question; 2 could not run.
    """
    options = Options(**given)  # type: ignore[arg-type]  # click hands over what the declarations above say
    _refuse_contradictions(options)
    with paused_collection():  # from here on: importing the rules makes many small values that all stay
        from recall_lint.cli.check_run import run

        return run(options, Environment.read())


def _refuse_contradictions(options: Options) -> None:
    if not options.files and not options.staged:
        raise UsageError("no memo is named", help="`recall check FILE`, or `recall check --staged` for what is staged")
    _refuse_stdin(options)
    if options.reason is not None and not options.decline:
        raise UsageError("--reason goes with --decline", help="add `--decline TARGET`")
    writes = options.answers or options.interactive
    if writes and options.staged:
        raise UsageError("answers are written on disk, and this run reads the index", help="leave --staged out")
    if options.answers and options.interactive:
        raise UsageError("--interactive asks for what --accept and --decline say", help="leave one of them out")
    if options.answers and len(options.files) != 1:
        raise UsageError("--accept and --decline answer for one memo", help="name one FILE")
    if writes and options.format != "full":
        raise UsageError(f"answers are given to people, not as {options.format}", help="leave --format out")


def _refuse_stdin(options: Options) -> None:
    if STDIN not in options.files:
        if options.stdin_filename is not None:
            raise UsageError("--stdin-filename goes with `-`", help="add `-` to read standard input")
        return
    if options.files != (STDIN,):
        raise UsageError("`-` stands alone: standard input holds one memo", help="leave the other files out")
    if options.stdin_filename is None:
        raise UsageError("`-` needs a name for the memo", help="add `--stdin-filename docs/memo.md`")
    if options.staged or options.answers or options.interactive:
        raise UsageError("standard input is checked against the files on disk, and not written", help="name the file")
