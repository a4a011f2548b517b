"""`recall lint`: the findings of the whole corpus, or of what was selected."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

import click

from recall_core.cli.instant import Instant, Moment
from recall_core.errors import UsageError
from recall_lint.cli.environment import Environment

FORMATS = ("full", "concise", "json", "jsonl", "sarif", "github")
MACHINE_FORMATS = ("json", "jsonl", "sarif", "github")
_STDIN = "-"


@dataclass(frozen=True, slots=True)
class Options:
    """The command line of `recall lint`."""

    paths: tuple[str, ...]
    staged: bool
    rev: str | None
    pushed: bool
    skip_clean: bool
    format: str
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    fail_on: str | None
    at: Moment | None
    fix: bool
    unsafe_fixes: bool
    diff: bool
    stdin_filename: str | None
    statistics: bool
    exit_zero: bool
    verbose: bool
    cache: bool
    config: str | None
    color: str


@click.command("lint", short_help="Check the whole corpus.")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--staged", is_flag=True, help="Check what the next commit would hold: the Git index.")
@click.option("--rev", metavar="REV", help="Check what a revision holds.")
@click.option("--pushed", is_flag=True, help="Check the revision that a pre-push hook is about to push, else HEAD.")
@click.option("--skip-clean", is_flag=True, help="With --staged: leave at once if this very index passed before.")
@click.option("--format", "format", type=click.Choice(FORMATS), default="full", show_default=True, help="How to print.")
@click.option("--select", multiple=True, metavar="CODES", help="Run only these rules: codes, prefixes, names, ALL.")
@click.option("--ignore", multiple=True, metavar="CODES", help="Leave these rules out.")
@click.option(
    "--fail-on", type=click.Choice(["error", "warning", "info"]), help="Exit 1 from this severity up.  [default: error]"
)
@click.option("--at", type=Instant(), help="Judge validity windows on this day.  [default: the system's, UTC]")
@click.option("--fix", is_flag=True, help="Write the safe fixes.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: those that need a look afterwards too.")
@click.option("--diff", is_flag=True, help="Print what --fix would change; exit 1 if there is anything.")
@click.option("--stdin-filename", metavar="FILE", help="The name of the memo that `-` reads from standard input.")
@click.option("--statistics", is_flag=True, help="Count the findings of each rule instead of listing them.")
@click.option("--exit-zero", is_flag=True, help="Exit 0 whatever is found.")
@click.option("-v", "--verbose", is_flag=True, help="Show infos too; so does --fail-on info.")
@click.option("--no-cache", "cache", is_flag=True, flag_value=False, default=True, help="Read every memo anew.")
@click.option("--config", metavar="FILE", help="The configuration file; its folder is the root.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colours in the output.")
def command(**given: object) -> int:
    """Check the supersession graph and the validity windows of the corpus.

    The corpus is every memo below the root; PATH only chooses whose findings are shown. `-` reads one memo from
    standard input.

    Exit status: 0 nothing to mend, 1 findings, 2 could not run.
    """
    options = Options(**given)  # type: ignore[arg-type]  # click hands over what the declarations above say
    _refuse_contradictions(options)
    from recall_lint.cli.lint_run import run

    return run(replace(options, select=_codes(options.select), ignore=_codes(options.ignore)), Environment.read())


def _codes(values: Sequence[str]) -> tuple[str, ...]:
    return tuple(code.strip() for value in values for code in value.split(",") if code.strip())


def _refuse_contradictions(options: Options) -> None:
    if sum((options.staged, options.rev is not None, options.pushed)) > 1:
        raise UsageError("--staged, --rev and --pushed exclude each other", help="choose one")
    frozen = options.staged or options.rev is not None or options.pushed
    if frozen and (options.fix or options.diff):
        raise UsageError("fixes are made on disk, and this run reads Git", help="run `recall lint --fix` without it")
    if options.unsafe_fixes and not (options.fix or options.diff):
        raise UsageError("--unsafe-fixes goes with --fix or --diff", help="add `--diff` to see what they would change")
    if options.select and not _codes(options.select):
        raise UsageError("--select names no rule", help="name rules, or ALL; leave it out for the configured ones")
    if options.skip_clean and not options.staged:
        raise UsageError("--skip-clean goes with --staged", help="add --staged, or leave it out")
    if options.statistics and options.format in MACHINE_FORMATS:
        raise UsageError(f"--statistics is a table for people, not {options.format}", help="leave one of them out")
    if options.diff and options.format in MACHINE_FORMATS:
        wanted = "leave one of them out; `--format json` holds the edits of every fix"
        raise UsageError(f"--diff is a patch, not {options.format}", help=wanted)
    _refuse_for_stdin(options, frozen=frozen)


def _refuse_for_stdin(options: Options, *, frozen: bool) -> None:
    """What makes no sense with `-`; `frozen` where the run reads Git."""
    if _STDIN in options.paths:
        if options.paths != (_STDIN,):
            raise UsageError("`-` stands alone: standard input holds one memo", help="leave the other paths out")
        if options.stdin_filename is None:
            raise UsageError("`-` needs a name for the memo", help="add `--stdin-filename docs/memo.md`")
        if frozen:
            raise UsageError("standard input is checked against the files on disk", help="leave the option out")
    elif options.stdin_filename is not None:
        raise UsageError("--stdin-filename goes with `-`", help="add `-` to read standard input")


def read_stdin() -> bytes:
    """All of standard input, as bytes. Raises UsageError where there is none."""
    if sys.stdin is None:
        raise UsageError("standard input is closed", help="name the file instead of `-`")
    return sys.stdin.buffer.read()
