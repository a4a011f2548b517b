"""`recall demo`: memos of an invented product, indexed and asked, so that an answer is on the screen in one command."""

import os
import shlex
from collections.abc import Iterator
from dataclasses import replace

import click

from recall_core.cli.options import embedder_option, store_options
from recall_core.wiring import Choices, Surroundings, Wiring

TENANT = "demo"

_MEMOS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "demo_memos")
_CONFIGURATION = f'# The folder of this file is the root: `recall demo` made it.\ntenant = "{TENANT}"\n'
_QUESTIONS = (
    ("how long are nightly backups kept", "The older memo has the words of the question, and was replaced."),
    ("how many requests a minute may an API key send", "Three versions, each replaced by the next."),
    ("may I deploy over Christmas", "One memo says, and it has expired."),
    ("in which region does customer data live", "Two memos share the name that a third replaces: which is it?"),
)


@click.command("demo", short_help="From nothing to an answer, on memos of an invented product.")
@click.argument("folder", required=False)
@embedder_option
@store_options
def command(*, folder: str | None, choices: Choices) -> int:
    """Write a dozen memos of an invented product into FOLDER, index them into the tenant `demo`, and ask them.

    FOLDER is a new or empty one.  [default: `demo` below the data folder]
    """
    from recall_core.adapters.output import write
    from recall_core.cli.index import render_text
    from recall_core.cli.index import run as run_index
    from recall_core.errors import RefusedError
    from recall_core.trust.policy import TrustPolicy

    place = os.path.abspath(folder or os.path.join(choices.data_dir or Surroundings.read().data_folder, "demo"))
    lay_out(place)
    options = _options(choices)
    choices = replace(
        choices,
        tenant=choices.tenant or TENANT,
        policy=TrustPolicy.development(),
        config=os.path.join(place, "recall.toml"),
    )
    write([f"$ cd {shlex.quote(place)}\n$ export RECALL_TRUST_MODE=development\n$ recall index --promote{options}\n"])
    with Wiring(choices, root=place) as wiring:
        outcome = run_index(wiring, promote=True, allow_refused=False)
        if outcome is None:
            raise RefusedError(f"Git hides {place}, so there is nothing to index", help="name another FOLDER")
        write(render_text(outcome))
        for question, remark in _QUESTIONS:
            write(_ask(wiring, question, remark, options))
        write(_ask_strictly(wiring, _QUESTIONS[0][0], options))
    write(_next_steps(place, options))
    return 0


def lay_out(folder: str) -> None:
    """Write the memos and a configuration into a folder that is new, empty, or of an earlier demonstration.

    Raises UsageError for any other, and WriteError where the system refuses.
    """
    from recall_core.errors import UsageError, WriteError

    try:
        os.makedirs(folder, exist_ok=True)
        if os.listdir(folder) and _read(os.path.join(folder, "recall.toml")) != _CONFIGURATION:
            raise UsageError(f"{folder} is not empty", help="name a new folder")
        if not os.path.lexists(os.path.join(folder, "recall.toml")):  # first: a cut-off run can be taken up again
            _write(os.path.join(folder, "recall.toml"), _CONFIGURATION)
        for path in _paths():
            full = os.path.join(folder, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            if not os.path.lexists(full):
                _write(full, _read(os.path.join(_MEMOS, path)))
    except OSError as error:
        reason = error.strerror or str(error)
        raise WriteError(f"the memos cannot be written to {folder}: {reason}", help="name another FOLDER") from error


def _paths() -> Iterator[str]:
    for folder, _, names in os.walk(_MEMOS):
        yield from (os.path.relpath(os.path.join(folder, name), _MEMOS) for name in names if name.endswith(".md"))


def _read(path: str) -> str:
    if not os.path.lexists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def _write(path: str, text: str) -> None:
    with open(path, "x", encoding="utf-8", newline="\n") as file:
        file.write(text)


def _options(choices: Choices) -> str:
    """What was given here and has to be typed with every command. DSNs are not shown: they may hold passwords."""
    given = (("--tenant", choices.tenant), ("--data-dir", choices.data_dir), ("--embedder", choices.embedder))
    return "".join(f" {name} {shlex.quote(value)}" for name, value in given if value is not None)


def _ask(wiring: Wiring, question: str, remark: str, options: str) -> Iterator[str]:
    from recall_core.app.answer import Refused
    from recall_core.cli.search import run as run_search
    from recall_core.cli.search_text import describe_refusal, render
    from recall_core.errors import StoreError

    yield f"\n# {remark}\n$ recall search {shlex.quote(question)} -k 3{options}\n"
    found = run_search(wiring, question, k=3)
    if isinstance(found, Refused):
        raise StoreError(describe_refusal(found))
    yield from render(found, all_hits=False, explain=False)


def _ask_strictly(wiring: Wiring, question: str, options: str) -> Iterator[str]:
    from recall_core.app.answer import Refused
    from recall_core.cli.search import run as run_search
    from recall_core.cli.search_text import describe_refusal, render
    from recall_core.trust.policy import TrustPolicy

    yield "\n# In production nothing is answered before it was measured what an answer is worth.\n"
    yield f"$ unset RECALL_TRUST_MODE\n$ recall search {shlex.quote(question)}{options}\n"
    found = run_search(wiring, question, policy=TrustPolicy.strict())
    if isinstance(found, Refused):
        yield f"{describe_refusal(found)}\n"
    else:
        yield from render(found, all_hits=False, explain=False)


def _next_steps(place: str, options: str) -> Iterator[str]:
    configuration = shlex.quote(os.path.join(place, "recall.toml"))
    yield "\nNext:\n"
    yield f"  recall status --config {configuration}\n"
    yield f"  RECALL_TRUST_MODE=development recall search 'who is paged at night' --config {configuration}{options}\n"
    yield "  cd YOUR-MEMOS && RECALL_TRUST_MODE=development recall index --promote\n"
