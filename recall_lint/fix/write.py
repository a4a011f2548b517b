"""Edges and answers written into files: each file whole or not at all, verified in memory and again from the disk."""

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from recall_core.adapters.files import read_regular_file, write_atomically
from recall_core.errors import WriteError
from recall_core.frontmatter.declare import Declaration, Refused, declare_all
from recall_core.frontmatter.edit import apply_edits
from recall_core.frontmatter.reference import normalise_key
from recall_core.model.memo import Memo
from recall_core.ports.corpus import ReadFailure
from recall_lint.config import Settings
from recall_lint.fix.answer import decline
from recall_lint.fix.verify import CONSEQUENCES, Change, Verifier
from recall_lint.reading import Reading, read_file
from recall_lint.session import Session


@dataclass(frozen=True, slots=True)
class Edge:
    """`path` is to declare that it replaces `target`, both paths of memos; `written` is how, if not by file name."""

    path: str
    target: str
    written: str | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """A memo says what it was to say. `change` has no edits where it said so before; then nothing was written."""

    change: Change

    @property
    def is_new(self) -> bool:
        """Whether the file was changed."""
        return bool(self.change.edits)


@dataclass(frozen=True, slots=True)
class NotWritten:
    """A file that holds what it held: why, and what to type. `restored`: it had been written already."""

    path: str
    reason: str
    help: str = ""
    restored: bool = False


@dataclass(frozen=True, slots=True)
class Prepared:
    """Changes that are verified and not written, by path, and the memos that get none. Without edits: said before."""

    changes: Mapping[str, Change]
    refused: Mapping[str, NotWritten]


