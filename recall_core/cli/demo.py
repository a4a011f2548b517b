"""`recall demo`: the whole walk on memos of an invented product: index, refusal, calibration, answers, abstentions."""

import os
import shlex
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from recall_core.cli.demo_folder import LABELS, TENANT, lay_out
from recall_core.cli.options import embedder_option, store_options
from recall_core.wiring import Choices, Surroundings, Wiring

if TYPE_CHECKING:
    from recall_core.ports.store import Generation
    from recall_core.trust.policy import TrustPolicy

_QUESTIONS = (
    ("how long are nightly backups kept", "The older memo has the words of the question, and was replaced."),
    ("how many requests a minute may an API key send", "Three versions, each replaced by the next."),
    ("may I deploy over Christmas", "One memo says, and it has expired."),
    ("in which region does customer data live", "Two memos share the name that a third replaces: which is it?"),
    ("when does the library close on Sundays", "No memo says anything about it."),
)


@click.command("demo", short_help="From nothing to an answer, on memos of an invented product.")
@click.argument("folder", required=False)
@embedder_option
@store_options
def command(*, folder: str | None, choices: Choices) -> int:
    """Write a dozen memos of an invented product into FOLDER, index them into the tenant `demo`, and ask them.

    The questions are asked in strict mode, once a calibration is measured and certified for the memos.

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
    policy = TrustPolicy.strict()
    choices = replace(
        choices, tenant=choices.tenant or TENANT, policy=policy, config=os.path.join(place, "recall.toml")
    )
    write([f"$ cd {shlex.quote(place)}\n$ recall index{options}\n"])
    with Wiring(choices, root=place) as wiring:
        outcome = run_index(wiring, promote=False, allow_refused=False)
        if outcome is None:
            raise RefusedError(f"Git hides {place}, so there is nothing to index", help="name another FOLDER")
        write(render_text(outcome))
        if not _is_answering(wiring, options) and not _calibrate(wiring, outcome.generation, place, options):
            policy = TrustPolicy.development()
            write(["\n# Without a certificate only development mode answers, and it claims nothing.\n"])
            write(["$ export RECALL_TRUST_MODE=development\n"])
            write(_promote(wiring, outcome.generation, policy, options))
        else:
            write(_promote(wiring, outcome.generation, policy, options))
        for question, remark in _QUESTIONS:
            write(_ask(wiring, question, remark, policy, options))
    write(_next_steps(place, policy, options))
    return 0


def _options(choices: Choices) -> str:
    """What was given here and has to be typed with every command. DSNs are not shown: they may hold passwords."""
    given = (("--tenant", choices.tenant), ("--data-dir", choices.data_dir), ("--embedder", choices.embedder))
    return "".join(f" {name} {shlex.quote(value)}" for name, value in given if value is not None)


def _is_answering(wiring: Wiring, options: str) -> bool:
    """Ask the first question before anything was calibrated, and show why nothing is answered; not on a second run."""
    from recall_core.adapters.output import write
    from recall_core.app.answer import Refused
    from recall_core.cli.search import run as run_search
    from recall_core.cli.search_text import describe_refusal
    from recall_core.errors import StoreError
    from recall_core.trust.policy import FailureCode

    question = _QUESTIONS[0][0]
    found = run_search(wiring, question, k=3)
    if not isinstance(found, Refused):
        return True
    if found.refusal.failure_code is FailureCode.DEPENDENCY_UNAVAILABLE:
        raise StoreError(describe_refusal(found))
    write(["\n# Indexing alone answers nothing: it was not measured yet what an answer is worth.\n"])
    write([f"$ recall search {shlex.quote(question)} -k 3{options}\n{describe_refusal(found)}\n"])
    return False


def _calibrate(wiring: Wiring, generation: "Generation", place: str, options: str) -> bool:
    """Measure the labelled questions, and publish; whether that was certified."""
    from recall_core import __version__
    from recall_core.adapters import clock
    from recall_core.adapters.output import write
    from recall_core.adapters.private_file import read_text
    from recall_core.app.calibrate import CalibrateRequest, calibrate
    from recall_core.app.labels import read_labels
    from recall_core.cli.calibration_text import render_calibrated
    from recall_core.errors import RefusedError

    write(["\n# So questions are labelled, answered by the memos or not, and measured.\n"])
    write([f"$ recall calibrate --queries {LABELS} --publish{options}\n"])
    labels = read_labels(read_text(os.path.join(place, LABELS)), LABELS)
    request = CalibrateRequest(wiring.tenant, labels, wiring.actor, __version__, publishes=True)
    try:
        outcome = calibrate(wiring.store(), wiring.embedder(), generation, request, now=clock.now())
    except RefusedError as error:
        write([f"recall: {error.message}\n  = help: {error.help}\n"])
        return False
    write(render_calibrated(outcome))
    return outcome.certified and not outcome.declined


def _promote(wiring: Wiring, generation: "Generation", policy: "TrustPolicy", options: str) -> Iterator[str]:
    from recall_core.app.promote import promote
    from recall_core.generation.states import State

    if generation.state is State.ACTIVE:
        return
    yield f"$ recall generation promote {generation.id}{_without_embedder(options)}\n"
    found = promote(wiring.store(), wiring.tenant, generation.id, policy=policy, actor=wiring.actor)
    yield f"{found.id} is served\n"


def _without_embedder(options: str) -> str:
    """The options of a command that embeds nothing."""
    words = shlex.split(options)
    if "--embedder" in words:
        place = words.index("--embedder")
        del words[place : place + 2]
    return f" {shlex.join(words)}" if words else ""


def _ask(wiring: Wiring, question: str, remark: str, policy: "TrustPolicy", options: str) -> Iterator[str]:
    from recall_core.app.answer import Refused
    from recall_core.cli.search import run as run_search
    from recall_core.cli.search_text import describe_refusal, render
    from recall_core.errors import StoreError

    yield f"\n# {remark}\n$ recall search {shlex.quote(question)} -k 3{options}\n"
    found = run_search(wiring, question, k=3, policy=policy)
    if isinstance(found, Refused):
        raise StoreError(describe_refusal(found))
    yield from render(found, all_hits=False, explain=False)


def _next_steps(place: str, policy: "TrustPolicy", options: str) -> Iterator[str]:
    configuration = shlex.quote(os.path.join(place, "recall.toml"))
    mode = "" if policy.is_strict else "RECALL_TRUST_MODE=development "
    yield "\nNext:\n"
    yield f"  recall status --config {configuration}\n"
    yield f"  {mode}recall search 'who is paged at night' --config {configuration}{options}\n"
    yield "  cd YOUR-MEMOS && recall index && recall calibration suggest --output labels.json\n"
