"""The options that every command over a store takes."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from recall_core.wiring import Choices

_OPTIONS = (
    click.option("--tenant", metavar="NAME", help="Whose corpus.  [default: the configuration's, else `default`]"),
    click.option("--serving-dsn", metavar="DSN", help="A PostgreSQL server.  [default: RECALL_SERVING_DSN, else ours]"),
    click.option("--migration-dsn", metavar="DSN", help="The same with the role that may change tables."),
    click.option("--actor", metavar="NAME", help="Who does it.  [default: RECALL_ACTOR, else the system's user]"),
    click.option("--data-dir", metavar="FOLDER", help="Where our own server lives.  [default: RECALL_DATA_DIR]"),
    click.option("--config", metavar="FILE", help="The configuration file; its folder is the root."),
)
_NAMES = ("tenant", "serving_dsn", "migration_dsn", "actor", "data_dir", "config")

embedder_option = click.option(
    "--embedder", metavar="NAME", help="`local`, `none`, `hash:512` …  [default: RECALL_EMBEDDER, else `local`]"
)


def store_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command, which is given what they say as `choices`."""

    @wraps(command)
    def collect(**options: Any) -> Any:
        chosen = {name: options.pop(name) for name in _NAMES}
        return command(choices=Choices(**chosen, embedder=options.pop("embedder", None)), **options)

    for option in reversed(_OPTIONS):
        collect = option(collect)
    return collect


def format_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--format text|json`, given as `format_`."""
    choice = click.Choice(["text", "json"])
    return click.option("--format", "format_", type=choice, default="text", show_default=True, help="How to print.")(
        command
    )
