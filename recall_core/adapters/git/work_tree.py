"""The work tree as a source: tracked and untracked files as they lie on disk."""

import os
import re
import stat
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from recall_core.adapters.files import read_with_stat, stat_identity
from recall_core.adapters.git.blobs import read_blobs
from recall_core.adapters.git.index import intended_only
from recall_core.adapters.git.program import unreadable_folders
from recall_core.adapters.git.repository import Git, limited_to
from recall_core.ports.corpus import Entry, Listing, ReadFailure

# A record that says anything but "tracked, and on disk as in the index".
_LOOSE = re.compile(rb"\0([^H\0][^\0]*)")
# File systems stamp with a clock that lags by up to a tick of the kernel.
_TICK_NS = 10_000_000


class WorkTreeSource:
    """The regular files below `root` on disk, without what Git ignores. It is asked once; a new state, a new source.

    A file as the index has it carries the blob id as identity, any other `size-mtime_ns-inode`. Untracked files, and
    those added by intent only (`git add -N`), have `tracked` False. Hidden folders and `node_modules` are not
    searched for untracked files. What a sparse checkout left out of the disk is listed and read as the index has it.
    """

    kind = "work-tree"

    def __init__(self, git: Git, root: str) -> None:
        self.git = git
        self.prefix = git.prefix_of(root)

    def raw_state(self) -> bytes:
        """Bytes that change whenever the listing does: Git's answer, and the identity of what it has no blob id for."""
        loose = (f"{path}\0{_outcome(status)}" for path, status in self._statuses.items())
        return b"\0".join((self._raw, b"intended", *map(os.fsencode, (*sorted(self._intended), "loose", *loose))))

    def listing(self) -> Listing:
        """Every regular file; failures are those whose folder or status could not be read."""
        start, end = 9, 9 + self.git.id_length
        cut = end + 3 + len(self.prefix)
        plain = [record for record in os.fsdecode(self._raw).split("\0") if record.startswith("H 100")]
        entries = [Entry(record[cut:], record[start:end]) for record in plain]
        dropped = {path[len(self.prefix) :] for path in self._loose}
        dropped |= self._behind_symlinks(entry.path for entry in entries)
        if dropped:
            entries = [entry for entry in entries if entry.path not in dropped]
        entries += self._loose_entries()
        entries.sort(key=lambda entry: entry.path)
        return Listing(entries, self._failures())

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | ReadFailure]]:
        """The content of each entry, in the order given."""
        entries = list(entries)
        absent = self._absent_by_intent
        blobs = read_blobs(self.git, (entry.identity for entry in entries if self.prefix + entry.path in absent))
        for entry in entries:
            path = self.prefix + entry.path
            yield entry, next(blobs) if path in absent else self._read_one(path, entry.identity)

    def _read_one(self, path: str, identity: str) -> bytes | ReadFailure:
        found = read_with_stat(f"{self.git.top}/{path}")  # os.path.join takes as long as opening the file
        if "-" in identity:
            return found if isinstance(found, ReadFailure) else found[0]
        if isinstance(found, ReadFailure):
            return found
        content, status = found
        if max(status.st_mtime_ns, status.st_ctime_ns) < self._asked_at - _TICK_NS:
            return content
        # Written since Git looked: what the identity stands for is in the repository, and a cache may rely on it.
        return next(read_blobs(self.git, (identity,)))

    @cached_property
    def _answer(self) -> tuple[int, bytes, str]:
        asked_at = time.time_ns()
        # With -v each record begins with a letter: `?` untracked, else MODE ID STAGE, a tab and the path follow.
        # H as in the index; M unmerged; S left out by a sparse checkout; in lower case, assumed unchanged; and a
        # second record C for what differs from the index or is gone.
        options = ("-v", "-s", "-c", "-m", "-o", "-z", "--exclude-standard", *_not_searched(self.prefix))
        output, complaint = self.git.run_heard("ls-files", *options, *limited_to(self.prefix))
        return asked_at, output, complaint

    @property
    def _asked_at(self) -> int:
        return self._answer[0]

    @property
    def _raw(self) -> bytes:
        return self._answer[1]

    @cached_property
    def _intended(self) -> frozenset[str]:
        return intended_only(self.git, self.prefix, self._raw)

    @cached_property
    def _loose(self) -> Mapping[str, str]:
        """Path from the top to the first telling record about it, for all that is not plainly as the index has it."""
        cut = 12 + self.git.id_length
        loose: dict[str, str] = {}
        for match in _LOOSE.findall(b"\0" + self._raw):
            record = os.fsdecode(match)
            if record[0] != "?":
                loose.setdefault(record[cut:], record)
            elif not record.endswith("/"):  # an embedded repository is none of ours
                loose[record[2:]] = record
        return loose

    @cached_property
    def _statuses(self) -> Mapping[str, os.stat_result | OSError]:
        return {path: _look(os.path.join(self.git.top, path)) for path in self._loose}

    @cached_property
    def _absent_by_intent(self) -> Mapping[str, str]:
        """The blob id of each regular file that a sparse checkout keeps off the disk, by path from the top."""
        start, end = 9, 9 + self.git.id_length
        return {
            path: record[start:end]
            for path, record in self._loose.items()
            if record[0] in "Ss" and record.startswith("100", 2) and _is_gone(self._statuses[path])
        }

    def _loose_entries(self) -> Iterator[Entry]:
        behind = self._behind_symlinks(path[len(self.prefix) :] for path in self._loose)
        for path, status in self._statuses.items():
            shown = path[len(self.prefix) :]
            if shown in behind:
                continue
            if path in self._absent_by_intent:
                yield Entry(shown, self._absent_by_intent[path])
            elif isinstance(status, os.stat_result) and stat.S_ISREG(status.st_mode):
                tracked = self._loose[path][0] != "?" and path not in self._intended
                yield Entry(shown, stat_identity(status), tracked)

    def _failures(self) -> list[tuple[str, ReadFailure]]:
        cut = len(self.prefix)
        failures = {folder[cut:] or ".": ReadFailure(reason) for folder, reason in unreadable_folders(self._answer[2])}
        for path, status in self._statuses.items():
            if isinstance(status, OSError) and not _is_gone(status):
                failures[path[cut:]] = ReadFailure(status.strerror or str(status))
        return sorted(failures.items())

    def _behind_symlinks(self, paths: Iterable[str]) -> set[str]:
        # Git looks through a symlink that took a folder's place, and would list the same memo in two places.
        paths = list(paths)
        linked = _linked_folders({path.rpartition("/")[0] for path in paths}, os.path.join(self.git.top, self.prefix))
        return {path for path in paths if path.rpartition("/")[0] in linked} if linked else set()


