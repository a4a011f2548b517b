"""`recall status`: the verdict on every memo at a valid instant and a knowledge instant."""

from collections.abc import Mapping
from datetime import datetime

import click

from recall_core.cli.instant import Instant, Moment


@click.command("status", short_help="Say whether each memo holds.")
@click.argument("memos", nargs=-1, metavar="[MEMO]...")
@click.option("--at", type=Instant(), help="Judge validity windows on this day.  [default: now, UTC]")
@click.option("--known-at", type=Instant(), help="As far as the corpus knew it then; needs Git.")
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print."
)
@click.option("--no-cache", "cache", is_flag=True, flag_value=False, default=True, help="Read every memo anew.")
@click.option("--config", metavar="FILE", help="The configuration file; its folder is the root.")
def command(
    *, memos: tuple[str, ...], at: Moment | None, known_at: Moment | None, format_: str, cache: bool, config: str | None
) -> int:
    """Say of each memo whether it holds, and what replaced it.

    MEMO chooses whose verdict is shown; every memo of the corpus counts. DATE is YYYY-MM-DD, which stands for its last
    microsecond, or an RFC 3339 instant. Exit status: 0 whatever the verdicts, 2 could not run.
    """
    from recall_core import __version__
    from recall_core.adapters import clock
    from recall_core.adapters.output import remark, write
    from recall_core.adapters.run_cache import open_run_cache
    from recall_core.adapters.workspace import open_workspace
    from recall_core.graph.corpus import Corpus
    from recall_core.graph.evaluate import Evaluation
    from recall_lint.cli.environment import Environment
    from recall_lint.cli.paths import select_paths
    from recall_lint.formats.status import StatusReport, StatusRow, render_json, render_text
    from recall_lint.session import Session

    environment = Environment.read()
    workspace = open_workspace(environment.folder, configuration=config)
    session = Session(workspace, open_run_cache(workspace, environment.cache_folder) if cache else None)
    now = clock.now()
    instant = at.instant if at is not None else now
    recorded = session.recorded()
    if workspace.git is None and known_at is not None:
        remark("outside Git it is unknown when a memo was recorded: every memo counts as known")
    for sentence in (*session.said, *session.refusals):
        remark(sentence)
    corpus = Corpus(reading.memo for reading in session.readings)
    # What is not committed yet is being recorded now: a past knowledge instant does not show it.
    known = {memo.path: recorded.get(memo.path, now) for memo in corpus.memos} if session.knows_history else {}
    evaluation = Evaluation(
        corpus, at=instant, known_at=known_at.instant if known_at is not None else None, recorded=known
    )
    selected = select_paths(workspace, session, memos, environment.folder) if memos else None
    rows = tuple(
        StatusRow(
            memo.path,
            evaluation.verdict(memo).value,
            evaluation.superseded_by(memo),
            memo.valid_from.written if memo.valid_from is not None else None,
            memo.valid_until.written if memo.valid_until is not None else None,
            _shown(recorded, memo.path),
        )
        for memo in corpus.memos
        if (selected is None or memo.path in selected) and not memo.path.endswith("/")
    )
    report = StatusReport(
        __version__,
        workspace.root,
        at.written if at is not None else now.date().isoformat(),
        known_at.written if known_at is not None else None,
        rows,
    )
    if not session.memos:
        remark(workspace.configuration.demand_memos(workspace.configuration.selection(), session.paths))
    write(render_json(report) if format_ == "json" else render_text(report))
    return 0


def _shown(recorded: Mapping[str, datetime], path: str) -> str | None:
    instant = recorded.get(path)
    return instant.strftime("%Y-%m-%dT%H:%M:%SZ") if instant is not None else None
