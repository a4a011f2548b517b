"""`recall calibration`: evidence about a generation, and which of it searches rely on."""

import click

from recall_core.cli.calibrate import command as calibrate_command
from recall_core.cli.options import embedder_option, format_option, store_options
from recall_core.wiring import Choices, Wiring


@click.group("calibration", short_help="Measure, publish, look at and move calibrations.")
def command() -> None:
    """A calibration is evidence about one generation: labelled queries, their scores, and the threshold between."""


command.add_command(calibrate_command)


@command.command("publish", short_help="Judge searches by a certified draft.")
@click.argument("calibration")
@store_options
def publish(*, calibration: str, choices: Choices) -> int:
    """Make a certified draft, named by its id or the beginning of it, what searches of its generation rely on."""
    from recall_core.adapters.output import write
    from recall_core.app.publish import publish as publish_calibration

    with Wiring(choices) as wiring:
        found = publish_calibration(wiring.store().calibrations, wiring.tenant, calibration, actor=wiring.actor)
    write([f"{found.id} is published: searches of {found.generation} are judged by it\n"])
    return 0


@command.command("list", short_help="All calibrations, the newest first.")
@click.option("--generation", metavar="ID", help="Those of one generation alone.")
@format_option
@store_options
def list_(*, generation: str | None, format_: str, choices: Choices) -> int:
    """List all calibrations, the newest first."""
    from recall_core.adapters.output import write
    from recall_core.app.promote import find_generation
    from recall_core.cli.calibration_json import render_list_json
    from recall_core.cli.calibration_text import render_list

    with Wiring(choices) as wiring:
        store = wiring.store()
        of = find_generation(store, wiring.tenant, generation).id if generation is not None else None
        found = store.calibrations.calibrations(wiring.tenant, of)
    write(render_list_json(wiring.tenant, found) if format_ == "json" else render_list(found))
    return 0


@command.command("show", short_help="All that is known of one calibration.")
@click.argument("calibration")
@format_option
@store_options
def show(*, calibration: str, format_: str, choices: Choices) -> int:
    """Show one calibration, named by its id or the beginning of it."""
    from recall_core.adapters.output import write
    from recall_core.app.publish import find_calibration
    from recall_core.cli.calibration_json import render_list_json
    from recall_core.cli.calibration_text import render_one

    with Wiring(choices) as wiring:
        found = find_calibration(wiring.store().calibrations, wiring.tenant, calibration)
    write(render_list_json(wiring.tenant, [found]) if format_ == "json" else render_one(found))
    return 0


@command.command("export", short_help="Write a calibration with its labels to a file.")
@click.argument("calibration")
@click.option("--output", metavar="FILE", help="Where to, readable by you alone.  [default: standard output]")
@store_options
def export(*, calibration: str, output: str | None, choices: Choices) -> int:
    """Write a calibration with its labelled queries as one file, with checksums. It holds questions and scores."""
    from recall_core.adapters.output import remark, write
    from recall_core.adapters.private_file import write_private
    from recall_core.app.publish import export_calibration, find_calibration

    with Wiring(choices) as wiring:
        calibrations = wiring.store().calibrations
        found = find_calibration(calibrations, wiring.tenant, calibration)
        text = export_calibration(calibrations, wiring.tenant, found)
    if output is None:
        write([text])
    else:
        write_private(output, text, replaces=True)
        remark(f"{found.id} is in {output}")
    return 0


@command.command("import", short_help="Take in an export, or a file of the former format.")
@click.argument("file", metavar="FILE")
@format_option
@store_options
def import_(*, file: str, format_: str, choices: Choices) -> int:
    """Take in an export of this tenant's own generation; it is never published by that.

    A file of the former format is kept as well, bound to nothing, and never selected.
    """
    from recall_core.adapters.output import write
    from recall_core.adapters.private_file import read_text
    from recall_core.app.publish import import_calibration
    from recall_core.cli.calibration_json import render_list_json
    from recall_core.cli.calibration_text import render_list

    with Wiring(choices) as wiring:
        text = read_text(file)
        found = import_calibration(wiring.store().calibrations, wiring.tenant, text, actor=wiring.actor)
    write(render_list_json(wiring.tenant, [found]) if format_ == "json" else render_list([found]))
    return 0


