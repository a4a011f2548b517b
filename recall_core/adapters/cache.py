"""Data kept between runs: JSON or bytes behind a checksum, never code. What is not ours, or not whole, is no cache."""

import contextlib
import hashlib
import json
import os
import sys
import zlib
from collections.abc import Mapping
from typing import Any

from recall_core.adapters.files import read_regular_file
from recall_core.ports.corpus import ReadFailure

_MAGIC = b"recall-cache"


class DataCache:
    """Named values, JSON or bytes, in one folder, valid for one `version` alone.

    Reading never raises: what is missing, foreign, damaged or of another version is None. Writing replaces a file
    atomically, so that two processes at once each leave a whole one; where the system refuses, nothing is kept.
    """

    def __init__(self, folder: str, version: str) -> None:
        self.folder = folder
        self._version = version.encode()

    def load(self, name: str) -> Any:
        """The value kept under `name`, or None."""
        body = self._load(self._path(name))
        try:
            return None if body is None else json.loads(body)
        except (ValueError, RecursionError):
            return None

    def load_bytes(self, name: str) -> bytes | None:
        """The bytes kept under `name`, or None."""
        return self._load(self._path(name, "bin"))

    def save(self, name: str, value: Any) -> None:
        """Keep `value`, which must be JSON."""
        self._save(self._path(name), json.dumps(value, separators=(",", ":")).encode())

    def save_bytes(self, name: str, body: bytes) -> None:
        """Keep bytes; they have nothing to do with a JSON value of the same name."""
        self._save(self._path(name, "bin"), body)

    def _load(self, path: str) -> bytes | None:
        content = read_regular_file(path)  # a pipe in its place would keep us waiting
        if isinstance(content, ReadFailure):
            return None
        end = content.find(b"\n")
        body = memoryview(content)[end + 1 :]  # megabytes: looked through where they lie
        return bytes(body) if end >= 0 and content[:end] == self._header(body) else None

    def _save(self, path: str, body: bytes) -> None:
        temporary = f"{path}.{os.getpid()}.tmp"
        try:
            os.makedirs(self.folder, mode=0o700, exist_ok=True)
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with open(descriptor, "wb") as file:
                file.write(self._header(body) + b"\n" + body)
            os.replace(temporary, path)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(temporary)

    def _path(self, name: str, suffix: str = "json") -> str:
        return os.path.join(self.folder, f"{name}.{suffix}")

    def _header(self, body: "bytes | memoryview") -> bytes:
        return b" ".join((_MAGIC, self._version, b"%08x" % zlib.crc32(body)))


def user_cache_folder(variables: Mapping[str, str], platform: str = sys.platform) -> str:
    """Where a user's caches live on this platform; `variables` is the environment."""
    if chosen := variables.get("RECALL_CACHE_DIR"):
        return chosen
    home = os.path.expanduser("~")
    if platform == "win32":
        return os.path.join(variables.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local"), "recall", "cache")
    if platform == "darwin":
        return os.path.join(home, "Library", "Caches", "recall")
    return os.path.join(variables.get("XDG_CACHE_HOME") or os.path.join(home, ".cache"), "recall")


def digest(*parts: bytes) -> str:
    """A short, collision-resistant name for these bytes, each part told from the next."""
    state = hashlib.blake2b(digest_size=20)
    for part in parts:
        state.update(len(part).to_bytes(8, "big"))
        state.update(part)
    return state.hexdigest()
