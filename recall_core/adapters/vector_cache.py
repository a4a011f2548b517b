"""Vectors kept between runs, by the id of the embedder and the SHA-256 of the passage: never the passage itself."""

import contextlib
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import blake2b, sha256
from typing import Final, TypeVar

import numpy as np

from recall_core.adapters.embedders.rows import no_rows, unit_rows
from recall_core.adapters.output import remark
from recall_core.adapters.sqlite_file import SqliteFile, is_damaged, used_bytes
from recall_core.errors import WriteError
from recall_core.model.escape import encodable
from recall_core.ports.embedder import Embedder, Vectors

MOST_BYTES: Final = 1 << 30
"""The size at which the vectors that were used least recently go: about 600,000 of the default model."""

FILE: Final = "vectors.sqlite3"

_FORMAT: Final = 1
_TABLE: Final = """
CREATE TABLE vectors (
    passage BLOB NOT NULL, model TEXT NOT NULL, vector BLOB NOT NULL, checksum BLOB NOT NULL, used INTEGER NOT NULL,
    UNIQUE (passage, model)
)
"""
_INDEX: Final = "CREATE INDEX vectors_by_use ON vectors (used)"
_PATIENCE: Final = 5.0
_PURGE_PATIENCE: Final = 60.0
"""Seconds to wait for another process that writes. Without the cache a run goes on; what is to be purged must go."""
_AT_ONCE: Final = 500
_BATCH: Final = 64
"""Texts embedded before they are kept: what a cut-off run loses."""

_T = TypeVar("_T")


