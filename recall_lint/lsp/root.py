"""One corpus that a server looks at: its files on the disk, the buffers over them, and the judgment of both."""

import os
from collections.abc import Callable

from recall_core.adapters import clock
from recall_core.adapters.cache import DataCache
from recall_core.adapters.files import read_regular_file
from recall_core.adapters.workspace import Workspace
from recall_core.cli.instant import moment_of_day
from recall_core.ports.corpus import ReadFailure
from recall_lint.config import build_settings
from recall_lint.lsp.judgment import Clock, Judgment
from recall_lint.lsp.live import BufferSession, DiskSession
from recall_lint.reading import Reading, read_file
from recall_lint.rules import RULES


class Root:
    """A corpus and the buffers of an editor in it, by path relative to the root.

    The disk is looked at when the root is opened and after `forget_disk`; buffers count as they stand. `reopen` gives
    the workspace as it is then. Raises ConfigurationError where its configuration cannot be read.
    """

    def __init__(
        self,
        workspace: Workspace,
        reopen: Callable[[], Workspace],
        open_cache: Callable[[Workspace], DataCache],
    ) -> None:
        self._reopen, self._is_fresh = reopen, True
        self._cache = open_cache(workspace)
        self._disk: DiskSession | None = None
        self._past: DiskSession | None = None
        self._buffers: dict[str, bytes] = {}
        self._read: dict[str, Reading] = {}
        self._judged: Judgment | None = None
        self._take(workspace)

    @property
    def folder(self) -> str:
        """The absolute path of the root."""
        return self.workspace.root

    def relative(self, path: str) -> str | None:
        """An absolute path relative to the root; None where it lies outside."""
        return self.workspace.relative(path, self.folder) or None

    def full(self, path: str) -> str:
        """The absolute path of a file of the root."""
        return os.path.join(self.folder, path)

    def is_memo(self, path: str) -> bool:
        """Whether a file at this path is a memo."""
        return path in self._read or self._selection.is_memo(path)

    @property
    def open_memos(self) -> list[str]:
        """The paths of the buffers that are memos."""
        return sorted(self._read)

    def put(self, path: str, content: bytes) -> None:
        """Let `content` stand for the file at `path`."""
        if self._buffers.get(path) == content:
            return
        self._buffers[path] = content
        if not self.is_memo(path):
            return
        before, after = self._read.get(path), read_file(path, content)
        self._read[path] = after
        # What is not about replacement is not read for any finding: words added to it change none.
        if before is None or before != after or after.trace:
            self._judged = None
        elif self._judged is not None:
            self._judged.session.put(path, content)

    def drop(self, path: str) -> None:
        """Let the file at `path` stand for itself again."""
        if self._buffers.pop(path, None) is not None:
            self._read.pop(path, None)
            self.forget_disk()

    def forget_disk(self) -> None:
        """Look at the disk anew before the next judgment."""
        if self._disk is not None:
            self._past, self._disk = self._disk, None
        self._judged = None

    def forget_judgment(self) -> None:
        """Judge anew, on the day that it is then."""
        self._judged = None

    @property
    def is_judged(self) -> bool:
        """Whether there is a judgment of all that is known to have changed."""
        return self._judged is not None

    def judge(self) -> Judgment:
        """The judgment of what is on disk and in the buffers. Raises RecallError where there can be none."""
        now = clock.now()
        day = moment_of_day(now).instant
        if self._judged is None or self._judged.clock.day != day:
            disk = self._look()
            session = BufferSession(disk, self._buffers, self._read)
            self._judged = Judgment(session, self.settings, Clock(day, now))
        return self._judged

    def judge_with(self, path: str, content: bytes) -> Judgment:
        """The judgment as it would be if `path` held `content`."""
        standing = self.judge()
        session = BufferSession(
            self._look(), {**self._buffers, path: content}, {**self._read, path: read_file(path, content)}
        )
        return Judgment(session, self.settings, standing.clock)

    def content(self, path: str) -> bytes | None:
        """What the file at `path` holds, in its buffer or on disk; None where it cannot be read."""
        if path in self._buffers:
            return self._buffers[path]
        content = read_regular_file(self.full(path))
        return None if isinstance(content, ReadFailure) else content

    def reading(self, path: str) -> Reading | None:
        """The reading of the buffer at `path`, as it stands; None where none is open."""
        return self._read.get(path)

    def _look(self) -> DiskSession:
        if self._disk is None:
            if not self._is_fresh:
                self._take(self._reopen())
            self._is_fresh = False
            self._disk = DiskSession(self.workspace, self._cache, self._past)
            self._disk.take_over()
            self._past = None
        return self._disk

    def _take(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.settings = build_settings(workspace.configuration, RULES)
        self._selection = workspace.configuration.selection()
        memos = filter(self._selection.is_memo, self._buffers)
        self._read = {path: self._read.get(path) or read_file(path, self._buffers[path]) for path in memos}
