"""The options that every command over a store takes."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from recall_core.cli.global_options import NAMES, global_options
from recall_core.wiring import Choices

_config_option = click.option("--config", metavar="FILE", help="The configuration file; its folder is the root.")

embedder_option = click.option(
    "--embedder", metavar="NAME", help="`local`, `none`, `hash:512` …  [default: RECALL_EMBEDDER, else `local`]"
)


def store_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command, which is given what they say as `choices`.

    What stands behind the command counts; for what does not, what stands before it.
    """

    @wraps(command)
    def collect(**options: Any) -> Any:
        context = click.get_current_context(silent=True)
        before = context.find_root().params if context is not None else {}
        chosen = {name: given if (given := options.pop(name)) is not None else before.get(name) for name in NAMES}
        choices = Choices(**chosen, config=options.pop("config"), embedder=options.pop("embedder", None))
        return command(choices=choices, **options)

    return global_options(_config_option(collect))


def format_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--format text|json`, given as `format_`."""
    choice = click.Choice(["text", "json"])
    return click.option("--format", "format_", type=choice, default="text", show_default=True, help="How to print.")(
        command
    )
