"""What `check` said of exactly this state before: a run that finds it leaves without reading a memo."""

from collections.abc import Sequence
from typing import Any

from recall_core.adapters.cache import DataCache, digest
from recall_core.adapters.git.index import IndexSource
from recall_core.adapters.git.work_tree import WorkTreeSource
from recall_core.adapters.workspace import Workspace

_KEPT = 32
_LARGEST = 20_000
"""Characters of an answer that is worth keeping."""


class KeptAnswers:
    """Answers by state, the newest first: the text on stdout and the exit status."""

    def __init__(self, cache: DataCache | None, kind: str) -> None:
        self._cache, self._name = cache, f"checked-{kind}"

    def get(self, state: str) -> tuple[str, int] | None:
        """What was said, and the exit status."""
        for known, text, status in self._load():
            if known == state:
                return text, status
        return None

    def put(self, state: str, text: str, status: int) -> None:
        """Keep an answer."""
        if self._cache is not None and len(text) <= _LARGEST:
            others = [row for row in self._load() if row[0] != state]
            self._cache.save(self._name, [[state, text, status], *others[: _KEPT - 1]])

    def _load(self) -> list[list[Any]]:
        loaded = self._cache.load(self._name) if self._cache is not None else None
        if not isinstance(loaded, list):
            return []
        return [row for row in loaded if isinstance(row, list) and list(map(type, row)) == [str, str, int]]


def describe(workspace: Workspace, more: Sequence[str]) -> str:
    """A digest of all that an answer depends on: every file, the configuration, HEAD, and `more`."""
    git, source = workspace.git, workspace.source
    history = (git.head or "", str(git.is_shallow)) if git is not None else ()
    words = (*more, source.kind, workspace.root, repr(workspace.configuration.table), *history)
    if isinstance(source, IndexSource | WorkTreeSource):
        files = source.raw_state()
    else:
        rows = [f"{entry.path}\0{entry.identity}" for entry in source.listing().entries]
        files = "\0".join(rows).encode("utf-8", "surrogateescape")
    return digest(files, *(word.encode("utf-8", "surrogatepass") for word in words))
