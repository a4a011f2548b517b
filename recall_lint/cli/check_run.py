"""What `recall check` does once its command line is understood."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from recall_core import __version__
from recall_core.adapters import clock
from recall_core.adapters.cache import DataCache
from recall_core.adapters.output import remark, write
from recall_core.adapters.overlay import OverlaySource
from recall_core.adapters.run_cache import open_run_cache
from recall_core.adapters.terminal import color_wanted
from recall_core.adapters.workspace import Workspace, open_workspace
from recall_core.cli.instant import moment_of_day
from recall_core.errors import UsageError
from recall_lint.cli.check import Options
from recall_lint.cli.environment import Environment
from recall_lint.cli.kept_answers import KeptAnswers, describe

if TYPE_CHECKING:
    from recall_lint.check.gather import Gathered, Gatherer
    from recall_lint.config import Settings
    from recall_lint.diagnostic import Diagnostic
    from recall_lint.formats.check import CheckReport

_MOST_RESEMBLING = 20
"""Memos for which likenesses are looked for: each is held against the whole corpus."""


def run(options: Options, environment: Environment) -> int:
    """Ask, print, write the answers that are given, and give the exit status."""
    workspace = open_workspace(environment.folder, staged=options.staged, configuration=options.config)
    cache = open_run_cache(workspace, environment.cache_folder) if options.cache else None
    writes = options.answers or options.interactive
    kept, state = KeptAnswers(cache, workspace.source.kind), ""
    if cache is not None and not writes and options.stdin_filename is None:
        state = describe(workspace, _words(options, environment))
        known = kept.get(state)
        if known is not None:
            write([known[0]])
            return known[1]
    if options.stdin_filename is not None:
        workspace, cache = _overlay(workspace, options.stdin_filename, environment), None
    began = time.time_ns()
    check = Check(workspace, cache, options, environment)
    if options.answers:
        from recall_lint.cli.check_answers import write_answers

        return write_answers(check, options)
    if options.interactive:
        from recall_lint.cli.interactive import run_interactive

        return run_interactive(check)
    check.session.narrow(check.paths, check.gone)
    report = check.report()
    check.session.keep()
    text, status = "".join(_render(report, options, environment)), status_of(report, options)
    write([text])
    if state and check.holds_from(began):
        kept.put(state, text, status)
    return status


class Check:
    """One look at the memos that were asked for."""

    def __init__(
        self, workspace: Workspace, cache: DataCache | None, options: Options, environment: Environment
    ) -> None:
        from recall_lint.config import build_settings
        from recall_lint.narrow import NarrowSession
        from recall_lint.rules import RULES

        self.workspace, self.cache, self.environment = workspace, cache, environment
        self.settings: Settings = build_settings(workspace.configuration, RULES)
        self.options = options
        self._moment = moment_of_day(clock.now())
        self.session: NarrowSession = NarrowSession(workspace, cache)
        self.gone: frozenset[str] = frozenset()
        self.paths = self._choose()
        self._gatherer: Gatherer | None = None

    @property
    def gatherer(self) -> "Gatherer":
        """What gathers suggestions, made when first needed."""
        if self._gatherer is None:
            from recall_lint.check.gather import Gatherer
            from recall_lint.collection import paused_collection

            with paused_collection():
                self._gatherer = Gatherer(self.session.open_told(self.settings), self.session.find_near)
        return self._gatherer

    @property
    def instant(self) -> datetime:
        """The end of the day that memos are judged on."""
        return self._moment.instant

    def holds_from(self, began: int) -> bool:
        """Whether what was found by a look that began then (ns) holds for as long as the source does not change."""
        from recall_lint.kept import is_settled

        folder, root = self.environment.folder, self.workspace
        # What was said of other names on stderr would not be said again.
        plain = {root.relative(file, folder) for file in self.options.files} <= set(self.paths)
        settled = all(is_settled(each.identity, began) for each in self.session.memos if "-" in each.identity)
        return plain and settled and not self.session.looked_beside and not self.session.unlisted

    def again(self) -> "Check":
        """The same question over what is on disk now."""
        from recall_core.adapters.workspace import open_source_again

        return Check(open_source_again(self.workspace), self.cache, self.options, self.environment)

    def gather(self) -> list["Gathered"]:
        """What the sentences say, memo by memo."""
        if not self.paths:
            return []
        alike = self._resembling() if len(self.paths) <= _MOST_RESEMBLING else ()
        return self.gatherer.gather(self.paths, resembling=frozenset(alike))

    def report(self) -> "CheckReport":
        """All there is to say of the memos that were asked for."""
        from recall_lint.formats.check import CheckedMemo, CheckReport

        found = self._diagnostics()
        memos = []
        for each in self.gather():
            diagnostics = _without_asked(found.pop(each.memo.path, ()), each)
            memos.append(CheckedMemo(each.memo.path, each.declared, diagnostics, each.suggestions, self._hint(each)))
        memos += [CheckedMemo(path, (), tuple(diagnostics)) for path, diagnostics in sorted(found.items())]
        root, prefix = self.workspace.root, self.workspace.prefix
        return CheckReport(__version__, root, self._moment.written, tuple(memos), prefix)

    def _choose(self) -> list[str]:
        from recall_lint.cli.paths import select_paths

        options, session = self.options, self.session
        if options.stdin_filename is not None:
            path = self.workspace.relative(options.stdin_filename, self.environment.folder) or ""
            if reason := self.workspace.configuration.selection().why_not(path):
                remark(f"`{path}` is no memo: {reason}; skipped")
                return []
            return [path]
        if options.files:
            return sorted(select_paths(self.workspace, session, options.files, self.environment.folder))
        changes = session.changes
        if changes is None:
            return []
        memos = {entry.path for entry in session.memos}
        self.gone = frozenset({*changes.deleted, *changes.renamed})
        return sorted(memos & {*changes.added, *changes.modified, *changes.renamed.values()})

    def _resembling(self) -> Iterable[str]:
        """The memos to look for likenesses of: those named, or of the staged ones those that are new."""
        if self.options.files:
            return self.paths
        changes = self.session.changes
        return changes.added if changes is not None else ()

    def _diagnostics(self) -> dict[str, list["Diagnostic"]]:
        """The findings in the memos asked for and those that these cause elsewhere, by the memo to show them at."""
        from recall_lint.rules.prose.undeclared_closure import RULE as UNDECLARED

        chosen, places = set(self.paths), list[tuple[str, "Diagnostic"]]()
        if not chosen and not self.gone:
            return {}
        found = self.session.lint_beside_questions(self.settings, self.paths, at=self._moment.instant)
        for each in found.diagnostics:
            if each.code == UNDECLARED.code:
                continue
            if each.path in chosen:
                places.append((each.path, each))
            elif related := sorted(chosen.intersection(other.path for other in each.related)):
                places.append((related[0], each))
            elif self._is_left_dangling(each):
                places.append((each.path, each))
        shown: dict[str, list[Diagnostic]] = {}
        lined = self.session.with_lines(each for _, each in places)
        for (path, _), each in zip(places, lined, strict=True):
            shown.setdefault(path, []).append(each)
        return shown

    def _is_left_dangling(self, diagnostic: "Diagnostic") -> bool:
        """Whether a reference names what this commit removes or renames."""
        if not self.gone or diagnostic.code not in ("RL201", "RL002"):
            return False
        from recall_core.frontmatter.reference import normalise_key

        memo = self.gatherer.corpus.memo(diagnostic.path)
        keys = {normalise_key(path) for path in self.gone}
        said = memo.supersedes if memo is not None else ()
        return any(each.span == diagnostic.span and keys & {each.key, each.name} for each in said)

    def _hint(self, gathered: "Gathered") -> str:
        """A word for an author who named this memo, which speaks of replacement and of no memo."""
        if not self.options.files or gathered.declared or gathered.memo.supersedes:
            return ""
        if self.settings.is_index(gathered.memo.path) or any(each.evidence for each in gathered.suggestions):
            return ""
        from recall_lint.check.hint import find_hint

        text = self.gatherer.text(gathered.memo.path)
        return find_hint(text.body, text.first_line) if text is not None else ""


def _without_asked(diagnostics: Sequence["Diagnostic"], gathered: "Gathered") -> tuple["Diagnostic", ...]:
    """The findings without those of RL209 about two memos of which a sentence speaks: that is asked, or answered."""
    from recall_lint.rules.graph.version_sibling_unlinked import RULE as UNLINKED

    told = {each.pair for each in gathered.suggestions if each.evidence is not None}
    return tuple(
        each
        for each in diagnostics
        if each.code != UNLINKED.code or not any(frozenset((each.path, other.path)) in told for other in each.related)
    )


def _words(options: Options, environment: Environment) -> list[str]:
    """What an answer depends on beside the files."""
    color = str(wants_color(options.color, environment))
    day = moment_of_day(clock.now()).written
    return [day, options.format, str(options.strict), color, str(environment.width), environment.folder, *options.files]


def _overlay(workspace: Workspace, name: str, environment: Environment) -> Workspace:
    from recall_lint.cli.lint import read_stdin

    path = workspace.relative(name, environment.folder)
    if not path:
        raise UsageError(f"{name} lies outside the root {workspace.root}", help="name a memo below the root")
    buffers: Mapping[str, bytes] = {path: read_stdin()}
    return replace(workspace, source=OverlaySource(workspace.source, buffers))


def wants_color(options_color: str, environment: Environment) -> bool:
    """Whether the answer is written in colour."""
    return color_wanted(
        options_color, no_color=environment.no_color, is_terminal=environment.stdout_is_terminal, term=environment.term
    )


def status_of(report: "CheckReport", options: Options) -> int:
    """1 for an error, always, and for an open question under --strict."""
    return int(bool(report.errors) or (options.strict and bool(report.questions)))


def show(report: "CheckReport", options: Options, environment: Environment) -> None:
    """Print a report as the command line asks."""
    write(_render(report, options, environment))


def _render(report: "CheckReport", options: Options, environment: Environment) -> Iterable[str]:
    from recall_lint.formats.check import render

    return render(options.format, report, color=wants_color(options.color, environment), width=environment.width)