@command.command("drift", short_help="Measure the published labels again.")
@click.option("--generation", metavar="ID", help="On this generation.  [default: the one that is served]")
@embedder_option
@format_option
@store_options
def drift(*, generation: str | None, format_: str, choices: Choices) -> int:
    """Measure the published labels again, and say whether the certificate would still hold. Nothing is stored.

    Exit status: 0 it holds, or nothing is published, 1 it would not, 2 could not run.
    """
    from recall_core.adapters.output import write
    from recall_core.app.drift import look_for_drift
    from recall_core.app.promote import find_generation
    from recall_core.cli.calibration_json import render_drift_json
    from recall_core.cli.calibration_text import render_drift
    from recall_core.cli.progress import show_progress
    from recall_core.errors import UsageError

    with Wiring(choices) as wiring:
        store = wiring.store()
        found = find_generation(store, wiring.tenant, generation) if generation else store.active(wiring.tenant)
        if found is None:
            raise UsageError(
                f"the tenant `{wiring.tenant}` has no active generation", help="name one with --generation ID"
            )
        with show_progress("measuring", wanted=wiring.surroundings.shows_progress) as progress:
            report = look_for_drift(store, wiring.embedder(), found, progress=progress)
    write(render_drift_json(report) if format_ == "json" else render_drift(report))
    return 1 if report.drift.needs_attention else 0


@command.command("report", short_help="Draw a calibration as a page.")
@click.argument("calibration", required=False)
@click.option(
    "--output", metavar="FILE", required=True, help="An HTML page, or the charts alone where it ends in .svg."
)
@store_options
def report(*, calibration: str | None, output: str, choices: Choices) -> int:
    """Draw a calibration as a page of its own: scores, reliability, risk and coverage, and the worst queries.

    Without an id it is the newest one. The page holds questions, and is readable by you alone.
    """
    from recall_core.adapters.output import remark
    from recall_core.adapters.private_file import write_private
    from recall_core.adapters.report_page import render_page, render_picture
    from recall_core.app.publish import choose_calibration, open_bundle

    with Wiring(choices) as wiring:
        calibrations = wiring.store().calibrations
        found = choose_calibration(calibrations, wiring.tenant, calibration)
        bundle = open_bundle(calibrations, wiring.tenant, found)
    is_picture = output.lower().endswith(".svg")
    text = render_picture(bundle) if is_picture else render_page(bundle, found.state.value)
    write_private(output, text, replaces=True)
    remark(f"{found.id} is drawn in {output}")
    return 0


@command.command("suggest", short_help="Draft labelled queries from the memos.")
@click.option("--output", metavar="FILE", help="Where to; it must not be there yet.  [default: standard output]")
@click.option("--drafts", type=click.IntRange(1, 1000), help="How many of either class at most.  [default: 50]")
@store_options
def suggest(*, output: str | None, drafts: int | None, choices: Choices) -> int:
    """Draft labelled queries from the memos of the corpus that the working folder is in. No server is asked.

    Read each draft and set its `accepted` to true, edit it, or drop it: `recall calibrate --queries FILE` uses
    accepted ones alone.
    """
    from recall_core.adapters.output import remark, write
    from recall_core.adapters.private_file import write_private
    from recall_core.app.suggest import DEFAULT_DRAFTS, render_drafts
    from recall_core.app.suggest import suggest as draft_queries

    with Wiring(choices) as wiring:
        view = wiring.corpus()
        for sentence in view.said:
            remark(sentence)
        found = draft_queries(view, drafts or DEFAULT_DRAFTS)
    text = render_drafts(found)
    if output is None:
        write([text])
    else:
        write_private(output, text, replaces=False)
        answerable = sum(draft.entry.answerable for draft in found)
        remark(
            f"{answerable} answerable and {len(found) - answerable} unanswerable drafts are in {output}: set `accepted`"
            f" to true where query and label are right, then `recall calibrate --queries {output}`"
        )
    return 0
