"""A labelled query set: questions, whether the corpus answers them, and the digest that a measurement is bound to."""

import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from typing import NoReturn

from recall_core.errors import UsageError
from recall_core.generation.digest import Plain, digest
from recall_core.model.escape import visible

_FIELDS = ("query", "answerable", "relevant_ids", "kind")
_EXAMPLE = 'an entry is `{"query": "What is the API limit?", "answerable": true}`'
LONGEST_QUERY = 8192
"""The most characters of a query."""


class Kind(Enum):
    """How far from the corpus an unanswerable query is."""

    FAR = "far"
    """Of another topic."""
    MID = "mid"
    """The topic is there, the memo that answers is not."""
    NEAR = "near"
    """Written to look answerable from one memo."""


@dataclass(frozen=True, slots=True)
class LabelledQuery:
    """A question and whether the corpus answers it. `relevant_ids` are the paths that do, sorted, each once."""

    query: str
    answerable: bool
    relevant_ids: tuple[str, ...] = ()
    kind: Kind | None = None

    @property
    def digest(self) -> str:
        """What a measurement names this entry by, since it does not hold the question."""
        return digest(self.to_json())

    def to_json(self) -> dict[str, Plain]:
        """The entry in its one canonical form: what is not said is left out."""
        entry: dict[str, Plain] = {"query": self.query, "answerable": self.answerable}
        if self.relevant_ids:
            entry["relevant_ids"] = list(self.relevant_ids)
        if self.kind is not None:
            entry["kind"] = self.kind.value
        return entry


@dataclass(frozen=True, slots=True)
class QuerySet:
    """Labelled queries in the order of their text, no text twice. Two sets with the same labels are equal."""

    entries: tuple[LabelledQuery, ...]

    @property
    def digest(self) -> str:
        """The same for every order of the array and of `relevant_ids`, on every machine."""
        return digest(self.to_json())

    def to_json(self) -> list[Plain]:
        """The entries in canonical form and order."""
        return [entry.to_json() for entry in self.entries]

    def __iter__(self) -> Iterator[LabelledQuery]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)


def parse_query_set(text: str, name: str = "the query set") -> QuerySet:
    """The set that a JSON array holds. `name` is that of its file, for messages.

    Queries are trimmed and brought to NFC; `relevant_ids` are sorted and named once. Raises UsageError, with the place
    and the reason, for anything that is not such an array: an empty one, an entry without a query, a label that is no
    boolean, a key that nothing knows, a query that is labelled twice.
    """
    name = visible(name)
    try:
        value = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_unique_keys, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise UsageError(
            f"{name}:{error.lineno}:{error.colno}: this is not JSON: {error.msg}", help=_EXAMPLE
        ) from error
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise UsageError(f"{name}: this is not a query set: {reason}", help=_EXAMPLE) from error
    return build_query_set(value, name)


def build_query_set(value: object, name: str = "the query set") -> QuerySet:
    """As `parse_query_set`, for a value that was read already."""
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        raise UsageError(f"{name}: a query set is a JSON array of entries", help=_EXAMPLE)
    if not value:
        raise UsageError(f"{name}: the query set is empty", help=_EXAMPLE)
    places: dict[str, int] = {}
    entries: list[LabelledQuery] = []
    for number, written in enumerate(value, 1):
        entry = _parse_entry(written, _Place(name, number))
        if (first := places.setdefault(entry.query, number)) != number:
            raise UsageError(
                f"{name}: entries {first} and {number} label the same query", help=f"remove entry {number}, or {first}"
            )
        entries.append(entry)
    return QuerySet(tuple(sorted(entries, key=lambda entry: entry.query)))


@dataclass(frozen=True, slots=True)
class _Place:
    """An entry, counted from 1."""

    name: str
    number: int

    def refuse(self, reason: str, help: str = _EXAMPLE) -> NoReturn:  # noqa: A002 - the word of every message here
        raise UsageError(f"{self.name}: entry {self.number}: {reason}", help=help)


def _parse_entry(written: object, place: _Place) -> LabelledQuery:
    if not isinstance(written, Mapping):
        place.refuse("an entry is a JSON object")
    for key in written:
        if key not in _FIELDS:
            place.refuse(f"there is no field `{visible(str(key), limit=60)}`", _suggest(str(key)))
    return LabelledQuery(
        _parse_query(written.get("query"), place),
        _parse_label(written, place),
        _parse_relevant(written.get("relevant_ids"), place),
        _parse_kind(written.get("kind"), written.get("answerable"), place),
    )


def _parse_query(written: object, place: _Place) -> str:
    if not isinstance(written, str) or not (query := unicodedata.normalize("NFC", written).strip()):
        place.refuse("`query` is a text that is not empty")
    if len(query) > LONGEST_QUERY:
        place.refuse(f"`query` is longer than {LONGEST_QUERY} characters", "ask one short question")
    _refuse_unstorable(query, "query", place)
    return query


def _parse_label(written: Mapping[str, object], place: _Place) -> bool:
    label = written.get("answerable")
    if not isinstance(label, bool):
        place.refuse("`answerable` is `true` or `false`, without quotes")
    return label


def _parse_relevant(written: object, place: _Place) -> tuple[str, ...]:
    if written is None:
        return ()
    if not isinstance(written, Sequence) or isinstance(written, str | bytes):
        place.refuse("`relevant_ids` is an array of memo paths")
    paths: set[str] = set()
    for each in written:
        if not isinstance(each, str) or not each.strip():
            place.refuse("`relevant_ids` is an array of memo paths")
        _refuse_unstorable(each, "relevant_ids", place)
        paths.add(each)
    return tuple(sorted(paths))


def _parse_kind(written: object, answerable: object, place: _Place) -> Kind | None:
    if written is None:
        return None
    try:
        kind = Kind(written)
    except ValueError:
        place.refuse("`kind` is `far`, `mid` or `near`", "say how far from the corpus the unanswerable query is")
    if answerable is True:
        place.refuse("`kind` is said of unanswerable queries alone", "remove `kind`, or set `answerable` to `false`")
    return kind


def _refuse_unstorable(text: str, field: str, place: _Place) -> None:
    """A database keeps neither NUL nor half of a surrogate pair."""
    if "\0" in text or any("\ud800" <= sign <= "\udfff" for sign in text):
        place.refuse(f"`{field}` holds a NUL or half of a surrogate pair", "remove that character")


def _suggest(key: str) -> str:
    near = get_close_matches(key, _FIELDS, 1)
    return f"did you mean `{near[0]}`?" if near else f"an entry has the fields {', '.join(_FIELDS)}"


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("an object has the same key twice")
    return fields


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