class VectorCache:
    """The vectors in a folder, shared by all processes of its owner.

    Neither reading nor writing raises: what is missing or damaged is not there, and where the system refuses, nothing
    is kept. A file that is not ours, or not whole, is removed. `said` is told of either, once.
    """

    def __init__(self, folder: str, *, said: Callable[[str], None] = remark, most_bytes: int = MOST_BYTES) -> None:
        self._file = _file(folder)
        self._said = said
        self._has_said = False
        self._most_bytes = most_bytes
        self._turn: int | None = None
        self._lock = threading.Lock()

    def load(self, model: str, digests: Sequence[bytes], dimension: int) -> dict[bytes, Vectors]:
        """The vectors of `model` that are kept, each of `dimension` float32 numbers, by the digest of their passage."""
        found: dict[bytes, Vectors] = {}
        name = encodable(model)
        with self._lock, self._forgiven(), self._file.open(_PATIENCE) as db:
            for some in _parts(digests):
                for digest, content, checksum in db.execute(
                    f"SELECT passage, vector, checksum FROM vectors WHERE model = ? AND passage IN ({_marks(some)})",
                    (name, *some),
                ):
                    if len(content) == 4 * dimension and checksum == _checksum(name, digest, content):
                        found[digest] = np.frombuffer(content, dtype="<f4")
            self._touch(db, name, list(found))
        return found

    def save(self, model: str, vectors: Mapping[bytes, Vectors]) -> None:
        """Keep vectors by the digest of their passage, in the place of those that were there."""
        name = encodable(model)
        contents = {digest: np.ascontiguousarray(vector, dtype="<f4").tobytes() for digest, vector in vectors.items()}
        with self._lock, self._forgiven(), self._file.open(_PATIENCE) as db:
            turn = self._this_turn(db)
            db.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?, ?)",
                [(digest, name, each, _checksum(name, digest, each), turn) for digest, each in contents.items()],
            )
            self._evict(db)

    def _touch(self, db: sqlite3.Connection, model: str, digests: Sequence[bytes]) -> None:
        turn = self._this_turn(db)
        for some in _parts(digests):
            db.execute(
                f"UPDATE vectors SET used = ? WHERE model = ? AND passage IN ({_marks(some)}) AND used < ?",
                (turn, model, *some, turn),
            )

    def _this_turn(self, db: sqlite3.Connection) -> int:
        """The number of this run among those that used the cache: unlike a clock it never goes back."""
        if self._turn is None:
            self._turn = 1 + int(db.execute("SELECT coalesce(max(used), 0) FROM vectors").fetchone()[0])
        return self._turn

    def _evict(self, db: sqlite3.Connection) -> None:
        """Take out a quarter, beginning with what was used least recently, where the file is full."""
        if used_bytes(db) > self._most_bytes:
            count = db.execute("SELECT count(*) FROM vectors").fetchone()[0]
            db.execute(
                "DELETE FROM vectors WHERE rowid IN (SELECT rowid FROM vectors ORDER BY used LIMIT ?)",
                (count // 4 + 1,),
            )

    @contextlib.contextmanager
    def _forgiven(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            if is_damaged(error) and self._file.drop():
                self._say(f"the cache of vectors was damaged and is begun anew ({error})")
            else:
                self._say(f"the cache of vectors is not used: {error}")
        except OSError as error:
            self._say(f"the cache of vectors is not used: {error.strerror}")

    def _say(self, message: str) -> None:
        if not self._has_said:
            self._has_said = True
            self._said(message)


class CachedEmbedder:
    """An embedder that asks the cache in `folder` before it embeds documents. Queries are not kept.

    `progress` is told how many texts of a call are done, and of how many. An embedder that has no vectors, or says of
    itself that it `is_cheap`, is asked every time: a disk is slower than it.
    """

    def __init__(
        self,
        embedder: Embedder,
        folder: str,
        *,
        progress: Callable[[int, int], None] | None = None,
        said: Callable[[str], None] = remark,
    ) -> None:
        self._embedder = embedder
        self._cache = VectorCache(folder, said=said)
        self._progress = progress or (lambda _done, _total: None)

    @property
    def id(self) -> str:
        """That of the embedder."""
        return self._embedder.id

    @property
    def dimension(self) -> int:
        """That of the embedder."""
        return self._embedder.dimension

    @property
    def max_tokens(self) -> int:
        """That of the embedder."""
        return self._embedder.max_tokens

    @property
    def is_fused(self) -> bool:
        """Whether the embedder's dense leg is fused."""
        return self._embedder.is_fused

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """One row for each query, by the embedder. Raises as it does."""
        return self._embedder.embed_queries(texts)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """One row for each text, from the cache or by the embedder, which sees equal texts once. Raises as it does."""
        if not texts or not self.dimension or getattr(self._embedder, "is_cheap", False):
            rows = self._embedder.embed_documents(texts)
            self._progress(len(texts), len(texts))
            return rows
        digests = [digest_passage(text) for text in texts]
        known = self._cache.load(self.id, list(dict.fromkeys(digests)), self.dimension)
        missing = {digest: text for digest, text in zip(digests, texts, strict=True) if digest not in known}
        done = len(texts) - len(missing)
        self._progress(done, len(texts))
        for some in _parts(list(missing), _BATCH):
            made = self._embed([missing[digest] for digest in some])
            fresh = dict(zip(some, made, strict=True))
            self._cache.save(self.id, fresh)
            known |= fresh
            done += len(some)
            self._progress(done, len(texts))
        rows = no_rows(len(texts), self.dimension)
        for place, digest in enumerate(digests):
            rows[place] = known[digest]
        return rows

    def _embed(self, texts: list[str]) -> Vectors:
        # Checked before it is kept: a wrong row would come back for ever.
        return unit_rows(self._embedder.embed_documents(texts), len(texts), self.dimension, f"the embedder `{self.id}`")


def digest_passage(passage: str) -> bytes:
    """The name under which the vector of a passage is kept: its SHA-256, 32 bytes."""
    return sha256(passage.encode("utf-8", "surrogatepass")).digest()


def purge(folder: str, digests: Sequence[str]) -> None:
    """Take the vectors of some passages, named by their hexadecimal SHA-256, of every embedder, out of the cache.

    What they held is overwritten. A damaged cache goes altogether. Raises WriteError where the system refuses, or
    another process does not make way: a vector tells much of its text, so that it stays must be known.
    """
    file = _file(folder)
    try:
        if not file.is_there():
            return
        with file.open(_PURGE_PATIENCE) as db:
            for some in _parts([bytes.fromhex(digest) for digest in digests]):
                db.execute(f"DELETE FROM vectors WHERE passage IN ({_marks(some)})", some)
    except sqlite3.Error as error:
        if not is_damaged(error) or not file.drop():
            raise _unpurged(file.path, str(error)) from error
    except OSError as error:
        raise _unpurged(file.path, error.strerror or "the system refused") from error


def _file(folder: str) -> SqliteFile:
    return SqliteFile(os.path.join(folder, FILE), ("DROP TABLE IF EXISTS vectors", _TABLE, _INDEX), _FORMAT)


def _checksum(model: str, digest: bytes, content: bytes) -> bytes:
    return blake2b(content, digest_size=8, key=digest, person=blake2b(model.encode(), digest_size=16).digest()).digest()


def _parts(items: Sequence[_T], size: int = _AT_ONCE) -> Iterator[Sequence[_T]]:
    return (items[start : start + size] for start in range(0, len(items), size))


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def _unpurged(path: str, reason: str) -> WriteError:
    return WriteError(
        f"vectors of what is to be forgotten are still in the cache: {reason}",
        help=f"end other runs of recall, or remove `{path}`, and try again",
    )
