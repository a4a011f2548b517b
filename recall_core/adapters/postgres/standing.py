"""What a search reads of calibrations: which one is published, and which others there are."""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from datetime import datetime
from threading import Lock
from typing import Any, Final

import psycopg

from recall_core.adapters.postgres.calibration_rows import WITH_LABELS, find_calibration
from recall_core.adapters.postgres.rows import Record as GenerationRecord
from recall_core.calibration.artifact import State
from recall_core.calibration.status import Record
from recall_core.calibration.stored import state_at

_MOST_KEPT: Final = 16
_OF: Final = (
    "c.tenant_id = %(tenant)s AND (c.generation_id IS NULL OR c.generation_id = coalesce(%(generation)s::text,"
    " (SELECT t.active_generation FROM recall.tenant t WHERE t.tenant_id = %(tenant)s)))"
)
_CONTENT: Final = "encode(sha256(convert_to(c.content, 'UTF8')), 'hex')"
_LABELS: Final = "encode(sha256(convert_to(q.queries, 'UTF8')), 'hex')"
_NOW: Final = (
    f"SELECT c.state, c.id, {_CONTENT}, {_LABELS} FROM {WITH_LABELS} WHERE {_OF} AND c.state = 'published'"
    " UNION ALL SELECT DISTINCT c.state, NULL, NULL, NULL FROM recall.calibration c"
    f" WHERE {_OF} AND c.state <> 'published'"
)
_IS_PUBLISHED_THEN: Final = "c.published_at <= %(instant)s AND (c.ended_at IS NULL OR c.ended_at > %(instant)s)"
_THEN: Final = (
    f"SELECT c.state, c.id, CASE WHEN {_IS_PUBLISHED_THEN} THEN {_CONTENT} END,"
    f" CASE WHEN {_IS_PUBLISHED_THEN} THEN {_LABELS} END, c.published_at, c.ended_at"
    f" FROM {WITH_LABELS} WHERE {_OF} AND c.stored_at <= %(instant)s"
)

_Key = tuple[str, str, str | None, str | None]


class Verified:
    """Published calibrations whose text was verified, kept for the next search. Safe to share between threads.

    The server digests the text on every read: what was changed under the same id is another text, and is read anew.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[_Key, Record] = OrderedDict()
        self._lock = Lock()

    def find(self, connection: psycopg.Connection, key: _Key) -> Record:
        """The record of a published calibration: by tenant, id and the digests of its content and of its labels."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        stored = find_calibration(connection, key[0], key[1])
        artifact, labels = (None, None) if stored is None else (stored.artifact, stored.labels)
        # Reading an artifact takes its checksum, and the key has the digest of the text that was read.
        record = Record(State.PUBLISHED, artifact, labels, is_verified=artifact is not None)
        with self._lock:
            self._kept[key] = record
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return record


class Standing:
    """The calibrations of one generation, as a transaction sees them. `rows` are those of `ask_standing`."""

    def __init__(
        self,
        connection: psycopg.Connection,
        generation: GenerationRecord,
        rows: Iterable[Sequence[Any]],
        verified: Verified,
    ) -> None:
        self._connection = connection
        self._generation = generation.generation
        self._rows = list(rows)
        self._verified = verified

    def records(self, known_at: datetime | None = None) -> list[Record]:
        """What `recall_core.calibration.status.resolve` decides by, now or as it stood at an instant."""
        if known_at is None:
            return [self._read(State(row[0]), row) for row in self._rows]
        asked = {"tenant": self._generation.tenant, "generation": self._generation.id, "instant": known_at}
        return [
            self._read(state_at(State(row[0]), row[4], row[5], known_at), row)
            for row in self._connection.execute(_THEN, asked).fetchall()
        ]

    def _read(self, state: State, row: Sequence[Any]) -> Record:
        if state is not State.PUBLISHED:
            return Record(state, None, None)
        return self._verified.find(self._connection, (self._generation.tenant, row[1], row[2], row[3]))


def ask_standing(connection: psycopg.Connection, tenant: str, generation: str | None) -> "psycopg.Cursor[Any]":
    """The rows for `Standing`, of a generation or of the active one; fit for a pipeline."""
    return connection.execute(_NOW, {"tenant": tenant, "generation": generation})
