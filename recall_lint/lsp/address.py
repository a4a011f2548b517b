"""Paths of files and the addresses that the protocol calls them by."""

import os
from pathlib import PurePath
from urllib.parse import unquote_to_bytes, urlsplit

from pygls.uris import to_fs_path


def path_of(address: str) -> str | None:
    """The path of a file on this machine; None for an address of anything else."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    if os.name == "nt":
        return to_fs_path(address)
    # `#` and `?` are written as they are by some, and a file name may hold both.
    raw = address.split("://", 1)[1] if "://" in address else parts.path
    path = os.fsdecode(unquote_to_bytes(raw.removeprefix("localhost").encode("utf-8", "surrogateescape")))
    return path if path.startswith("/") and "\0" not in path else None


def address_of(path: str) -> str:
    """The address of an absolute path, whatever bytes its name is made of."""
    return PurePath(path).as_uri()
