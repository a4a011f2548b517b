"""What a run keeps for the next: readings by content, finished findings by state, and the states found clean."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

from recall_core import __version__
from recall_core.adapters.cache import DataCache, digest
from recall_core.frontmatter.nodes import HAS_C_PARSER
from recall_core.frontmatter.reference import normalise_key
from recall_core.model.memo import Memo
from recall_lint.codec import Codec, CodecError
from recall_lint.engine import Findings
from recall_lint.reading import Reading

_STATES_KEPT = 16
_BESIDE_CONTENT = 2
"""`path` and `key`, the first two fields of a memo: they depend on the file's name, not on its content."""

_TICK_NS = 20_000_000
"""File systems stamp with a clock that lags by up to a tick of the kernel, 10 ms at most."""
_COARSE_TICK_NS = 2_000_000_000
"""Some stamp whole seconds only, and FAT every other one."""


def open_cache(folder: str) -> DataCache:
    """The cache in `folder`, for this very code: pinned revisions share a version number."""
    return DataCache(folder, f"{__version__}-{_code_stamp()}")


def _code_stamp() -> str:
    """A digest of the names, sizes and times of our own files: about 0.3 ms, and no stale answer after an upgrade."""
    rows = []
    pending = [os.path.dirname(os.path.abspath(__file__))]
    pending.append(os.path.join(os.path.dirname(pending[0]), "recall_core"))
    while pending:
        with os.scandir(pending.pop()) as items:
            for item in items:
                if item.name.endswith(".py"):
                    status = item.stat()
                    rows.append(f"{item.name}\0{status.st_size}\0{status.st_mtime_ns}")
                elif item.is_dir() and not item.name.startswith("__"):
                    pending.append(item.path)
    rows.sort()
    return digest("\n".join(rows).encode(), str(HAS_C_PARSER).encode())[:16]


def is_settled(identity: str, listed_at: int) -> bool:
    """Whether the file with this identity, listed at `listed_at` (ns), takes another when its content changes.

    A blob id does. A time of change does not while its tick lasts: a file edited twice in one, to the same size, looks
    as if it had been edited once. Nothing is kept of such a file until the next run.
    """
    _, dash, rest = identity.partition("-")
    time, _, _ = rest.partition("-")
    if not dash or not time.isdigit():
        return True
    changed_at = int(time)
    tick = _COARSE_TICK_NS if changed_at % 1_000_000_000 == 0 else _TICK_NS
    return abs(listed_at - changed_at) > tick


class KeptReadings:
    """Readings by the identity of their content, for one kind of source listed at `listed_at` (ns)."""

    def __init__(self, cache: DataCache | None, kind: str, listed_at: int) -> None:
        self._cache, self._name, self._listed_at = cache, f"readings-{kind}", listed_at
        loaded = cache.load(self._name) if cache is not None else None
        self._rows: dict[str, Any] = loaded if isinstance(loaded, dict) else {}
        self._codec = _ReadingCodec()
        self._seen: dict[str, Any] = {}
        self._changed = False

    def get(self, path: str, identity: str) -> Reading | None:
        """The reading of a file with this content, under the name `path`."""
        row = self._rows.get(identity)
        if row is None:
            return None
        try:
            reading = self._codec.decode(path, row)
        except CodecError:
            return None
        self._seen[identity] = row
        return reading

    def put(self, identity: str, reading: Reading) -> None:
        """Keep a reading made now."""
        if not is_settled(identity, self._listed_at):
            return
        self._seen[identity] = self._codec.encode(reading)
        self._changed = True

    def save(self) -> None:
        """Write out what this run saw, where anything was new; what it did not see is forgotten."""
        if self._cache is not None and (self._changed or len(self._seen) * 2 < len(self._rows)):
            self._cache.save(self._name, self._seen)


class _ReadingCodec:
    """A reading as `[memo without path and key, closures, suppressions, declines]`."""

    def __init__(self) -> None:
        self._codec = Codec(Reading)
        self._memo = Codec(Memo)
        names = [field.name for field in fields(Reading)]
        assert names == ["memo", "closures", "suppressions", "declines"]  # noqa: S101 - rows are laid out by this

    def encode(self, reading: Reading) -> list[Any]:
        memo, *rest = self._codec.encode(reading)
        return [memo[_BESIDE_CONTENT:], *rest]

    def decode(self, path: str, row: Any) -> Reading:
        if not isinstance(row, list) or not row or not isinstance(row[0], list):
            raise CodecError("no reading")
        memo_row = [path, normalise_key(path), *row[0]]
        if len(row) == 1:
            return Reading(self._memo.decode(memo_row))
        return self._codec.decode([memo_row, *row[1:]])


@dataclass(frozen=True, slots=True)
class KeptFindings:
    """Finished findings with the sentences that were said about the run."""

    findings: Findings
    notes: tuple[str, ...] = ()


class FindingsShelf:
    """The findings of the last few states, the newest first."""

    def __init__(self, cache: DataCache | None, kind: str) -> None:
        self._cache, self._name = cache, f"findings-{kind}"
        self._codec = Codec(KeptFindings)

    def get(self, state: str) -> KeptFindings | None:
        """What was found in exactly this state."""
        for known, row in self._load():
            if known == state:
                try:
                    return self._codec.decode(row)
                except CodecError:
                    return None
        return None

    def put(self, state: str, kept: KeptFindings) -> None:
        """Keep what was found."""
        if self._cache is None:
            return
        others = [entry for entry in self._load() if entry[0] != state]
        self._cache.save(self._name, [(state, self._codec.encode(kept)), *others[: _STATES_KEPT - 1]])

    def _load(self) -> list[tuple[str, Any]]:
        loaded = self._cache.load(self._name) if self._cache is not None else None
        if not isinstance(loaded, list):
            return []
        return [(entry[0], entry[1]) for entry in loaded if isinstance(entry, list) and len(entry) == 2]


class CleanStates:
    """States of the index that were linted and let pass: a hook that meets one again may leave at once."""

    _NAME = "clean"

    def __init__(self, cache: DataCache | None) -> None:
        self._cache = cache

    def holds(self, state: str) -> bool:
        """Whether this state was found clean."""
        return state in self._load()

    def add(self, state: str) -> None:
        """Remember a clean state."""
        if self._cache is None:
            return
        known = self._load()
        if known[:1] != [state]:
            self._cache.save(self._NAME, [state, *(other for other in known if other != state)][:_STATES_KEPT])

    def _load(self) -> Sequence[str]:
        loaded = self._cache.load(self._NAME) if self._cache is not None else None
        return [state for state in loaded if isinstance(state, str)] if isinstance(loaded, list) else []


def describe_state(parts: Iterable[str]) -> str:
    """A digest over strings; names that are not UTF-8 count as they are."""
    return digest(*(part.encode("utf-8", "surrogateescape") for part in parts))
