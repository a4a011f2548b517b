"""`recall calibrate`: measure labelled queries on a generation, and say whether a threshold is certified."""

import click

from recall_core.cli.options import embedder_option, format_option, store_options
from recall_core.wiring import Choices, Wiring

DEFAULT_RULE = "midgap"


@click.command("calibrate", short_help="Measure labelled queries, and place a threshold.")
@click.option("--queries", metavar="FILE", help="Labelled queries: a JSON array. Of drafts the accepted ones count.")
@click.option("--query-set", metavar="DIGEST", help="Stored labels instead: a digest, or `published` for the last.")
@click.option("--generation", metavar="ID", help="Measure on this generation.  [default: the newest ready or active]")
@click.option(
    "--rule",
    metavar="RULE",
    help=f"`midgap`, `conformal:0.05` or `bounded:0.05,0.10`.  [default: that of the labels, else {DEFAULT_RULE}]",
)
@click.option("--publish", "publishes", is_flag=True, help="Judge searches of the generation by it, if certified.")
@embedder_option
@format_option
@store_options
def command(
    *,
    queries: str | None,
    query_set: str | None,
    generation: str | None,
    rule: str | None,
    publishes: bool,
    format_: str,
    choices: Choices,
) -> int:
    """Measure labelled queries on one generation, place a threshold between the two classes, and keep the evidence.

    What is measured is stored whether it certifies or not; only with --publish do searches rely on it. Exit status:
    0 certified (and published, where asked), 1 not, 2 could not run.
    """
    from recall_core import __version__
    from recall_core.adapters import clock
    from recall_core.adapters.output import remark, write
    from recall_core.adapters.private_file import read_text
    from recall_core.app.calibrate import CalibrateRequest, calibrate, choose_generation
    from recall_core.app.labels import find_labels, read_labels
    from recall_core.app.measure import name_unknown
    from recall_core.calibration.rule import parse_rule
    from recall_core.cli.calibration_json import render_calibrated_json
    from recall_core.cli.calibration_text import render_calibrated
    from recall_core.cli.progress import show_progress
    from recall_core.errors import UsageError

    if (queries is None) == (query_set is None):
        raise UsageError(
            "name the labels to measure: either --queries or --query-set",
            help="`recall calibrate --queries FILE`; `recall calibration suggest --output FILE` drafts one",
        )
    chosen = parse_rule(rule) if rule is not None else None
    with Wiring(choices) as wiring:
        # A file that cannot be read is said before a server is started for it.
        labels = read_labels(read_text(queries), queries) if queries is not None else None
        store = wiring.store()
        if labels is None:
            labels = find_labels(store.calibrations, wiring.tenant, query_set or "")
        found = choose_generation(store, wiring.tenant, generation)
        request = CalibrateRequest(wiring.tenant, labels, wiring.actor, __version__, chosen, publishes)
        with show_progress("measuring", wanted=wiring.surroundings.shows_progress) as progress:
            outcome = calibrate(store, wiring.embedder(), found, request, now=clock.now(), progress=progress)
    if sentence := name_unknown(outcome.unknown):
        remark(sentence)
    write(render_calibrated_json(outcome) if format_ == "json" else render_calibrated(outcome))
    return 0 if outcome.certified and not outcome.declined else 1
