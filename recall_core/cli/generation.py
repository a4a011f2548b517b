"""`recall generation`: which generations there are, and which of them is served."""

import click

from recall_core.cli.options import format_option, store_options
from recall_core.wiring import Choices, Wiring


@click.group("generation", short_help="Show, promote, roll back and retire generations.")
def command() -> None:
    """Generations are the indexes of a corpus. One of them is served; the others wait, or can be gone back to."""


@command.command("list", short_help="All generations, the newest first.")
@format_option
@store_options
def list_(*, format_: str, choices: Choices) -> int:
    """List all generations, the newest first."""
    from recall_core.adapters.output import write
    from recall_core.cli.generations import render_list, render_list_json

    with Wiring(choices) as wiring:
        found = wiring.store().generations(wiring.tenant)
    write(render_list_json(wiring.tenant, found) if format_ == "json" else render_list(found))
    return 0


@command.command("show", short_help="All that is known of one generation.")
@click.argument("generation")
@format_option
@store_options
def show(*, generation: str, format_: str, choices: Choices) -> int:
    """Show one generation, named by its id or the beginning of it."""
    from recall_core.adapters.output import write
    from recall_core.app.promote import find_generation
    from recall_core.cli.generations import render_list_json, render_one

    with Wiring(choices) as wiring:
        found = find_generation(wiring.store(), wiring.tenant, generation)
    write(render_list_json(wiring.tenant, [found]) if format_ == "json" else render_one(found))
    return 0


@command.command("promote", short_help="Serve a generation that is ready.")
@click.argument("generation")
@click.option("--allow-refused", is_flag=True, help="Even if memos had to be left out.")
@store_options
def promote(*, generation: str, allow_refused: bool, choices: Choices) -> int:
    """Serve a generation that is ready, named by its id or the beginning of it."""
    from recall_core.adapters.output import write
    from recall_core.app.promote import promote as promote_generation

    with Wiring(choices) as wiring:
        found = promote_generation(
            wiring.store(),
            wiring.tenant,
            generation,
            policy=wiring.policy,
            actor=wiring.actor,
            allow_refused=allow_refused,
        )
    write([f"{found.id} is served\n"])
    return 0


@command.command("rollback", short_help="Serve again what was served before.")
@store_options
def rollback(*, choices: Choices) -> int:
    """Serve again what was served before."""
    from recall_core.adapters.output import write
    from recall_core.app.promote import rollback as roll_back

    with Wiring(choices) as wiring:
        found = roll_back(wiring.store(), wiring.tenant, actor=wiring.actor)
    write([f"{found.id} is served again\n"])
    return 0


@command.command("retire", short_help="Drop the rows of a generation that is not served.")
@click.argument("generation")
@store_options
def retire(*, generation: str, choices: Choices) -> int:
    """Drop the rows of a generation that is not served, and keep its record."""
    from recall_core.adapters.output import write
    from recall_core.app.promote import retire as retire_generation

    with Wiring(choices) as wiring:
        found = retire_generation(wiring.store(), wiring.tenant, generation, actor=wiring.actor)
    write([f"{found.id} is {found.state.value}, and its rows are gone\n"])
    return 0
