"""Where a corpus comes from: a folder, a Git work tree, the index, or a revision."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol


class Entry(NamedTuple):
    """A regular file below the root.

    `path` is relative to the root with forward slashes; bytes of a name that are not UTF-8 are lone surrogates
    (`os.fsdecode`). `identity` changes whenever the content does: a blob id, or `size-mtime_ns-inode`. `tracked` is
    False for a file that the next commit would not hold.
    """

    path: str
    identity: str
    tracked: bool = True


class ReadFailure(NamedTuple):
    """The system would not give the content; `reason` is its own word for it, without the path."""

    reason: str


class Listing(NamedTuple):
    """Every regular file of a source, sorted by path; symlinks, submodules, sockets and pipes are left out.

    `failures` names what could not even be listed (an unreadable folder), with the reason.
    """

    entries: Sequence[Entry]
    failures: Sequence[tuple[str, ReadFailure]] = ()


class CorpusSource(Protocol):
    """One way to list and read the files below a root."""

    @property
    def kind(self) -> str:
        """`folder`, `work-tree`, `index` or `revision`: a cache of one kind never serves another."""
        ...

    def listing(self) -> Listing:
        """All regular files below the root."""
        ...

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | ReadFailure]]:
        """The content of each entry, in the order given. Never blocks on a pipe, never follows a symlink."""
        ...
