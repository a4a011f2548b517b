"""A SQLite file that is only a cache: opened for each use, removed where it is damaged."""

import contextlib
import os
import sqlite3
import stat
from collections.abc import Iterator, Sequence
from typing import Final

_FOREIGN: Final = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_MISMATCH}
"""What SQLite says of a file that is no database, no whole one, or has other tables than ours."""
_PAGE: Final = 16_384
"""Bytes. A value of some thousand bytes leaves less of a large page empty."""


class SqliteFile:
    """The file of a path. The statements of `schema` bring it from any other version to `version`.

    Opened for each use and closed after it: nothing is shared by threads, or with a process that was forked off.
    """

    def __init__(self, path: str, schema: Sequence[str], version: int) -> None:
        self.path = path
        self._schema = schema
        self._version = version

    def is_there(self) -> bool:
        """Whether there is a file. Raises OSError where something else has its name."""
        try:
            kind = os.lstat(self.path).st_mode
        except FileNotFoundError:
            return False
        if not stat.S_ISREG(kind):
            raise OSError(0, "its file is no regular file")  # a pipe in its place would keep us waiting
        return True

    @contextlib.contextmanager
    def open(self, patience: float) -> Iterator[sqlite3.Connection]:
        """One transaction, committed at the end. Waits `patience` seconds for others. Raises sqlite3.Error, OSError."""
        if not self.is_there():
            os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
            os.close(os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o600))
        with contextlib.closing(sqlite3.connect(self.path, timeout=patience, isolation_level=None)) as db:
            db.execute(f"PRAGMA page_size = {_PAGE}")  # heeded by a new file alone
            db.execute("PRAGMA secure_delete = ON")
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute("BEGIN IMMEDIATE")
            self._migrate(db)
            yield db
            db.execute("COMMIT")

    def drop(self) -> bool:
        """Remove the file; whether it is gone. Others that have it open finish on what they have."""
        for path in (self.path, f"{self.path}-journal"):
            with contextlib.suppress(OSError):
                os.unlink(path)
        return not os.path.lexists(self.path)

    def _migrate(self, db: sqlite3.Connection) -> None:
        if db.execute("PRAGMA user_version").fetchone()[0] != self._version:
            for statement in (*self._schema, f"PRAGMA user_version = {self._version}"):
                db.execute(statement)


def is_damaged(error: sqlite3.Error) -> bool:
    """Whether the file is at fault, and not the system or another process."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and (code & 0xFF) in _FOREIGN


def used_bytes(db: sqlite3.Connection) -> int:
    """The size of what the file holds, in bytes; pages that were freed are not counted."""
    pages, free, each = (
        int(db.execute(f"PRAGMA {name}").fetchone()[0]) for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * each
