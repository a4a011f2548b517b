"""What a run keeps for the next: readings by content, and finished findings by state."""

from dataclasses import dataclass, fields
from typing import Any

from recall_core.adapters.cache import DataCache
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
