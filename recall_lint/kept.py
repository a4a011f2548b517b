"""What a run keeps for the next: readings by content, and finished findings by state."""

from typing import Any, NamedTuple

from recall_core.adapters.cache import DataCache
from recall_core.frontmatter.reference import normalise_key
from recall_core.model.memo import Memo
from recall_lint.codec import Codec, CodecError
from recall_lint.diagnostic import Diagnostic
from recall_lint.engine import Findings
from recall_lint.reading import Reading

_STATES_KEPT = 16
_FINDINGS_KEPT = 20_000
"""In all states together, beyond the newest: a run reads them all to find its own."""
_LINES_KEPT = 4_000_000
"""Characters of one state's lines. Beyond (a file of one line, or of many NULs) all is judged anew."""
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
        self._codec = ReadingCodec()
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


class ReadingCodec:
    """A reading as `[memo without path and key, trace, suppressions, declines]`."""

    def __init__(self) -> None:
        self._codec = Codec(Reading)
        self._memo = Codec(Memo)
        names = Reading._fields
        assert names == ("memo", "trace", "suppressions", "declines")  # noqa: S101 - rows are laid out by this

    def encode(self, reading: Reading) -> list[Any]:
        """A reading as JSON."""
        memo, *rest = self._codec.encode(reading)
        return [memo[_BESIDE_CONTENT:], *rest]

    def decode(self, path: str, row: Any) -> Reading:
        """The reading of a file under the name `path`; raises CodecError."""
        if not isinstance(row, list) or not row or not isinstance(row[0], list):
            raise CodecError("no reading")
        memo_row = [path, normalise_key(path), *row[0]]
        if len(row) == 1:
            return Reading(self._memo.decode(memo_row))
        return self._codec.decode([memo_row, *row[1:]])


class KeptFindings(NamedTuple):
    """Finished findings with the sentences that were said about the run."""

    findings: Findings
    notes: tuple[str, ...] = ()


class _FindingsCodec:
    """Kept findings as `[row, lines]`: a line of text that many findings are about stands there once."""

    def __init__(self) -> None:
        self._codec = Codec(KeptFindings)
        names = Diagnostic._fields
        assert names[-1] == "line_text"  # noqa: S101 - the last item of a full row
        self._full = len(names)

    def encode(self, kept: KeptFindings) -> list[Any]:
        row = self._codec.encode(kept)
        lines: dict[str, int] = {}
        for diagnostic in _diagnostics(row):
            if len(diagnostic) == self._full:
                diagnostic[-1] = lines.setdefault(diagnostic[-1], len(lines))
        return [row, list(lines)]

    def decode(self, kept: Any) -> KeptFindings:
        try:
            row, lines = kept
            for diagnostic in _diagnostics(row):
                if len(diagnostic) == self._full:
                    diagnostic[-1] = lines[diagnostic[-1]]
        except (TypeError, ValueError, IndexError, KeyError) as error:
            raise CodecError(str(error)) from error
        return self._codec.decode(row)


def _diagnostics(row: Any) -> Any:
    """The rows of the findings in that of a `KeptFindings`, whose first field's first field they are."""
    return row[0][0]


class FindingsShelf:
    """The findings of the last few states, the newest first."""

    def __init__(self, cache: DataCache | None, kind: str) -> None:
        self._cache, self._name = cache, f"findings-{kind}"
        self._codec = _FindingsCodec()

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
        """Keep what was found, unless its lines are too long to be worth it."""
        if self._cache is None:
            return
        entry = (state, self._codec.encode(kept))
        if sum(map(len, entry[1][1])) > _LINES_KEPT:
            return
        others = [other for other in self._load() if other[0] != state]
        self._cache.save(self._name, [entry, *_within_bounds(others)])

    def _load(self) -> list[tuple[str, Any]]:
        loaded = self._cache.load(self._name) if self._cache is not None else None
        if not isinstance(loaded, list):
            return []
        return [(entry[0], entry[1]) for entry in loaded if isinstance(entry, list) and len(entry) == 2]


def _within_bounds(others: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """The newest of the older states, as many as fit."""
    kept: list[tuple[str, Any]] = []
    findings = 0
    for state, row in others[: _STATES_KEPT - 1]:
        try:
            findings += len(_diagnostics(row[0]))
        except (TypeError, IndexError, KeyError):
            continue
        if findings > _FINDINGS_KEPT:
            break
        kept.append((state, row))
    return kept
