"""All memos of a root, found by path and by key, and what each reference names (DESIGN §3 `supersedes`)."""

import unicodedata
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple

from recall_core.frontmatter.reference import is_outside, is_placeholder
from recall_core.model.memo import Memo, Reference


class Naming(Enum):
    """How a reference relates to the corpus."""

    ONE = "one"
    """Exactly one memo, another than the declarer: an edge."""
    SELF = "self"
    """The declarer, which alone has the key."""
    SEVERAL = "several"
    PART = "part"
    """A section of one or more memos: no edge of the whole memo."""
    MISSING = "missing"
    OUTSIDE = "outside"
    """A web address, or a path that leaves the root."""
    NOTHING = "nothing"
    """A value without a name in it."""
    PLACEHOLDER = "placeholder"


class Resolution(NamedTuple):
    """What one reference names: the way, and the memos (none, one or several)."""

    naming: Naming
    memos: tuple[Memo, ...] = ()


class Corpus:
    """Memos in order of their paths. Immutable once built."""

    __slots__ = ("_by_folded_key", "_by_key", "_by_path", "memos")

    def __init__(self, memos: Iterable[Memo]) -> None:
        self.memos = tuple(memos)
        by_key: dict[str, list[Memo]] = {}
        for memo in self.memos:
            by_key.setdefault(memo.key, []).append(memo)
        self._by_key = by_key
        self._by_path: dict[str, Memo] | None = None
        self._by_folded_key: dict[str, list[Memo]] | None = None

    def memo(self, path: str) -> Memo | None:
        """The memo at a path relative to the root."""
        if self._by_path is None:
            self._by_path = {memo.path: memo for memo in self.memos}
        return self._by_path.get(path)

    def memos_with_key(self, key: str) -> tuple[Memo, ...]:
        """All memos whose file name normalises to `key`, by path."""
        return tuple(self._by_key.get(key, ()))

    def memos_with_key_in_any_case(self, key: str) -> tuple[Memo, ...]:
        """All memos whose key is `key` but for letter case."""
        if self._by_folded_key is None:
            folded: dict[str, list[Memo]] = {}
            for memo in self.memos:
                folded.setdefault(memo.key.casefold(), []).append(memo)
            self._by_folded_key = folded
        return tuple(self._by_folded_key.get(key.casefold(), ()))

    def keys(self) -> Iterable[str]:
        """Every key, each once, in order of the first memo that has it."""
        return self._by_key

    def references(self) -> Iterator[tuple[Memo, Reference]]:
        """Every declared reference, in order of paths and of writing. An unreadable memo declares none."""
        for memo in self.memos:
            for reference in memo.supersedes:
                yield memo, reference

    def resolve(self, memo: Memo, reference: Reference) -> Resolution:
        """What `reference`, declared in `memo`, names. Exact after normalisation; never by guessing."""
        if is_placeholder(reference.value):
            return Resolution(Naming.PLACEHOLDER)
        if is_outside(reference.value, memo.path):
            return Resolution(Naming.OUTSIDE)
        # A file called `[].md` has an empty key; it can be read, but never named.
        matches = self.memos_with_key(reference.key) if reference.key else ()
        part = False
        if reference.name != reference.key or reference.part:
            matches = _written_out(matches, reference)
            if not matches and reference.name:
                matches, part = self.memos_with_key(reference.name), bool(reference.part)
        if not matches:
            return Resolution(Naming.MISSING if reference.name else Naming.NOTHING)
        if part:
            return Resolution(Naming.PART, matches)
        if len(matches) > 1:
            return Resolution(Naming.SEVERAL, matches)
        return Resolution(Naming.SELF if matches[0] is memo else Naming.ONE, (matches[0],))


def _written_out(matches: tuple[Memo, ...], reference: Reference) -> tuple[Memo, ...]:
    """The matches of a value taken as a whole, though it holds a `|` or `#`.

    A slash behind the sign makes the whole value's key the tail of an alias or anchor (`[[a|docs/b]]` would name b):
    then only a memo whose path really ends so counts. A wrong edge is worse than a missing one.
    """
    value = reference.value
    cut = min(position for position in (value.find("|"), value.find("#")) if position >= 0)
    if value.rfind("/") < cut:
        return matches
    wanted = _comparable(value.strip("[] \t"))
    while wanted.startswith(("./", "../", "/")):
        wanted = wanted.partition("/")[2]
    return tuple(memo for memo in matches if f"/{_comparable(memo.path)}".endswith(f"/{wanted}"))


def _comparable(path: str) -> str:
    """A path as keys are compared: NFC, without the suffix."""
    return unicodedata.normalize("NFC", path[:-3] if path[-3:].lower() == ".md" else path)
