"""The options of everything that uses a store: they may stand before the name of a command, or behind it."""

from collections.abc import Callable
from typing import Any

import click

NAMES = ("tenant", "serving_dsn", "migration_dsn", "actor", "data_dir")

_OPTIONS = (
    click.option("--tenant", metavar="NAME", help="Whose corpus.  [default: the configuration's, else `default`]"),
    click.option("--serving-dsn", metavar="DSN", help="A PostgreSQL server.  [default: RECALL_SERVING_DSN, else ours]"),
    click.option("--migration-dsn", metavar="DSN", help="The same with the role that may change tables."),
    click.option("--actor", metavar="NAME", help="Who does it.  [default: RECALL_ACTOR, else the system's user]"),
    click.option("--data-dir", metavar="FOLDER", help="Where our own server lives.  [default: RECALL_DATA_DIR]"),
)


def global_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command or a group."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
