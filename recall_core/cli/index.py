"""`recall index`: from a folder of memos to a generation that can be searched."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from recall_core.cli.options import embedder_option, format_option, store_options
from recall_core.wiring import Choices, Wiring

if TYPE_CHECKING:
    from recall_core.app.index import IndexReport
    from recall_core.ports.store import Generation

INTERRUPTED = "interrupted: what was served before is served still; vectors made so far are kept, so a re-run is quick"


@click.command("index", short_help="Build a generation from a folder of memos.")
@click.argument("root", required=False)
@click.option("--rev", metavar="REV", help="Index what a revision holds.  [default: the work tree]")
@click.option("--promote", is_flag=True, help="Serve the generation once it is ready.")
@click.option("--query-set", metavar="DIGEST", help="With --promote: measure these labels.  [default: the published]")
@click.option("--allow-refused", is_flag=True, help="With --promote: even if memos had to be left out.")
@click.option("--allow-mass-removal", is_flag=True, help="Go on although more than half of the memos are gone.")
@click.option("--rebuild", is_flag=True, help="Make a generation although nothing changed.")
@embedder_option
@format_option
@store_options
def command(
    *,
    root: str | None,
    rev: str | None,
    promote: bool,
    query_set: str | None,
    allow_refused: bool,
    allow_mass_removal: bool,
    rebuild: bool,
    format_: str,
    choices: Choices,
) -> int:
    """Build a generation from the memos of a corpus: those that `recall lint` sees from the folder ROOT.

    Memos whose metadata is broken, or that seem to hold a secret, are named and left out. Nothing is built where
    nothing changed. With --promote the labels that were published last are measured again on it: it is served once
    they certify, else what was served before is served on.

    Exit status: 0 fine, 1 memos were left out or --promote was declined, 2 could not run.
    """
    from recall_core.adapters.output import remark, write
    from recall_core.errors import UsageError

    if query_set is not None and not promote:
        raise UsageError("--query-set is measured for a promotion", help="add --promote")
    with Wiring(choices, root=root, rev=rev) as wiring:
        try:
            outcome = run(
                wiring,
                promote=promote,
                query_set=query_set,
                allow_refused=allow_refused,
                allow_mass_removal=allow_mass_removal,
                rebuild=rebuild,
            )
        except KeyboardInterrupt:
            remark(INTERRUPTED)
            raise
    if outcome is None:
        return 0
    write(render_json(outcome) if format_ == "json" else render_text(outcome))
    return 1 if outcome.report.refused or outcome.declined else 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an index came to.

    `declined` says why it was not promoted, where that was asked for. `calibration` is the id of what was measured and
    published for it; None where nothing was.
    """

    report: "IndexReport"
    generation: "Generation"
    calibration: str | None = None
    declined: str = ""
    help: str = ""


def run(
    wiring: Wiring,
    *,
    promote: bool,
    allow_refused: bool,
    query_set: str | None = None,
    allow_mass_removal: bool = False,
    rebuild: bool = False,
) -> Outcome | None:
    """Index the corpus of `wiring`, and promote if asked; None where there is no memo, which was said then."""
    from recall_core.adapters import clock
    from recall_core.adapters.output import remark
    from recall_core.app.index import IndexRequest, index
    from recall_core.cli.progress import show_progress

    view = wiring.corpus()
    for sentence in view.said:
        remark(sentence)
    if not view.paths and not allow_mass_removal:
        return None
    store, embedder = wiring.store(), wiring.embedder()
    request = IndexRequest(wiring.tenant, wiring.actor, allow_mass_removal, rebuild)
    with show_progress("indexing", wanted=wiring.surroundings.shows_progress) as progress:
        report = index(view, store, embedder, wiring.pipeline(embedder), request, now=clock.now(), progress=progress)
    if not promote:
        return Outcome(report, report.generation)
    return _promote(wiring, report, query_set=query_set, allow_refused=allow_refused)


def _promote(wiring: Wiring, report: "IndexReport", *, query_set: str | None, allow_refused: bool) -> Outcome:
    """Measure what was published before on the new generation, and serve it where the policy lets it be served."""
    from recall_core import __version__
    from recall_core.adapters import clock
    from recall_core.adapters.output import remark
    from recall_core.app.measure import name_unknown
    from recall_core.app.promote import demand_complete
    from recall_core.app.promote import promote as promote_generation
    from recall_core.app.recertify import recertify
    from recall_core.cli.progress import show_progress
    from recall_core.errors import RefusedError

    store, generation = wiring.store(), report.generation
    calibration: str | None = None
    try:
        demand_complete(generation, allow_refused=allow_refused)
        try:
            with show_progress("measuring", wanted=wiring.surroundings.shows_progress) as progress:
                found = recertify(
                    store,
                    wiring.embedder(),
                    generation,
                    query_set=query_set,
                    actor=wiring.actor,
                    tool=__version__,
                    now=clock.now(),
                    progress=progress,
                )
            if found is not None and (sentence := name_unknown(found.unknown)):
                remark(sentence)
            calibration = found.stored.id if found is not None and found.stored is not None else None
        except RefusedError as error:
            if wiring.policy.is_strict:
                raise
            remark(f"{error.message}; served all the same: this is development mode")
        promoted = promote_generation(
            store,
            wiring.tenant,
            generation.id,
            policy=wiring.policy,
            actor=wiring.actor,
            allow_refused=allow_refused,
        )
    except RefusedError as error:
        return Outcome(report, generation, calibration, error.message, error.help)
    return Outcome(report, promoted, calibration)


def render_text(outcome: Outcome) -> Iterator[str]:
    """The memos that were left out, what there is now, and what to type next."""
    from recall_core.cli.plural import count
    from recall_core.model.escape import visible

    report, generation = outcome.report, outcome.generation
    for refused in report.refused:
        yield f"{visible(refused.path)}:{refused.line}: left out: {visible(refused.reason)}\n"
    did = "built" if report.is_new else "nothing changed:"
    vectors = f" ({report.embedded} embedded, {report.reused} taken over)" if report.embedded + report.reused else ""
    counts = f"{count(generation.memos, 'memo')}, {count(generation.chunks, 'chunk')}{vectors}"
    yield f"{did} {visible(generation.id)} of {visible(generation.root)}: {counts}; {generation.state.value}\n"
    if outcome.calibration is not None:
        yield f"measured again with stored labels: {visible(outcome.calibration)} is certified and published\n"
    if outcome.declined:
        yield f"not promoted: {visible(outcome.declined)}\n"
        yield f"  = help: {visible(outcome.help)}\n"
    elif generation.state.value == "ready":
        yield f"next: recall generation promote {visible(generation.id)}\n"


def render_json(outcome: Outcome) -> Iterator[str]:
    """One object; its schema is `recall_lint/schema/index.schema.json`."""
    from recall_core import __version__
    from recall_core.adapters.encode import dumps, text
    from recall_core.cli.generations import generation_object

    report = outcome.report
    value = {
        "version": 1,
        "tool_version": __version__,
        "tenant_id": outcome.generation.tenant,
        "generation": generation_object(outcome.generation),
        "is_new": report.is_new,
        "embedded": report.embedded,
        "reused": report.reused,
        "refused": [
            {"path": text(each.path), "line": each.line, "message": text(each.reason)} for each in report.refused
        ],
        "calibration_id": outcome.calibration,
        "declined": {"message": text(outcome.declined), "help": text(outcome.help)} if outcome.declined else None,
    }
    yield f"{dumps(value)}\n"
