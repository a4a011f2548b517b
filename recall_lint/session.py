"""One run of the linter over a workspace: list, read what changed, check, keep. CLI and editor both call this."""

import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from recall_core.adapters.cache import DataCache
from recall_core.adapters.git.repository import Git
from recall_core.adapters.git.revision import contents_at
from recall_core.adapters.git.work_tree import WorkTreeSource
from recall_core.adapters.workspace import Workspace
from recall_core.frontmatter.lines import LINE_END
from recall_core.frontmatter.nodes import HAS_C_PARSER
from recall_core.frontmatter.read import read_memo
from recall_core.frontmatter.reference import normalise_key
from recall_core.graph.corpus import Corpus
from recall_core.graph.edges import Edge
from recall_core.ports.corpus import Entry, ReadFailure
from recall_lint.asking import open_told
from recall_lint.collection import paused_collection
from recall_lint.config import Settings
from recall_lint.diagnostic import Diagnostic
from recall_lint.engine import Findings, lint
from recall_lint.inspection import Absence, Absent, Surroundings
from recall_lint.kept import FindingsShelf, KeptFindings, KeptReadings, is_settled
from recall_lint.questions.text import Text, read_text
from recall_lint.questions.told import Told
from recall_lint.reading import Reading, read_file, refuse_unlisted
from recall_lint.run_cache import describe_state

if TYPE_CHECKING:
    from recall_core.adapters.git.changes import Changes

_BATCH = 64
_Read = tuple[Entry, bytes | ReadFailure]
NO_C_PARSER = "PyYAML has no C parser here: a first run takes about three times as long"


def _in_batches(read: Iterator[_Read]) -> Iterator[list[_Read]]:
    """What is read, a few hundred KB at a time: going to and fro between system and parser costs a tenth more."""
    while batch := list(islice(read, _BATCH)):
        yield batch