class Writer:
    """Writes into the memos of one session, which must be one over the files on disk.

    What was written counts for what is prepared next. `permit` are the codes of findings that a change may bring.
    """

    def __init__(
        self, session: Session, settings: Settings, *, at: datetime, permit: frozenset[str] = CONSEQUENCES
    ) -> None:
        self._root = session.workspace.root
        surroundings = session.surroundings()
        self._verifier = Verifier(session.readings, settings, at=at, surroundings=surroundings, permit=permit)

    def prepare(self, edges: Iterable[Edge]) -> Prepared:
        """The changes that declare `edges`; a memo gets all that it is to declare, or nothing."""
        wanted: dict[str, list[Edge]] = {}
        for edge in edges:
            wanted.setdefault(edge.path, []).append(edge)
        read, refused = self._read(wanted)
        changes: dict[str, Change] = {}
        for path, (content, reading) in read.items():
            made = self._declare(content, reading, wanted[path])
            if isinstance(made, NotWritten):
                refused[path] = made
            else:
                changes[path] = made
        return self._verify(changes, refused)

    def prepare_decline(self, path: str, target: str, reason: str = "") -> Prepared:
        """The change by which the memo at `path` declines `target`, a path of a memo or a reference as written."""
        read, refused = self._read([path])
        changes: dict[str, Change] = {}
        for content, reading in read.values():
            named = self._verifier.corpus.memo(target)
            made = decline(content, reading, named or target, reason)
            key = named.key if named else normalise_key(target)
            if isinstance(made, Refused):
                refused[path] = NotWritten(path, made.reason, made.help)
            else:
                changes[path] = _build_change(path, content, made, declined=(key,))
        return self._verify(changes, refused)

    def write(self, prepared: Prepared) -> dict[str, Written | NotWritten]:
        """Write each change; what happened to each memo, by path, the refused ones included."""
        outcome: dict[str, Written | NotWritten] = dict(prepared.refused)
        for path, change in prepared.changes.items():
            outcome[path] = self._write(change) if change.edits else Written(change)
        made = [each.change for each in outcome.values() if isinstance(each, Written) and each.is_new]
        self._verifier.take(read_file(change.path, change.after) for change in made)
        return dict(sorted(outcome.items()))

    def undo(self, written: Written) -> Written | NotWritten:
        """Put the former text back, if nobody has touched the file since."""
        change = written.change
        if not change.edits:
            return written
        try:
            self._replace(change.path, change.before, expected=change.after)
        except WriteError as error:
            return NotWritten(change.path, error.message, error.help)
        self._verifier.take([read_file(change.path, change.before)])
        return written

    def _read(self, paths: Iterable[str]) -> tuple[dict[str, tuple[bytes, Reading]], dict[str, NotWritten]]:
        """The files as they are now; the corpus takes them over, so that findings are compared with what is there."""
        read: dict[str, tuple[bytes, Reading]] = {}
        refused: dict[str, NotWritten] = {}
        for path in paths:
            if self._verifier.corpus.memo(path) is None:
                refused[path] = NotWritten(path, f"{path} is no memo of this corpus")
                continue
            content = read_regular_file(self._full(path))
            if isinstance(content, ReadFailure):
                refused[path] = NotWritten(path, f"{path} cannot be read: {content.reason}")
            else:
                read[path] = content, read_file(path, content)
        self._verifier.take(reading for _, reading in read.values())
        return read, refused

    def _declare(self, content: bytes, reading: Reading, edges: Sequence[Edge]) -> Change | NotWritten:
        memo, corpus = reading.memo, self._verifier.corpus
        targets: list[tuple[Memo, str | None]] = []
        for edge in edges:
            target = corpus.memo(edge.target)
            if target is None:
                return NotWritten(memo.path, f"{edge.target} is no memo of this corpus")
            if len(same := corpus.memos_with_key(target.key)) > 1:
                places = ", ".join(each.path for each in same)
                return NotWritten(memo.path, f"`{target.key}` names {len(same)} memos: {places}", "rename one of them")
            targets.append((target, edge.written))
        made = declare_all(content, memo, targets, names=self._verifier.names(memo))
        if isinstance(made, Refused):
            return NotWritten(memo.path, made.reason, made.help)
        return _build_change(memo.path, content, made, targets=tuple(target for target, _ in targets))

    def _verify(self, changes: dict[str, Change], refused: dict[str, NotWritten]) -> Prepared:
        for path, change in list(changes.items()):
            if why := self._verifier.explain(change, change.after):
                refused[path] = NotWritten(path, f"{path} was not written: {why}")
                del changes[path]
        for path, new in self._verifier.admit([each for each in changes.values() if each.edits]).items():
            where = f"{new.path}:{new.span.line}:{new.span.column}"
            reason = f"{path} was not written: it would bring {new.code} at {where}: {new.message}"
            refused[path] = NotWritten(path, reason, new.help)
            del changes[path]
        return Prepared(changes, refused)

    def _write(self, change: Change) -> Written | NotWritten:
        try:
            mode = stat.S_IMODE(os.lstat(self._full(change.path)).st_mode)
            self._replace(change.path, change.after, expected=change.before)
        except WriteError as error:
            return NotWritten(change.path, error.message, error.help)
        except OSError as error:
            return NotWritten(change.path, f"{change.path} was not written: {error.strerror}")
        try:
            why = self._explain_disk(change, mode)
        except BaseException:
            self._restore(change, "")
            raise
        return self._restore(change, why) if why else Written(change)

    def _explain_disk(self, change: Change, mode: int) -> str:
        """What is wrong with the file as it now lies on disk, or ""."""
        full = self._full(change.path)
        content = read_regular_file(full)
        if isinstance(content, ReadFailure):
            return f"it cannot be read any more: {content.reason}"
        if stat.S_IMODE(os.lstat(full).st_mode) != mode:
            return "its mode changed"
        return self._verifier.explain(change, content)

    def _restore(self, change: Change, why: str) -> NotWritten:
        """Take a change back, unless the file holds by now what somebody else put there."""
        path = change.path
        try:
            self._replace(path, change.before, expected=change.after)
        except WriteError as error:
            return NotWritten(path, f"{path} is not as it should be after writing: {why}; {error.message}", error.help)
        return NotWritten(path, f"{path} was restored, since after writing {why}", restored=True)

    def _replace(self, path: str, content: bytes, *, expected: bytes) -> None:
        write_atomically(self._full(path), content, expected=expected, root=self._root)

    def _full(self, path: str) -> str:
        return os.path.join(self._root, path)


def _build_change(
    path: str, content: bytes, made: Declaration, *, targets: tuple[Memo, ...] = (), declined: tuple[str, ...] = ()
) -> Change:
    return Change(path, content, apply_edits(content, made.edits), made.edits, made.line, targets, declined)


def write_edge(
    session: Session, settings: Settings, edge: Edge, *, at: datetime, permit: frozenset[str] = CONSEQUENCES
) -> Written | NotWritten:
    """Declare one edge in its memo. `Written` also where it was declared already."""
    writer = Writer(session, settings, at=at, permit=permit)
    return writer.write(writer.prepare([edge]))[edge.path]
