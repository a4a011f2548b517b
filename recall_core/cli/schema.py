"""`recall schema`: the tables of a server, and the migrations that make them."""

from typing import TYPE_CHECKING

import click

from recall_core.cli.options import store_options
from recall_core.wiring import Choices, schema_dsns

if TYPE_CHECKING:
    from recall_core.adapters.postgres.migrate import SchemaStatus


@click.group("schema", short_help="The tables of a server, and the migrations that make them.")
def command() -> None:
    """The tables of a server. They change by numbered migrations, and only when you say so.

    The embedded server is kept up to date by itself. Any other is only checked when a command starts.
    """


@command.command(short_help="Say which migrations were applied, and whether the tables are as they were made.")
@store_options
def status(*, choices: Choices) -> int:
    """Say what is there. Exits 1 where something is pending, or was changed by hand."""
    from recall_core.adapters.output import write
    from recall_core.adapters.postgres.migrate import read_status

    _, migration, _ = schema_dsns(choices)
    found = read_status(migration)
    write([_describe(found)])
    return 1 if found.problem else 0


@command.command(short_help="Print the SQL that `apply` would run.")
@store_options
def plan(*, choices: Choices) -> int:
    """Print the SQL of what is pending. Nothing is run."""
    from recall_core.adapters.output import remark, write
    from recall_core.adapters.postgres.migrate import read_status

    _, migration, _ = schema_dsns(choices)
    pending = read_status(migration).pending
    write(f"-- migration {each.version}: {each.name} ({each.checksum})\n{each.text}\n" for each in pending)
    if not pending:
        remark("nothing is pending")
    return 0


@command.command("apply", short_help="Apply what is pending.")
@store_options
def apply_(*, choices: Choices) -> int:
    """Apply what is pending, each migration in its own transaction, and grant the serving role what it needs."""
    from recall_core.adapters.output import remark, write
    from recall_core.adapters.postgres.migrate import apply

    _, migration, role = schema_dsns(choices)
    found = apply(migration, role=role or None, said=remark)
    write([_describe(found)])
    return 1 if found.problem else 0


@command.command(short_help="Print what a serving role has to be granted.")
@click.option("--role", metavar="NAME", help="The role.  [default: that of the serving DSN]")
@store_options
def grants(*, role: str | None, choices: Choices) -> int:
    """Print the statements that give a role what it needs to serve: rows, and no change of any table."""
    from recall_core.adapters.output import write
    from recall_core.adapters.postgres.migrate import grants as list_grants
    from recall_core.adapters.postgres.migrate import read_database
    from recall_core.errors import UsageError

    _, migration, serving = schema_dsns(choices)
    chosen = role or serving
    if not chosen:
        raise UsageError("grants go to a role", help="name it with --role, or give --serving-dsn")
    write(f"{statement}\n" for statement in list_grants(chosen, read_database(migration)))
    return 0


def _describe(found: "SchemaStatus") -> str:
    from recall_core.model.escape import visible

    lines = [f"PostgreSQL {found.server}, pgvector {found.vector or 'missing'}"]
    lines += [f"applied  {each.version:>4}  {visible(each.name)}  {each.at}" for each in found.applied]
    lines += [f"pending  {each.version:>4}  {visible(each.name)}" for each in found.pending]
    if found.problem:
        lines.append(f"{visible(found.problem)}; {visible(found.help)}")
    else:
        lines.append("the tables are those that the migrations made")
    return "".join(f"{line}\n" for line in lines)