class Session:
    """A workspace as it is now. Listing and reading happen once; a new state takes a new session."""

    def __init__(self, workspace: Workspace, cache: DataCache | None = None) -> None:
        self.workspace, self._cache = workspace, cache
        self._listed_at = time.time_ns()
        self._listing = workspace.source.listing()
        self._said: list[str] = []
        self._unread = False
        self._told: tuple[Settings, Told] | None = None
        self.looked_beside = False
        """Whether findings depend on files that the source does not hold, so that they hold for this run only."""

    @cached_property
    def _split(self) -> tuple[list[Entry], list[Entry]]:
        """The memos, and the other Markdown files."""
        return self._select(self._listing.entries)

    def _select(self, entries: Iterable[Entry]) -> tuple[list[Entry], list[Entry]]:
        selection = self.workspace.configuration.selection()
        by_path = {entry.path: entry for entry in entries}
        memos, dropped = selection.select(by_path)
        return [by_path[path] for path in memos], [by_path[path] for path in dropped if path.lower().endswith(".md")]

    @property
    def memos(self) -> Sequence[Entry]:
        """The entries that are memos, by path."""
        return self._split[0]

    @property
    def paths(self) -> list[str]:
        """Every file below the root, memo or not."""
        return [entry.path for entry in self._listing.entries]

    @cached_property
    def unlisted(self) -> list[str]:
        """What could not be listed: a folder, ending in a slash, or a file that would be a memo."""
        selection = self.workspace.configuration.selection()
        found = []
        for path, _ in self._listing.failures:
            if os.path.isdir(os.path.join(self.workspace.root, path)):
                found.append(f"{path}/")  # its key is empty: no reference can name a folder
            elif selection.is_memo(path):
                found.append(path)
        return found

    @cached_property
    def readings(self) -> list[Reading]:
        """Every memo, from the cache where its content was read before; a folder that cannot be listed is one too."""
        with paused_collection():
            kept = KeptReadings(self._cache, self.workspace.source.kind, self._listed_at)
            found = {entry.path: kept.get(entry.path, entry.identity) for entry in self.memos}
            missing = [entry for entry in self.memos if found[entry.path] is None]
            for read in _in_batches(self.workspace.source.read(missing)):
                for entry, content in read:
                    found[entry.path] = reading = read_file(entry.path, content)
                    if isinstance(content, ReadFailure):
                        self._unread = True
                    else:
                        kept.put(entry.identity, reading)
            kept.save()
            readings = [reading for reading in found.values() if reading is not None]
            reasons = {path: failure.reason for path, failure in self._listing.failures}
            readings += [refuse_unlisted(path, reasons[path.rstrip("/")]) for path in self.unlisted]
        return readings

    def state(self, *more: str) -> str:
        """A digest of all that findings depend on: files, configuration, history, and `more` (settings, the day).

        Files that are no memos count as well: a memo may have been renamed into one.
        """
        workspace, git = self.workspace, self.workspace.git
        history = (git.head or "", str(git.is_shallow)) if git is not None else ()
        where = (workspace.source.kind, workspace.root, workspace.rev or "", *history)
        files = "\0".join([f"{entry.path}\0{entry.identity}\0{entry.tracked}" for entry in self._listing.entries])
        failed = "\0".join(f"{path}\0{failure.reason}" for path, failure in self._listing.failures)
        return describe_state([*more, *where, repr(workspace.configuration.table), files, failed])

    def lint(self, settings: Settings, *, at: datetime, at_given: bool = False) -> KeptFindings:
        """The findings of this state, from the shelf where it was judged before; each with the text of its line."""
        shelf = FindingsShelf(self._cache, self.workspace.source.kind)
        state = self.state(settings.fingerprint(), at.isoformat(), str(at_given))
        kept = shelf.get(state)
        if kept is not None:
            return kept
        with paused_collection():
            told = self.open_told(settings)
            findings = lint(self.readings, settings, at=at, surroundings=self.surroundings(), told=told)
            lined = findings._replace(diagnostics=self.with_lines(findings.diagnostics))
            kept = KeptFindings(lined, (*self._notes(settings), *self._said))
            settled = all(is_settled(entry.identity, self._listed_at) for entry in self._listing.entries)
            # What could not be read may be readable the next time, and its identity tells nothing of that.
            if settled and not self._unread and not self.looked_beside:
                shelf.put(state, kept)
        return kept

    def lint_beside_questions(self, settings: Settings, paths: Collection[str], *, at: datetime) -> Findings:
        """The findings of this state for one who asks the questions of the memos at `paths` as well.

        They lack those of RL301, what is said of the comments that silence it holds at these paths only, and their
        lines may be without text.
        """
        shelf = FindingsShelf(self._cache, self.workspace.source.kind)
        kept = shelf.get(self.state(settings.fingerprint(), at.isoformat(), str(False)))
        if kept is not None:
            return kept.findings
        with paused_collection():
            around, told = self.surroundings(), self.open_told(settings)
            return lint(self.readings, settings, at=at, surroundings=around, told=told, asked=paths)

    def open_told(self, settings: Settings) -> Told:
        """What the bodies tell, under these settings; made once."""
        if self._told is None or self._told[0] is not settings:
            corpus = Corpus(reading.memo for reading in self.readings)
            self._told = settings, open_told(self.readings, corpus, settings, self.read_texts)
        return self._told[1]

    def read_texts(self, paths: Sequence[str]) -> Mapping[str, Text]:
        """The texts of the memos at these paths, as the source holds them now; without those that cannot be read."""
        wanted = frozenset(paths)
        found = {}
        for entry, content in self.workspace.source.read([entry for entry in self.memos if entry.path in wanted]):
            if isinstance(content, ReadFailure):
                self._unread = True
            elif (text := read_text(content)) is not None:
                found[entry.path] = text
        return found

    def recorded(self) -> Mapping[str, datetime]:
        """When each memo entered the corpus, by path; {} where that is unknown."""
        from recall_core.adapters.recorded import read_recorded  # noqa: PLC0415 - 2 ms, and few runs ask

        found = read_recorded(
            self.workspace,
            self._cache,
            memos=[entry.path for entry in self.memos],
            files=self.paths,
            changes=lambda: self.changes,
        )
        self._said += [sentence for sentence in found.said if sentence not in self._said]
        return found.times

    @cached_property
    def changes(self) -> "Changes | None":
        """What the index, the work tree or the revision changes; None outside Git."""
        from recall_core.adapters.recorded import read_changes  # noqa: PLC0415 - as above

        return read_changes(self.workspace)

    @property
    def refusals(self) -> list[str]:
        """A sentence about each folder that could not be listed; `lint` reports it as a finding."""
        return [
            f"{path} cannot be listed: {failure.reason}"
            for path, failure in self._listing.failures
            if f"{path}/" in self.unlisted
        ]

    @property
    def knows_history(self) -> bool:
        """Whether a memo without a recorded time is one that was not recorded yet, not one whose time is unknown."""
        return self.workspace.git is not None and not self.workspace.git.is_shallow

    @property
    def said(self) -> Sequence[str]:
        """Sentences about what could not be known, each once."""
        return self._said

    def _notes(self, settings: Settings) -> list[str]:
        configuration, paths = self.workspace.configuration, self.paths
        selection = configuration.selection()
        if not self.memos:
            return [configuration.demand_memos(selection, paths)]
        notes = [f"{pattern} names no file" for pattern in selection.idle(paths)]
        notes += [f"`per-file-ignores` pattern `{glob}` names no file" for glob in settings.idle_globs(paths)]
        return notes if HAS_C_PARSER else [*notes, NO_C_PARSER]

    def with_lines(self, diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        """The findings with the text of their lines, which is read again: only memos with findings are."""
        found = tuple(diagnostics)
        wanted = {each.path for each in found if not each.line_text}
        entries = [entry for entry in self.memos if entry.path in wanted]
        lines: dict[str, list[str]] = {}
        for entry, content in self.workspace.source.read(entries):
            if isinstance(content, bytes):
                lines[entry.path] = LINE_END.split(content.decode("utf-8", "replace").lstrip("\ufeff"))
        return tuple(_with_line(each, lines) if each.path in lines else each for each in found)

    def surroundings(self) -> Surroundings:
        """What lies around the corpus, asked of Git and the disk when a rule wants to know."""
        untracked = frozenset(entry.path for entry in self.memos if not entry.tracked)
        if self.workspace.git is None:
            untracked = frozenset()
        return Surroundings(untracked, _Missing(self).find, self.recorded, self._is_new(), self.read_texts)

    def _is_new(self) -> Callable[[Edge], bool]:
        """Whether the change under inspection brought an edge in; a run over the disk or a revision judges all."""
        git = self.workspace.git
        if git is None or self.workspace.source.kind != "index" or git.head is None:
            return lambda _edge: True
        return _Brought(self, git).holds


def _with_line(diagnostic: Diagnostic, lines: Mapping[str, list[str]]) -> Diagnostic:
    texts = lines.get(diagnostic.path, [])
    number = diagnostic.span.line
    return diagnostic._replace(line_text=texts[number - 1]) if number <= len(texts) else diagnostic


class _Brought:
    """Which edges the index brings in, beside HEAD. Git is asked once, and only when somebody wants to know."""

    def __init__(self, session: Session, git: Git) -> None:
        self.session, self.git = session, git
        self._was: dict[str, str] | None = None
        self._before: dict[str, frozenset[str]] = {}

    def holds(self, edge: Edge) -> bool:
        """Whether HEAD does not have this edge."""
        changes = self.session.changes
        if changes is None:
            return True
        if self._was is None:
            memos = {entry.path for entry in self.session.memos}
            self._was = {path: path for path in changes.modified if path in memos}
            self._was |= {new: old for old, new in changes.renamed.items() if new in memos}
            contents = contents_at(self.git, self.session.workspace.root, "HEAD", self._was.values())
            for path, old in self._was.items():
                content = contents[old]
                said = read_memo(old, content).supersedes if content is not None else ()
                self._before[path] = frozenset(reference.key for reference in said)
        path = edge.successor.path
        if path in changes.added:
            return True
        return path in self._was and edge.target.key not in self._before[path]


class _Missing:
    """Why a name that somebody refers to is no memo. Asked only once a reference fails."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._by_key: dict[str, list[Absent]] | None = None

    def find(self, key: str) -> tuple[Absent, ...]:
        """The files that have, or had, this key."""
        if self._by_key is None:
            self._by_key = {}
            for absent in self._collect():
                self._by_key.setdefault(normalise_key(absent.path), []).append(absent)
        return tuple(self._by_key.get(key, ()))

    def _collect(self) -> Iterator[Absent]:
        session, workspace = self.session, self.session.workspace
        changes = session.changes
        selection = workspace.configuration.selection()
        if changes is not None:
            for old, new in changes.renamed.items():
                if selection.is_memo(old):
                    yield Absent(old, Absence.RENAMED, new)
            for path in sorted(changes.deleted):
                if selection.is_memo(path):
                    yield Absent(path, Absence.DELETED)
        for entry in session._split[1]:
            yield Absent(entry.path, Absence.EXCLUDED, selection.why_not(entry.path) or "")
        if workspace.git is not None and workspace.source.kind == "index":
            session.looked_beside = True
            for entry in WorkTreeSource(workspace.git, workspace.root).listing().entries:
                if not entry.tracked and selection.is_memo(entry.path):
                    yield Absent(entry.path, Absence.UNTRACKED)
