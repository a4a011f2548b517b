"""Sessions for a server that stays: over the disk, made anew at little cost, and over an editor's buffers."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property

from recall_core.adapters.cache import DataCache
from recall_core.adapters.git.changes import Changes
from recall_core.adapters.overlay import OverlaySource
from recall_core.adapters.workspace import Workspace
from recall_core.ports.corpus import CorpusSource, Entry, Listing
from recall_lint.kept import is_settled
from recall_lint.questions.text import Text
from recall_lint.reading import Reading, read_file
from recall_lint.session import Session

_MOST_KEPT = 8_000_000
"""Bytes of memos whose text is kept in memory: only those with sentences about replacement are read for it."""


class DiskSession(Session):
    """A session over the disk. What `before` read of files that have not changed since is not read again."""

    def __init__(self, workspace: Workspace, cache: DataCache | None, before: "DiskSession | None" = None) -> None:
        super().__init__(workspace, cache)
        self._before = _Known.of(before) if before is not None else None
        self._texts: dict[str, Text | None] = {}
        self._kept = 0

    @cached_property
    def _split(self) -> tuple[list[Entry], list[Entry]]:
        """The memos, and the other Markdown files; names are compared with the patterns once."""
        known = self._before
        if known is None or known.configuration != self.workspace.configuration.fingerprint():
            return super()._split
        new = [entry for entry in self._listing.entries if entry.path not in known.names]
        memos, others = self._select(new)
        chosen = known.memos | {entry.path for entry in memos}
        left = known.others | {entry.path for entry in others}
        entries = self._listing.entries
        return [each for each in entries if each.path in chosen], [each for each in entries if each.path in left]

    @cached_property
    def readings(self) -> list[Reading]:
        """Every memo."""
        known = self._before
        if known is None or self.unlisted:
            return super().readings
        held = known.readings
        changed = [each for each in self.memos if known.identities.get(each.path) != each.identity]
        if len(changed) > len(held):
            return super().readings
        fresh = {entry.path: read_file(entry.path, got) for entry, got in self.workspace.source.read(changed)}
        return [fresh.get(each.path) or held[each.path] for each in self.memos]

    @cached_property
    def recorded_once(self) -> Mapping[str, datetime]:
        """When each memo entered the corpus; Git is asked once."""
        return super().recorded()

    def recorded(self) -> Mapping[str, datetime]:
        """When each memo entered the corpus, by path; {} where that is unknown."""
        return self.recorded_once

    def take_over(self) -> None:
        """Read what is new, and let go of the session before."""
        assert self.readings is not None  # noqa: S101 - the property keeps what it reads
        self._before = None

    def read_texts(self, paths: Sequence[str]) -> Mapping[str, Text]:
        """The texts of the memos at these paths, each read once as long as there is room."""
        missing = [path for path in paths if path not in self._texts]
        found = super().read_texts(missing) if missing else {}
        for path in missing:
            text = found.get(path)
            size = len(text.data) if text is not None else 0
            if self._kept + size <= _MOST_KEPT:
                self._texts[path], self._kept = text, self._kept + size
        kept = {path: text for path in paths if (text := self._texts.get(path)) is not None}
        return {**found, **kept}


class _Known:
    """What a session found, as far as the next one can use it."""

    def __init__(self, session: DiskSession) -> None:
        self.configuration = session.workspace.configuration.fingerprint()
        memos, others = session._split
        self.names = frozenset(entry.path for entry in session._listing.entries)
        self.memos, self.others = {entry.path for entry in memos}, {entry.path for entry in others}
        self.readings = {reading.memo.path: reading for reading in session.readings}
        at = session._listed_at
        self.identities = {
            each.path: each.identity
            for each in memos
            if is_settled(each.identity, at) and self.readings[each.path].memo.readable
        }

    @classmethod
    def of(cls, session: DiskSession) -> "_Known":
        return cls(session)


class BufferSession(Session):
    """A session over `buffers`, by path, laid over one over the disk, which is asked for everything else.

    `read` are the readings of the buffers that are memos.
    """

    def __init__(self, disk: DiskSession, buffers: Mapping[str, bytes], read: Mapping[str, Reading]) -> None:
        buffers = dict(buffers)
        source = OverlaySource(_Listed(disk.workspace.source, disk._listing), buffers)
        super().__init__(replace(disk.workspace, source=source))
        self._disk, self._buffers, self._read = disk, buffers, dict(read)

    @cached_property
    def _split(self) -> tuple[list[Entry], list[Entry]]:
        """The memos, and the other Markdown files."""
        memos, others = self._disk._split
        listed = {entry.path: entry for entry in self._listing.entries if entry.path in self._buffers}
        known = {entry.path for entry in memos}
        new = [entry for path, entry in listed.items() if path in self._read and path not in known]
        both = [listed.get(entry.path, entry) for entry in memos]
        if new:
            both = sorted([*both, *new], key=lambda entry: entry.path)
        return both, others

    def put(self, path: str, content: bytes) -> None:
        """Take over a buffer that reads as the one before."""
        self._buffers[path] = content

    @cached_property
    def readings(self) -> list[Reading]:
        """Every memo, those that are open as they stand in the editor."""
        disk = self._disk.readings
        read = [self._read.get(reading.memo.path, reading) for reading in disk]
        new = self._read.keys() - {reading.memo.path for reading in disk}
        if not new:
            return read
        folders = [each for each in read if each.memo.path.endswith("/")]
        memos = [*(each for each in read if not each.memo.path.endswith("/")), *(self._read[path] for path in new)]
        return [*sorted(memos, key=lambda each: each.memo.path), *folders]

    @property
    def changes(self) -> Changes | None:
        """What the work tree changes, as Git said of the disk."""
        return self._disk.changes

    def recorded(self) -> Mapping[str, datetime]:
        """When each memo entered the corpus, by path; {} where that is unknown."""
        return self._disk.recorded()

    def read_texts(self, paths: Sequence[str]) -> Mapping[str, Text]:
        """The texts of the memos at these paths, buffers as they stand."""
        own = [path for path in paths if path in self._buffers]
        found = dict(self._disk.read_texts([path for path in paths if path not in self._buffers]))
        return {**found, **super().read_texts(own)} if own else found


class _Listed:
    """A source whose listing is known."""

    def __init__(self, source: CorpusSource, listing: Listing) -> None:
        self._source, self._listing = source, listing
        self.kind = source.kind
        self.read = source.read

    def listing(self) -> Listing:
        """What was listed."""
        return self._listing
