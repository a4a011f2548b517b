"""`recall forget`: take memos out of every generation and every cache, and bar them."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from recall_core.cli.options import format_option, store_options
from recall_core.wiring import Choices, Wiring

if TYPE_CHECKING:
    from recall_core.ports.store import Forgotten


@click.command("forget", short_help="Take memos out of the store, for good.")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--yes", is_flag=True, help="Do it. Without this it is only said what would go.")
@format_option
@store_options
def command(*, paths: tuple[str, ...], yes: bool, format_: str, choices: Choices) -> int:
    """Take memos out of every generation and every cache, and bar their paths and contents from later ones.

    PATH is what search shows: relative to the root of the corpus. Exit status: 0 done, 1 nothing was done yet (without
    --yes) or a name is unknown, 2 could not run.
    """
    from recall_core.adapters.output import remark, write
    from recall_core.app.forget import IN_HISTORY, forget

    with Wiring(choices) as wiring:
        store = wiring.store()
        roots = sorted({each.root for each in store.generations(wiring.tenant)})
        found = forget(
            store,
            wiring.tenant,
            paths,
            actor=wiring.actor,
            dry_run=not yes,
            purge=lambda digests: wiring.purge(roots, digests),
        )
    write(_render_json(found, done=yes) if format_ == "json" else _render_text(found, done=yes))
    if found.paths:
        remark(IN_HISTORY)
    return 0 if yes and not found.unknown else 1


def _render_text(found: "Forgotten", *, done: bool) -> Iterator[str]:
    from recall_core.cli.plural import count
    from recall_core.model.escape import visible

    for path in found.unknown:
        yield f"unknown: {visible(path)}\n"
    for path in found.paths:
        yield f"{'forgotten' if done else 'would forget'}: {visible(path)}\n"
    where = f"{count(found.chunks, 'chunk')} in {count(len(found.generations), 'generation')}"
    yield f"{where}{'' if done or not found.paths else '; `--yes` does it'}\n"


def _render_json(found: "Forgotten", *, done: bool) -> Iterator[str]:
    from recall_core.adapters.encode import dumps, text

    value = {
        "version": 1,
        "done": done,
        "paths": [text(path) for path in found.paths],
        "unknown": [text(path) for path in found.unknown],
        "chunks": found.chunks,
        "generations": list(found.generations),
    }
    yield f"{dumps(value)}\n"
