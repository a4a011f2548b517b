"""The console script: command names, loaded when asked for, and the one place where an error becomes an exit status."""

import errno
import gc
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import NamedTuple

import click

from recall_core import __version__
from recall_core.adapters.output import say, silence, write
from recall_core.cli.global_options import global_options
from recall_core.errors import RecallError, WriteError

COULD_NOT_RUN = 2

_DISK_REFUSES = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


class Entry(NamedTuple):
    """Where a command lives, and its line in `recall --help`: listing the commands loads none of them."""

    module: str
    summary: str


COMMANDS = {
    "lint": Entry("recall_lint.cli.lint", "Check the supersession graph and the validity windows of the corpus."),
    "check": Entry("recall_lint.cli.check", "Ask an author which memos theirs replaces, and validate it."),
    "fix": Entry("recall_lint.cli.fix", "Declare the edges that prose proves, and say of the others why not."),
    "status": Entry("recall_lint.cli.status", "Say of each memo whether it holds, and what replaced it."),
    "index": Entry("recall_core.cli.index", "Build a generation from a folder of memos."),
    "search": Entry("recall_core.cli.search", "Ask the memos, and be told which answers hold."),
    "generation": Entry("recall_core.cli.generation", "Show, promote, roll back and retire generations."),
    "calibrate": Entry("recall_core.cli.calibrate", "Measure labelled queries, and place a threshold."),
    "calibration": Entry("recall_core.cli.calibration", "Publish, look at and move what was measured."),
    "forget": Entry("recall_core.cli.forget", "Take memos out of the store, for good."),
    "demo": Entry("recall_core.cli.demo", "From nothing to an answer, on memos of an invented product."),
    "db": Entry("recall_core.cli.db", "Start, stop and look at the embedded server."),
    "schema": Entry("recall_core.cli.schema", "The tables: what they are, what is pending, and who may do what."),
    "server": Entry("recall_lint.cli.server", "Lint in an editor, over the language server protocol."),
    "rule": Entry("recall_lint.cli.rule", "Explain a rule, or list them all."),
}


class Commands(click.Group):
    """Commands by name. A misspelt one is answered by the nearest."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's interface
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's interface
        """The command of this name, imported now, or None."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command: click.Command = import_module(entry.module).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Click's own, with a suggestion."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            close = get_close_matches(args[0], COMMANDS, n=1)
            hint = f" Did you mean `recall {close[0]}`?" if close else " `recall --help` lists the commands."
            raise click.UsageError(f"No such command `{_printable(args[0])}`.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's
        """The table of commands, from the summaries."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in COMMANDS.items()])


@click.group(
    cls=Commands,
    invoke_without_command=True,
    subcommand_metavar="COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, message="recall %(version)s")
@global_options
@click.pass_context
def cli(context: click.Context, /, **_: str | None) -> None:
    """Find the memo that has been replaced, before somebody relies on it.

    Memos are Markdown files whose frontmatter says `supersedes`, `valid_from` and `valid_until`.
    """
    if context.invoked_subcommand is None:
        say(context.get_help())
        context.exit(COULD_NOT_RUN)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and leave with its exit status: 0 fine, 1 something to look at, 2 it could not run."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    status = run(given)
    gc.freeze()  # the process ends: looking through all that was read for cycles would be for nothing
    sys.exit(status)


def run(arguments: list[str]) -> int:
    """The exit status of a command line; all output written."""
    try:
        try:
            status = cli.main(arguments, prog_name="recall", standalone_mode=False)
        except SystemExit:  # click's answer to a closed pipe, under `--help` and `--version`
            return 0
        return status if isinstance(status, int) else 0
    except RecallError as error:
        return _refuse(arguments, error.kind, error.message, error.help)
    except click.ClickException as error:
        return _refuse_usage(arguments, error)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (KeyboardInterrupt, click.Abort):
        return 130
    except OSError as error:
        if error.errno not in _DISK_REFUSES:
            return _report_internal(arguments, error)
        if sys.stdout is not None:  # click prints `--help` and `--version` itself
            silence(sys.stdout)
        return _refuse(arguments, WriteError.kind, f"standard output cannot be written: {error.strerror}", "")
    except Exception as error:  # noqa: BLE001 - the last boundary: whatever it is, it is ours
        return _report_internal(arguments, error)


def _refuse(arguments: list[str], kind: str, message: str, help_: str) -> int:
    """Say why the command could not run: a sentence for people, an object where a JSON format was asked for."""
    if wants_json(arguments):
        from recall_lint.formats.error import render_error

        with suppress(RecallError):
            write([render_error(kind, message, help_)])
    say(f"recall: error: {_printable(message)}")
    if help_:
        say(f"  = help: {_printable(help_)}")
    return COULD_NOT_RUN


def _refuse_usage(arguments: list[str], error: click.ClickException) -> int:
    context = getattr(error, "ctx", None)
    if not wants_json(arguments) and context is not None:
        say(context.get_usage())
    program = context.command_path if context is not None else "recall"
    return _refuse(arguments, "usage", error.format_message(), f"`{program} --help` shows what it takes")


def _report_internal(arguments: list[str], error: Exception) -> int:
    import traceback

    for line in "".join(traceback.format_exception(error)).splitlines():
        say(_printable(line))
    message = f"internal error in recall {__version__}: {type(error).__name__}: {error}"
    help_ = "this is our mistake, not yours: please report it with the lines above"
    return _refuse(arguments, "internal", message, help_)


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether a JSON format stands on the command line. Read by hand: the error may be one of parsing it."""
    for position, argument in enumerate(arguments):
        name, equals, value = argument.partition("=")
        if name == "--format":
            chosen = value if equals else next(iter(arguments[position + 1 : position + 2]), "")
            if chosen in ("json", "jsonl"):
                return True
    return False


def _printable(text: str) -> str:
    from recall_core.model.escape import visible

    return visible(text)
