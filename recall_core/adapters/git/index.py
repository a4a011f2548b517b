"""The index as a source: what the next commit would hold."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from recall_core.adapters.git.blobs import read_blobs
from recall_core.adapters.git.repository import Git, limited_to
from recall_core.ports.corpus import Entry, Listing, ReadFailure

# The empty files that repositories are full of. Whether another empty one is there by intent only costs a process.
_NEVER_MEMOS = (".py", ".pyi", ".typed", ".gitkeep", ".keep", ".nojekyll")
# Beyond this many names the whole tree is asked about, so that no command line grows too long.
_NAMES_ON_A_COMMAND_LINE = 100


class IndexSource:
    """The regular files below `root` that the index holds. It is asked once; a new state takes a new source.

    An entry added by intent only (`git add -N`) is not there. A conflicted file is there once, as ours, else as
    theirs; one that both sides deleted is not.
    """

    kind = "index"

    def __init__(self, git: Git, root: str) -> None:
        self.git = git
        self.prefix = git.prefix_of(root)

    def raw_state(self) -> bytes:
        """Bytes that are the same exactly when the listing is: Git's answer, and what is there by intent only."""
        return b"\0".join((self._raw, b"intended", *map(os.fsencode, sorted(self._intended))))

    def listing(self) -> Listing:
        """Every regular file of the index; identity is the blob id."""
        start, end, cut = 7, 7 + self.git.id_length, 10 + self.git.id_length + len(self.prefix)
        stage = end + 1
        entries = [
            Entry(record[cut:], record[start:end])
            for record in self._records
            if record[stage] == "0" and record.startswith("100")
        ]
        intended = self._intended
        if intended:
            entries = [entry for entry in entries if self.prefix + entry.path not in intended]
        entries += self._from_conflicts
        entries.sort(key=lambda entry: entry.path)
        return Listing(entries)

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | ReadFailure]]:
        """The content of each entry, in the order given."""
        entries = list(entries)
        return zip(entries, read_blobs(self.git, (entry.identity for entry in entries)), strict=True)

    @cached_property
    def _raw(self) -> bytes:
        # Each record: MODE ID STAGE, a tab, the path.
        return self.git.run("ls-files", "-s", "-z", *limited_to(self.prefix))

    @cached_property
    def _records(self) -> list[str]:
        return os.fsdecode(self._raw).split("\0")[:-1]

    @cached_property
    def _unmerged(self) -> list[str]:
        stage = 8 + self.git.id_length
        return [record for record in self._records if record[stage] != "0"]

    @property
    def _from_conflicts(self) -> list[Entry]:
        end = 7 + self.git.id_length
        chosen: dict[str, tuple[str, Entry]] = {}
        for record in self._unmerged:
            stage, path = record[end + 1], record[end + 3 + len(self.prefix) :]
            if stage == "1" or not record.startswith("100"):
                continue
            if path not in chosen or stage < chosen[path][0]:
                chosen[path] = (stage, Entry(path, record[7:end]))
        return [entry for _, entry in chosen.values()]

    @cached_property
    def _intended(self) -> frozenset[str]:
        return intended_only(self.git, self.prefix, self._raw)


def intended_only(git: Git, prefix: str, raw: bytes) -> frozenset[str]:
    """The paths, relative to the top, that `git add -N` announced and nobody added yet.

    `raw` is Git's listing of the index: such an entry has the id of an empty file there, as a truly empty one has. A
    comparison of the index with nothing names the empty ones alone. No process is started when `raw` names neither.
    """
    empty = git.empty_blob.encode("ascii")
    if empty not in raw:
        return frozenset()
    names = {os.fsdecode(path) for path in re.findall(empty + rb" 0\t([^\0]*)", raw)}
    suspects = sorted(path for path in names if not path.endswith(_NEVER_MEMOS))
    if not suspects:
        return frozenset()
    return frozenset(suspects).difference(_really_added(git, prefix, suspects))


def _really_added(git: Git, prefix: str, suspects: Sequence[str]) -> list[str]:
    limit = ("--", *suspects) if len(suspects) <= _NAMES_ON_A_COMMAND_LINE else limited_to(prefix)
    options = ("--cached", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules=all")
    return os.fsdecode(git.run("diff", *options, git.empty_tree, *limit)).split("\0")
