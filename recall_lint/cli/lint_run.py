"""What `recall lint` does once its command line is understood."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from recall_core import __version__
from recall_core.adapters import clock
from recall_core.adapters.cache import DataCache, digest
from recall_core.adapters.git.index import IndexSource
from recall_core.adapters.output import remark, say, write
from recall_core.adapters.overlay import OverlaySource
from recall_core.adapters.run_cache import open_run_cache
from recall_core.adapters.terminal import color_wanted
from recall_core.adapters.workspace import Workspace, open_workspace
from recall_core.cli.instant import Moment, moment_of_day
from recall_core.errors import UsageError
from recall_lint.cli.environment import Environment
from recall_lint.cli.lint import MACHINE_FORMATS, Options, read_stdin
from recall_lint.run_cache import CleanStates

if TYPE_CHECKING:
    from recall_lint.formats.report import RuleSummary
    from recall_lint.kept import KeptFindings
    from recall_lint.session import Session


def run(options: Options, environment: Environment) -> int:
    """Lint, print, and give the exit status."""
    workspace = _open(options, environment)
    cache = open_run_cache(workspace, environment.cache_folder) if options.cache else None
    clean = CleanStates(cache)
    state = _index_state(workspace, options) if options.staged else ""
    # A program that reads JSON gets its answer, however often it has asked.
    if options.skip_clean and options.format not in MACHINE_FORMATS and clean.holds(state):
        return 0
    status, is_lasting = _run(workspace, cache, options, environment)
    if options.staged and status == 0 and is_lasting and not options.paths and not options.exit_zero:
        clean.add(state)
    return status


def _open(options: Options, environment: Environment) -> Workspace:
    rev = options.rev
    if options.pushed:
        rev = environment.pushed or "HEAD"
    return open_workspace(environment.folder, staged=options.staged, rev=rev, configuration=options.config)


def _index_state(workspace: Workspace, options: Options) -> str:
    """All that decides whether a run over the index passes.

    The day is not in it: without --at it never fails a run. Nor is HEAD, unless a warning may fail one: RL208 alone
    asks what the change brings in.
    """
    assert isinstance(workspace.source, IndexSource)  # noqa: S101 - what --staged opens
    table, git = workspace.configuration.table, workspace.git
    settings = (repr(table), options.select, options.ignore, options.fail_on)
    weighed_anew = options.fail_on not in (None, "error") or "fail-on" in table or "severity" in table
    head = git.head or "" if git is not None and weighed_anew else ""
    at = options.at.written if options.at is not None else ""
    words = (repr(settings), head, at)
    return digest(workspace.source.raw_state(), *(word.encode("utf-8", "surrogatepass") for word in words))


def _run(workspace: Workspace, cache: DataCache | None, options: Options, environment: Environment) -> tuple[int, bool]:
    """The exit status, and whether it holds for as long as the source does not change."""
    from recall_lint.config import build_settings
    from recall_lint.diagnostic import Severity
    from recall_lint.rules import RULES
    from recall_lint.session import Session

    settings = build_settings(workspace.configuration, RULES).merge(
        select=options.select or None, ignore=options.ignore or None, fail_on=options.fail_on
    )
    moment = options.at or moment_of_day(clock.now())
    buffers: dict[str, bytes] = {}
    if options.stdin_filename is not None:
        workspace, buffers = _overlay(workspace, options.stdin_filename, environment)
        cache = None
    session = Session(workspace, cache)
    selected = _select(workspace, session, options, environment, buffers)
    if options.fix or options.diff:
        from recall_lint.cli.fixes import Fixes

        fixes = Fixes(workspace, settings, moment.instant, cache, selected, unsafe=options.unsafe_fixes)
        if options.diff:
            return int(fixes.show_diff(buffers) and not options.exit_zero), False
        session = fixes.write(session, buffers)
    kept = session.lint(settings, at=moment.instant, at_given=options.at is not None)
    shown = _chosen(kept, selected)
    if settings.fails(Severity.INFO):  # what may fail the run is not hidden
        options = replace(options, verbose=True)
    _print(workspace, shown, kept, options, environment, moment=moment, to_stderr=bool(buffers) and options.fix)
    failing = any(
        settings.fails(each.severity) and (options.at is not None or not each.clock)
        for each in shown.findings.diagnostics
    )
    return int(failing and not options.exit_zero), not session.looked_beside


def _overlay(workspace: Workspace, name: str, environment: Environment) -> tuple[Workspace, dict[str, bytes]]:
    path = workspace.relative(name, environment.folder)
    if not path:
        raise UsageError(f"{name} lies outside the root {workspace.root}", help="name a memo below the root")
    buffers = {path: read_stdin()}
    return replace(workspace, source=OverlaySource(workspace.source, buffers)), buffers


def _select(
    workspace: Workspace, session: "Session", options: Options, environment: Environment, buffers: dict[str, bytes]
) -> frozenset[str] | None:
    """The memos that PATH chooses; None where everything is shown."""
    from recall_lint.cli.paths import select_paths

    if buffers:
        for path in buffers:
            if reason := workspace.configuration.selection().why_not(path):
                remark(f"`{path}` is no memo: {reason}; skipped")
        return frozenset(buffers)
    if not options.paths:
        return None
    return select_paths(workspace, session, options.paths, environment.folder)


def _chosen(kept: "KeptFindings", selected: frozenset[str] | None) -> "KeptFindings":
    if selected is None:
        return kept
    shown = tuple(
        each
        for each in kept.findings.diagnostics
        if each.path in selected or any(other.path in selected for other in each.related)
    )
    return kept._replace(findings=kept.findings._replace(diagnostics=shown))


def _print(
    workspace: Workspace,
    shown: "KeptFindings",
    kept: "KeptFindings",
    options: Options,
    environment: Environment,
    *,
    moment: Moment,
    to_stderr: bool,
) -> None:
    from recall_lint.formats import render
    from recall_lint.formats.report import build_report

    report = build_report(
        tool_version=__version__,
        root=workspace.root,
        at=moment.written,
        memos=kept.findings.memos,
        diagnostics=shown.findings.diagnostics,
        suppressed=kept.findings.suppressed,
        notes=kept.notes,
        at_given=options.at is not None,
        prefix=workspace.prefix,
        rules=_summaries() if options.format == "sarif" else {},
    )
    if options.statistics or options.format not in ("full", "sarif"):
        for note in kept.notes:
            remark(note)
    color = color_wanted(
        options.color, no_color=environment.no_color, is_terminal=environment.stdout_is_terminal, term=environment.term
    )
    chunks: Iterable[str]
    if options.statistics:
        chunks = _statistics(shown)
    else:
        chunks = render(options.format, report, color=color, verbose=options.verbose, width=environment.width)
    if to_stderr:
        say("".join(chunks))
    else:
        write(chunks)


def _summaries() -> "dict[str, RuleSummary]":
    from recall_lint.formats.report import RuleSummary
    from recall_lint.rules import REGISTERED

    return {
        each.rule.code: RuleSummary(each.rule.name, each.page.strip().partition("\n")[0], each.rule.severity)
        for each in REGISTERED
    }


def _statistics(shown: "KeptFindings") -> Iterator[str]:
    diagnostics = shown.findings.diagnostics
    counts = Counter((each.code, each.rule, each.severity.value) for each in diagnostics)
    fixable = Counter(each.code for each in diagnostics if each.fix is not None)
    for (code, rule, severity), number in sorted(counts.items(), key=lambda row: (-row[1], row[0])):
        fixes = f"  {fixable[code]} with a fix" if fixable[code] else ""
        yield f"{number:>7}  {code}  {rule:<28} {severity}{fixes}\n"
    yield f"{sum(counts.values()):>7}  in all, over {shown.findings.memos} memos\n"
