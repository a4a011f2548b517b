"""What `recall fix` does once its command line is understood."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from recall_core import __version__
from recall_core.adapters import clock
from recall_core.adapters.output import remark, write
from recall_core.adapters.run_cache import open_run_cache
from recall_core.adapters.terminal import color_wanted
from recall_core.adapters.workspace import open_workspace
from recall_core.cli.instant import moment_of_day
from recall_lint.cli.environment import Environment
from recall_lint.cli.fix import Options

if TYPE_CHECKING:
    from recall_lint.check.suggestion import Suggestion
    from recall_lint.fix.plan import Plan
    from recall_lint.fix.write import NotWritten, Prepared, Writer
    from recall_lint.formats.fix import FixReport
    from recall_lint.session import Session


def run(options: Options, environment: Environment) -> int:
    """Propose, write where that is asked for, print, and give the exit status."""
    from recall_lint.cli.suggestions import open_gatherer
    from recall_lint.collection import paused_collection
    from recall_lint.config import build_settings
    from recall_lint.fix.plan import build_plan
    from recall_lint.fix.write import Writer
    from recall_lint.formats.fix import FixReport, render
    from recall_lint.rules import RULES
    from recall_lint.session import Session

    workspace = open_workspace(environment.folder, configuration=options.config)
    cache = open_run_cache(workspace, environment.cache_folder) if options.cache else None
    settings = build_settings(workspace.configuration, RULES)
    session = Session(workspace, cache)
    moment = moment_of_day(clock.now())
    paths = _select(options, session, environment)
    if not session.memos:
        remark(workspace.configuration.demand_memos(workspace.configuration.selection(), session.paths))
    with paused_collection():
        gatherer = open_gatherer(session, settings)
        plan = build_plan(gatherer.tell_all(paths))
    report = FixReport(__version__, workspace.root, moment.written, plan.proposals, (), plan.refusals)
    if plan.proposals:
        writer = Writer(session, settings, at=moment.instant)
        report = _carry_out(report, plan, writer, write_them=options.write)
    color = color_wanted(
        options.color, no_color=environment.no_color, is_terminal=environment.stdout_is_terminal, term=environment.term
    )
    write(render(options.format, report, color=color, width=environment.width))
    if options.format == "json":
        for failure in report.failures:
            remark(failure.why)
    return int(bool(report.proposals) or (options.exit_non_zero_on_write and bool(report.written)))


def _select(options: Options, session: "Session", environment: Environment) -> list[str]:
    if not options.paths:
        return [entry.path for entry in session.memos]
    from recall_lint.cli.paths import select_paths

    return sorted(select_paths(session.workspace, session, options.paths, environment.folder))


def _carry_out(report: "FixReport", plan: "Plan", writer: "Writer", *, write_them: bool) -> "FixReport":
    """Write the proposals, or prepare them for a diff; what cannot be written stays a proposal that has failed."""
    from recall_lint.fix.write import NotWritten
    from recall_lint.formats.fix import Failure

    prepared, failed = _prepare(plan, writer)
    written: set[str] = set()
    if write_them:
        for path, outcome in writer.write(prepared).items():
            if isinstance(outcome, NotWritten):
                failed[path] = outcome
            else:
                written.add(path)
    done = [each for each in plan.proposals if each.declare_in in written]
    left = [each for each in plan.proposals if each.declare_in not in written]
    failures = tuple(Failure(path, _why(each)) for path, each in sorted(failed.items()))
    diffs = () if write_them else tuple(_diffs(prepared))
    return replace(report, proposals=tuple(left), written=tuple(done), failures=failures, diffs=diffs)


def _prepare(plan: "Plan", writer: "Writer") -> tuple["Prepared", dict[str, "NotWritten"]]:
    """The changes to make, and the memos that get none: neither do the companions of what they were to declare."""
    from recall_lint.fix.write import Edge, NotWritten

    failed: dict[str, NotWritten] = {}
    while True:
        prepared = writer.prepare([Edge(each.declare_in, each.target) for each in plan.proposals])
        lost = [each for each in plan.proposals if each.declare_in in prepared.refused]
        if not lost:
            return prepared, failed
        failed |= prepared.refused
        rest = plan.without(lost)
        for each in _companions(plan.proposals, rest.proposals):
            why = f"{each.declare_in} was not written: the same sentence names a memo that could not be"
            failed.setdefault(each.declare_in, NotWritten(each.declare_in, why))
        plan = rest


def _companions(before: Iterable["Suggestion"], after: Iterable["Suggestion"]) -> list["Suggestion"]:
    kept = set(after)
    return [each for each in before if each not in kept]


def _why(failure: "NotWritten") -> str:
    return "; ".join(filter(None, (failure.reason, failure.help)))


def _diffs(prepared: "Prepared") -> Iterator[str]:
    from recall_lint.cli.diff import diff_lines

    for path, change in sorted(prepared.changes.items()):
        yield from diff_lines(path, change.before, change.after)
