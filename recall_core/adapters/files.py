"""Regular files on disk: listing a folder, reading one file, replacing one file."""

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress

from recall_core.errors import WriteError
from recall_core.ports.corpus import Entry, Listing, ReadFailure

# They hold files by the 100,000, and no corpus takes memos from them.
_SKIPPED_FOLDERS = frozenset({"node_modules"})

# What a platform lacks is 0: O_BINARY is Windows', the others POSIX'. Without O_NONBLOCK a FIFO would block the open.
_READ_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_NOFOLLOW_IS_MISSING = not hasattr(os, "O_NOFOLLOW")
_CREATE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class FolderSource:
    """The regular files below `root` as they lie on disk, for use outside Git.

    Hidden folders and `node_modules` are not descended into, symlinks and junctions never followed. A folder that
    cannot be read is a failure of the listing, under its path (`.` for the root); the walk goes on.
    """

    kind = "folder"

    def __init__(self, root: str) -> None:
        self.root = os.path.abspath(root)

    def listing(self) -> Listing:
        """Every regular file below the root; identity is `size-mtime_ns-inode`."""
        entries: list[Entry] = []
        failures: list[tuple[str, ReadFailure]] = []
        pending = [""]
        while pending:
            folder = pending.pop()
            try:
                with os.scandir(os.path.join(self.root, folder)) as items:
                    for item in items:
                        _take(item, folder + item.name, entries, failures, pending)
            except OSError as error:
                failures.append((folder.rstrip("/") or ".", ReadFailure(_reason(error))))
        entries.sort(key=lambda entry: entry.path)
        return Listing(entries, sorted(failures, key=lambda failure: failure[0]))

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | ReadFailure]]:
        """The content of each entry, in the order given."""
        for entry in entries:
            yield entry, read_regular_file(os.path.join(self.root, entry.path))


def read_regular_file(full_path: str) -> bytes | ReadFailure:
    """The content of a regular file; a symlink, pipe, socket, device or folder is refused without blocking on it."""
    found = read_with_stat(full_path)
    return found if isinstance(found, ReadFailure) else found[0]


def read_with_stat(full_path: str) -> tuple[bytes, os.stat_result] | ReadFailure:
    """The content of a regular file, and its stat from just before it was read."""
    try:
        if _NOFOLLOW_IS_MISSING and os.path.islink(full_path):
            return ReadFailure("a symbolic link")
        descriptor = os.open(full_path, _READ_FLAGS)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return ReadFailure("not a regular file")
            return _read_all(descriptor, status.st_size), status
        finally:
            os.close(descriptor)
    except OSError as error:
        return ReadFailure(_reason(error))
    except ValueError:  # a NUL in the name
        return ReadFailure("not a possible file name")


def stat_identity(status: os.stat_result) -> str:
    """The identity of a file that no blob id is known for: `size-mtime_ns-inode`."""
    return f"{status.st_size}-{status.st_mtime_ns}-{status.st_ino}"


def write_atomically(full_path: str, data: bytes, *, expected: bytes, root: str) -> None:
    """Replace the content of a regular file below `root`, all or nothing; mode, and owner where possible, are kept.

    Raises WriteError, the file untouched, when its real path lies outside the real root, when it is a symlink or no
    regular file, when it is read-only, when its content is no longer `expected`, or when the system refuses.
    """
    real = os.path.realpath(full_path)
    shown = _shown(full_path, root)
    if not lies_below(real, os.path.realpath(root)):
        raise WriteError(f"{shown} lies outside {root}; nothing was written")
    if os.path.islink(full_path):
        raise WriteError(f"{shown} is a symbolic link; nothing was written", help="name the file that it points to")
    found = read_with_stat(real)
    if isinstance(found, ReadFailure):
        raise WriteError(f"{shown} was not written: {found.reason}")
    content, status = found
    if content != expected:
        raise _changed(shown)
    if not os.access(real, os.W_OK):
        raise WriteError(f"{shown} is read-only; nothing was written")
    try:
        _replace(real, data, status, shown)
    except OSError as error:
        raise WriteError(f"{shown} was not written: {_reason(error)}") from error


