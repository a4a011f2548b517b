"""The register of a corpus that a run keeps for the next."""

from collections.abc import Sequence
from typing import Any

from recall_core.adapters.cache import DataCache
from recall_core.ports.corpus import Entry
from recall_lint.kept import ReadingCodec, is_settled
from recall_lint.reading import Reading
from recall_lint.register.register import Register, build_register


class KeptRegister:
    """The register of a corpus, for one kind of source listed at `listed_at` (ns).

    `scope` says which files are memos; a register of another scope is none.
    """

    def __init__(self, cache: DataCache | None, kind: str, scope: str, listed_at: int) -> None:
        self._cache, self._name, self._scope, self._listed_at = cache, f"register-{kind}", scope, listed_at
        self._codec = ReadingCodec()

    def load(self) -> Register | None:
        """The register that was kept last, whatever has changed since."""
        data = self._cache.load_bytes(self._name) if self._cache is not None else None
        register = Register(data) if data else None
        return register if register is not None and register.scope == self._scope else None

    def decode(self, path: str, row: Any) -> Reading:
        """The reading of a path from a row of the register."""
        return self._codec.decode(path, row)

    def save(self, readings: Sequence[Reading], entries: Sequence[Entry]) -> None:
        """Keep a register of the readings of these entries, one of each."""
        if self._cache is not None:
            settled = [each.identity if is_settled(each.identity, self._listed_at) else "" for each in entries]
            self._cache.save_bytes(self._name, build_register(readings, settled, self._codec.encode, self._scope))
