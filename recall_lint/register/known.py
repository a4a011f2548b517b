"""A corpus known through its register: what changed since was read anew, all else is read back when asked for."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from recall_core.frontmatter.reference import normalise_key
from recall_core.graph.corpus import Corpus
from recall_core.model.memo import Memo
from recall_core.prose.tables import choose_kinds, prefer_kinds
from recall_lint.reading import Reading
from recall_lint.register.register import Register, count_kinds
from recall_lint.register.terms import Column, list_terms

Decode = Callable[[str, Any], Reading]
"""Gives the reading of a path from its row."""


class Known(Mapping[str, Reading]):
    """The readings of a corpus by path, of which only those that are asked for are decoded.

    `fresh` holds the readings of what the register does not know as it is now, `stale` the records that are out of
    date. It answers as `Tables` does.
    """

    def __init__(
        self, register: Register, fresh: Mapping[str, Reading], stale: Collection[int], decode: Decode
    ) -> None:
        self._register, self._fresh, self._stale, self._decode = register, fresh, frozenset(stale), decode
        self._readings: dict[str, Reading] = dict(fresh)
        self._found: dict[tuple[Column, str], tuple[str, ...]] = {}
        self._terms: dict[Column, list[tuple[str, str]]] = {column: [] for column in Column}
        for path, reading in fresh.items():
            for column, term in dict.fromkeys(list_terms(reading)):
                self._terms[column].append((term, path))

    def __getitem__(self, path: str) -> Reading:
        reading = self._readings.get(path)
        if reading is None:
            reading = self._readings[path] = self._decode(path, self._register.row(self._records[path]))
        return reading

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*self._records, *self._fresh}))

    def __len__(self) -> int:
        return len(self._records) + len(self._fresh)

    def __contains__(self, path: object) -> bool:
        return path in self._readings or path in self._records

    @cached_property
    def _records(self) -> dict[str, int]:
        """The records that hold, by path."""
        records = dict(zip(self._register.paths, range(len(self._register.paths)), strict=True))
        for record in self._stale:
            del records[self._register.paths[record]]
        return records

    def find(self, column: Column, term: str) -> tuple[str, ...]:
        """The paths of the memos with this term, in order."""
        found = self._found.get((column, term))
        if found is None:
            paths = self._paths_of(self._register.column(column).find(term))
            paths |= {path for other, path in self._terms[column] if other == term}
            found = self._found[column, term] = tuple(sorted(paths))
        return found

    def find_beginning(self, column: Column, beginning: str) -> Iterator[tuple[str, str]]:
        """The terms that begin so, each with a path."""
        for term, record in self._register.column(column).find_beginning(beginning):
            if record not in self._stale:
                yield term, self._register.paths[record]
        for term, path in self._terms[column]:
            if term.startswith(beginning):
                yield term, path

    def find_holding(self, column: Column, part: str, most: int) -> set[str] | None:
        """The paths of the memos with a term that holds `part`; None where they are more than `most`."""
        found = self._register.column(column).find_holding(part, most + len(self._stale))
        if found is None:
            return None
        paths = self._paths_of(found)
        paths |= {path for term, path in self._terms[column] if part in term}
        return paths if len(paths) <= most else None

    def _paths_of(self, records: Iterable[int]) -> set[str]:
        return {self._register.paths[record] for record in records if record not in self._stale}

    @cached_property
    def maybe_dangling(self) -> tuple[str, ...]:
        """The paths of all memos that may have a reference which names none, in order."""
        paths = self._paths_of(self._register.dangling) | set(self._fresh)
        for record in self._stale:
            paths |= set(self.find(Column.NAMED, normalise_key(self._register.paths[record])))
        return tuple(sorted(paths))

    # The tables by which a text can mean a memo.

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The words that stand before a number in this corpus, lower case."""
        counts = {kind: (count, sure) for kind, (count, sure) in self._register.kinds.items()}
        paths = self._register.paths
        gone = count_kinds([self._decode(paths[record], self._register.row(record)) for record in self._stale])
        for sign, more in ((-1, gone), (1, count_kinds(list(self._fresh.values())))):
            for kind, (count, sure) in more.items():
                before, sure_before = counts.get(kind, (0, 0))
                counts[kind] = before + sign * count, sure_before + sign * sure
        held = {kind: count for kind, (count, _) in counts.items() if count}
        return choose_kinds(held, (kind for kind, (_, sure) in counts.items() if sure))

    def with_key(self, key: str) -> Sequence[str]:
        """The paths of the memos with this key."""
        return self.find(Column.KEY, key)

    def with_title(self, title: str) -> Sequence[str]:
        """The paths of the memos with this title or label, folded."""
        return self.find(Column.TITLE, title)

    def with_number(self, number: int) -> Mapping[str, set[str]]:
        """The paths that carry the number, each with its kinds; "" where the file has a number alone."""
        carried: dict[str, set[str]] = {}
        for term, path in self.find_beginning(Column.NUMBER, f"{number} "):
            kind = term.partition(" ")[2]
            if not kind or kind in self.kinds:
                carried.setdefault(path, set()).add(kind)
        for kinds in carried.values():
            prefer_kinds(kinds)
        return {path: carried[path] for path in sorted(carried)}

    def numbers_of(self, kind: str) -> frozenset[int]:
        """The numbers that memos carry with this kind."""
        numbers = {int(term.partition(" ")[0]) for term, _ in self.find_beginning(Column.NUMBER, "")}
        return frozenset(n for n in numbers if any(kind in kinds for kinds in self.with_number(n).values()))

    def memo(self, path: str) -> Memo:
        """The memo at a path that one of the others gave."""
        return self[path].memo


class KnownCorpus(Corpus):
    """Some memos of a corpus, among which rules look, and all of it where a path or a key is looked up."""

    __slots__ = ("_known",)

    def __init__(self, memos: Iterable[Memo], known: Known) -> None:
        super().__init__(memos)
        self._known = known

    def memo(self, path: str) -> Memo | None:
        """The memo at a path, be it among those looked at or not."""
        return self._known.memo(path) if path in self._known else None

    def memos_with_key(self, key: str) -> tuple[Memo, ...]:
        """All memos of the whole corpus whose file name normalises to `key`, by path."""
        return tuple(self._known.memo(path) for path in self._known.with_key(key))

    def memos_with_key_in_any_case(self, key: str) -> tuple[Memo, ...]:
        """All memos of the whole corpus whose key is `key` but for letter case."""
        folded = key.casefold()
        paths = [path for term, path in self._known.find_beginning(Column.KEY, "") if term.casefold() == folded]
        return tuple(self._known.memo(path) for path in sorted(paths))