def lies_below(real_path: str, real_folder: str) -> bool:
    """Whether a path is the folder or lies in it; both must be real, absolute paths."""
    try:
        return os.path.commonpath((os.path.normcase(real_path), os.path.normcase(real_folder))) == os.path.normcase(
            real_folder
        )
    except ValueError:  # two drives
        return False


def _take(
    item: "os.DirEntry[str]",
    path: str,
    entries: list[Entry],
    failures: list[tuple[str, ReadFailure]],
    pending: list[str],
) -> None:
    try:
        if item.is_dir(follow_symlinks=False):
            if not (item.name.startswith(".") or item.name in _SKIPPED_FOLDERS or _is_junction(item)):
                pending.append(path + "/")
        elif item.is_file(follow_symlinks=False):
            entries.append(Entry(path, stat_identity(item.stat(follow_symlinks=False))))
    except FileNotFoundError:
        pass  # gone since the folder was read
    except OSError as error:
        failures.append((path, ReadFailure(_reason(error))))


def _is_junction(item: "os.DirEntry[str]") -> bool:
    # A folder by its mode and a symlink in effect; only Windows' stat has the tag.
    if os.name != "nt":
        return False
    tag = getattr(item.stat(follow_symlinks=False), "st_reparse_tag", 0)
    return bool(tag == getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", -1))


def _read_all(descriptor: int, size: int) -> bytes:
    # One byte more than the size: a regular file gives fewer than asked for only where it ends.
    first = os.read(descriptor, size + 1)
    if first and len(first) <= size:
        return first
    parts = [first]
    while more := os.read(descriptor, 1 << 20):
        parts.append(more)
    return b"".join(parts)


def _reason(error: OSError) -> str:
    # What O_NOFOLLOW answers on a symlink reads as if there were a loop.
    if error.errno == errno.ELOOP:
        return "a symbolic link"
    return error.strerror or str(error)


def _shown(full_path: str, root: str) -> str:
    try:
        path = os.path.relpath(full_path, root)
    except ValueError:
        return full_path
    return full_path if path.startswith("..") else path.replace(os.sep, "/")


def _changed(shown: str) -> WriteError:
    return WriteError(f"{shown} changed since it was read; nothing was written", help="run the command again")


def _replace(real: str, data: bytes, status: os.stat_result, shown: str) -> None:
    descriptor, temporary = _create_beside(real)
    try:
        try:
            _write_all(descriptor, data)
            _keep_owner_and_mode(descriptor, temporary, status)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)  # Windows replaces no open file
        _refuse_changed(real, status, shown)
        os.replace(temporary, real)
    except BaseException:
        _remove(temporary)
        raise
    _sync_folder(os.path.dirname(real))


def _refuse_changed(real: str, status: os.stat_result, shown: str) -> None:
    if stat_identity(os.lstat(real)) != stat_identity(status):
        raise _changed(shown)


def _create_beside(real: str) -> tuple[int, str]:
    folder = os.path.dirname(real)
    while True:
        temporary = os.path.join(folder, f".recall-{os.getpid()}-{os.urandom(6).hex()}.tmp")
        try:
            return os.open(temporary, _CREATE_FLAGS, 0o600), temporary
        except FileExistsError:
            continue


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _keep_owner_and_mode(descriptor: int, temporary: str, status: os.stat_result) -> None:
    if hasattr(os, "fchown"):
        mine = os.fstat(descriptor)
        if (mine.st_uid, mine.st_gid) != (status.st_uid, status.st_gid):
            _give_to(descriptor, status)
        # After the owner: giving a file away clears bits of its mode.
        os.fchmod(descriptor, stat.S_IMODE(status.st_mode))
    else:
        os.chmod(temporary, stat.S_IMODE(status.st_mode))


def _give_to(descriptor: int, status: os.stat_result) -> None:
    for user, group in ((status.st_uid, status.st_gid), (-1, status.st_gid)):
        try:
            os.fchown(descriptor, user, group)
        except OSError:
            continue
        return


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)


def _sync_folder(folder: str) -> None:
    # Makes the new name last through a power cut; not every system opens a folder.
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        with suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