def _not_searched(prefix: str) -> tuple[str, ...]:
    # They hold files by the 100,000, and no corpus takes memos from them; a root that lies in one is searched.
    folders = prefix.split("/")
    if "node_modules" in folders or any(folder.startswith(".") for folder in folders):
        return ()
    return ("-x", "node_modules/", "-x", ".*/")


def _look(full_path: str) -> os.stat_result | OSError:
    try:
        return os.lstat(full_path)
    except OSError as error:
        return error


def _is_gone(status: os.stat_result | OSError) -> bool:
    return isinstance(status, FileNotFoundError | NotADirectoryError)


def _outcome(status: os.stat_result | OSError) -> str:
    if isinstance(status, OSError):
        return status.strerror or str(status)
    return f"{status.st_mode:o}-{stat_identity(status)}"


def _linked_folders(folders: Iterable[str], root: str) -> set[str]:
    """Those of the folders that are a symlink or lie behind one; the root itself lies behind none."""
    known = {"": False}
    for folder in folders:
        unknown = []
        outer = folder
        while outer not in known:
            unknown.append(outer)
            outer = outer.rpartition("/")[0]
        linked = known[outer]
        for inner in reversed(unknown):
            linked = linked or os.path.islink(os.path.join(root, inner))
            known[inner] = linked
    return {folder for folder, linked in known.items() if linked}
