"""`recall fix`: the edges that prose proves, shown as a diff or written."""

from dataclasses import dataclass

import click

from recall_core.errors import UsageError
from recall_lint.cli.environment import Environment

FORMATS = ("full", "json")


@dataclass(frozen=True, slots=True)
class Options:
    """The command line of `recall fix`."""

    paths: tuple[str, ...]
    write: bool
    exit_non_zero_on_write: bool
    format: str
    cache: bool
    config: str | None
    color: str


@click.command("fix", short_help="Declare what prose proves.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--write", is_flag=True, help="Write the proposals; without it nothing changes on disk.")
@click.option("--exit-non-zero-on-write", is_flag=True, help="With --write: exit 1 where anything was written.")
@click.option("--format", "format", type=click.Choice(FORMATS), default="full", show_default=True, help="How to print.")
@click.option("--no-cache", "cache", is_flag=True, flag_value=False, default=True, help="Read every memo anew.")
@click.option("--config", metavar="FILE", help="The configuration file; its folder is the root.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colours in the output.")
def command(**given: object) -> int:
    """Propose the edges that a sentence proves, and say of every other why not.

    A proof is a plain sentence in which this memo replaces another one as a whole. Everything else is left to its
    author: `recall check` asks.

    Exit status: 0 nothing left to write, 1 a proposal is not written, 2 could not run.
    """
    options = Options(**given)  # type: ignore[arg-type]  # click hands over what the declarations above say
    if options.exit_non_zero_on_write and not options.write:
        raise UsageError("--exit-non-zero-on-write goes with --write", help="add --write, or leave it out")
    from recall_lint.cli.fix_run import run

    return run(options, Environment.read())
