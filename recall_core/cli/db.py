"""`recall db`: the embedded server."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from recall_core.wiring import Choices, embedded_folder

if TYPE_CHECKING:
    from recall_core.adapters.embedded.server import Status


@click.group("db", short_help="Start, stop and look at the embedded server.")
def command() -> None:
    """The PostgreSQL that comes with the extra `search`, and serves where no DSN is given.

    It starts by itself when a command needs it and stops when nobody has asked for a while.
    """


def _data_dir(function: Callable[..., Any]) -> Callable[..., Any]:
    option = click.option("--data-dir", metavar="FOLDER", help="Where it lives.  [default: RECALL_DATA_DIR]")
    return option(function)


@command.command(short_help="Start it, where it does not run.")
@_data_dir
def start(data_dir: str | None) -> int:
    """Start the server, and make it first where it is not there; prints its socket's folder and process."""
    from recall_core.adapters.embedded import server
    from recall_core.adapters.output import remark, write

    folder = embedded_folder(Choices(data_dir=data_dir))
    server.ensure(folder, said=remark)
    write([_describe(server.look(folder))])
    return 0


@command.command(short_help="Stop it.")
@_data_dir
def stop(data_dir: str | None) -> int:
    """Stop the server. Open transactions are rolled back, and nothing that was committed is lost."""
    from recall_core.adapters.embedded import server
    from recall_core.adapters.output import write

    stopped = server.stop(embedded_folder(Choices(data_dir=data_dir)))
    write(["stopped\n" if stopped else "it did not run\n"])
    return 0


@command.command(short_help="Say whether it runs, and where it lives.")
@_data_dir
def status(data_dir: str | None) -> int:
    """Say whether the server runs, its version and its folder. Nothing is started; exits 1 where it does not run."""
    from recall_core.adapters.embedded import server
    from recall_core.adapters.output import write

    found = server.look(embedded_folder(Choices(data_dir=data_dir)))
    write([_describe(found)])
    return 0 if found.pid is not None else 1


@command.command(short_help="Print the folder that it lives in.")
@_data_dir
def path(data_dir: str | None) -> int:
    """Print the folder of the server: its cluster, its log and, where paths are short enough, its socket."""
    from recall_core.adapters.embedded import server
    from recall_core.adapters.output import write

    write([f"{server.look(embedded_folder(Choices(data_dir=data_dir))).place.folder}\n"])
    return 0


def _describe(found: "Status") -> str:
    from recall_core.model.escape import visible

    runs = f"runs as process {found.pid}" if found.pid is not None else "does not run"
    version = f"PostgreSQL {found.version}" if found.version else "not made yet"
    return (
        f"{runs}\n{version}, programs of {found.package}\n"
        f"folder {visible(found.place.folder)}\nsocket {visible(found.place.socket_folder)}\n"
        f"log    {visible(found.place.log)}\n"
    )
