"""Migrations: what there is, what was applied, what is pending, and whether the tables are still what they made."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

import psycopg
from psycopg import sql

from recall_core.adapters.postgres.problems import translated
from recall_core.errors import SchemaError, StoreError

OLDEST_SERVER: Final = 15
OLDEST_VECTOR: Final = (0, 8)

_LOCK: Final = 0x7265_6361_6C6C
_APPLY: Final = "`recall schema apply` with --migration-dsn brings it up to date"
_REPLACED_TABLES: Final = (
    "build_lease",
    "memo",
    "terminal",
    "chunk",
    "embedding",
    "posting",
    "document_length",
)
_FUNCTIONS: Final = ("make_partitions", "drop_partitions", "index_partitions")


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered file. `checksum` is `sha256:` and the digest of its bytes; it never changes once it was released."""

    version: int
    name: str
    text: str
    checksum: str


@dataclass(frozen=True, slots=True)
class Applied:
    """A migration that a database says it has, and when it was applied, as RFC 3339 in UTC."""

    version: int
    name: str
    checksum: str
    at: str


@dataclass(frozen=True, slots=True)
class SchemaStatus:
    """What a database has. `problem` says why nothing may be started on it, `help` what to type.

    Both are empty where everything is as it should be. `is_pending` means that migrations alone are missing.
    """

    server: str
    vector: str | None
    applied: tuple[Applied, ...]
    pending: tuple[Migration, ...]
    problem: str
    help: str
    is_pending: bool


def list_migrations() -> tuple[Migration, ...]:
    """The migrations of this version, by number."""
    folder = files("recall_core.adapters.postgres.migrations")
    found = []
    for entry in folder.iterdir():
        number, _, rest = entry.name.partition("_")
        if entry.name.endswith(".sql") and number.isdigit():
            content = entry.read_bytes()
            checksum = f"sha256:{hashlib.sha256(content).hexdigest()}"
            found.append(Migration(int(number), rest.removesuffix(".sql"), content.decode(), checksum))
    return tuple(sorted(found, key=lambda each: each.version))


def look(connection: psycopg.Connection) -> SchemaStatus:
    """What the database of a connection has; nothing is changed. Raises psycopg.Error as the driver does."""
    major = connection.info.server_version // 10_000
    row = connection.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
    vector = row[0] if row else None
    known = list_migrations()
    row = connection.execute(
        "SELECT to_regclass('recall.migration') IS NOT NULL, to_regnamespace('recall') IS NOT NULL"
    ).fetchone()
    has_table, has_schema = row or (False, False)
    applied: tuple[Applied, ...] = ()
    if has_table:
        rows = connection.execute(
            "SELECT version, name, checksum, to_char(applied_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"
            " FROM recall.migration ORDER BY version"
        ).fetchall()
        applied = tuple(Applied(*each) for each in rows)
    pending = known[len(applied) :]
    problem, help_text = _judge(major, vector, known, applied)
    if not problem and has_schema and not applied:
        problem, help_text = "there is a schema `recall` that no migration made", "rename or drop it"
    is_pending = not problem and bool(pending)
    if is_pending:
        problem = "the tables are not there" if not applied else f"{len(pending)} migrations are pending"
        help_text = _APPLY
    if not problem:
        problem, help_text = _find_drift(connection, major)
    return SchemaStatus(str(major), vector, applied, pending, problem, help_text, is_pending)


def _judge(major: int, vector: str | None, known: Sequence[Migration], applied: Sequence[Applied]) -> tuple[str, str]:
    if major < OLDEST_SERVER:
        return f"the server is PostgreSQL {major}", f"PostgreSQL {OLDEST_SERVER} or newer is needed"
    if vector is not None and tuple(int(part) for part in vector.split(".")[:2]) < OLDEST_VECTOR:
        oldest = ".".join(map(str, OLDEST_VECTOR))
        return f"pgvector is {vector}", f"{oldest} or newer is needed: ALTER EXTENSION vector UPDATE"
    by_version = {each.version: each for each in known}
    for each in applied:
        mine = by_version.get(each.version)
        if mine is None:
            return (
                f"the database has migration {each.version} ({each.name}), which this version does not know",
                "install the version of recall that applied it, or a newer one",
            )
        if mine.checksum != each.checksum:
            return (
                f"migration {each.version} ({each.name}) was applied from another text than the one of this version",
                "a released migration never changes: install the version of recall that applied it",
            )
    if [each.version for each in applied] != [each.version for each in known[: len(applied)]]:
        return "a migration in the middle was never applied", "restore the database, or index into a new one"
    return "", ""


def _find_drift(connection: psycopg.Connection, major: int) -> tuple[str, str]:
    row = connection.execute("SELECT digest, server_major FROM recall.catalogue").fetchone()
    if row is None or row[1] != major:
        return (
            "the server was upgraded since the tables were recorded" if row else "the tables were never recorded",
            "`recall schema apply` with --migration-dsn records them again",
        )
    if row[0] != _digest_catalogue(connection):
        return (
            "a table, an index, a policy or a function was changed by hand",
            "`recall schema plan` shows what the migrations make; put it back, or index into a new database",
        )
    return "", ""


def _digest_catalogue(connection: psycopg.Connection) -> str:
    text = files("recall_core.adapters.postgres").joinpath("catalogue.sql").read_text(encoding="utf-8")
    row = connection.execute(text.encode()).fetchone()
    if row is None:
        raise StoreError("the server gave no digest of its catalogue")
    return str(row[0])


def demand_schema(status: SchemaStatus) -> None:
    """Raise SchemaError unless the tables are those that this version works with."""
    if status.problem:
        raise SchemaError(status.problem, help=status.help)


def apply(dsn: str, *, role: str | None = None, said: Callable[[str], None] = lambda _sentence: None) -> SchemaStatus:
    """Apply what is pending, under one lock and each migration in its own transaction; grant `role` what it needs.

    Gives what there is afterwards. `said` takes a sentence for each migration. Raises SchemaError where the database
    is not one that migrations may be applied to, StoreError as the store does.
    """
    with translated((dsn,)), psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
        status = look(connection)
        if status.vector is None:
            _make_extension(connection)
        if status.problem and not status.is_pending and "record" not in status.help:
            raise SchemaError(status.problem, help=status.help)
        for migration in status.pending:
            said(f"applying migration {migration.version} ({migration.name.replace('_', ' ')})")
            with connection.transaction():
                connection.execute(migration.text.encode())
                connection.execute(
                    "INSERT INTO recall.migration (version, name, checksum) VALUES (%s, %s, %s)",
                    [migration.version, migration.name, migration.checksum],
                )
                _record(connection)
        if not status.pending and status.problem:
            _record(connection)
        if role is not None:
            with connection.transaction():
                for statement in grants(role, connection.info.dbname):
                    connection.execute(statement.encode())
        return look(connection)


def _record(connection: psycopg.Connection) -> None:
    connection.execute(
        "INSERT INTO recall.catalogue (digest, server_major) VALUES (%s, %s)"
        " ON CONFLICT (only_row) DO UPDATE SET digest = excluded.digest, server_major = excluded.server_major",
        [_digest_catalogue(connection), connection.info.server_version // 10_000],
    )


def _make_extension(connection: psycopg.Connection) -> None:
    try:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
    except psycopg.Error as error:
        raise SchemaError(
            f"the extension pgvector is not there and cannot be made: {' '.join(str(error).split())}",
            help="let an administrator install pgvector and run CREATE EXTENSION vector in this database",
        ) from None


def grants(role: str, database: str) -> tuple[str, ...]:
    """The statements that give a serving role what it needs: rows, and the functions that keep partitions; no DDL."""
    name = sql.Identifier(role).as_string(None)
    tables = ", ".join(f"recall.{each}" for each in _REPLACED_TABLES)
    statements = [
        f"GRANT TEMPORARY ON DATABASE {sql.Identifier(database).as_string(None)} TO {name};",
        f"GRANT USAGE ON SCHEMA recall TO {name};",
        f"GRANT SELECT ON recall.migration, recall.catalogue TO {name};",
        f"GRANT SELECT, INSERT, UPDATE ON recall.tenant, recall.generation TO {name};",
        f"GRANT SELECT, INSERT ON recall.tombstone, recall.audit_event TO {name};",
        f"GRANT SELECT, INSERT ON recall.query_set, recall.calibration TO {name};",
        f"GRANT UPDATE (state, published_at, ended_at) ON recall.calibration TO {name};",
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON {tables} TO {name};",
    ]
    arguments = {"index_partitions": "text, bool"}
    statements += [
        f"GRANT EXECUTE ON FUNCTION recall.{each}({arguments.get(each, 'text')}) TO {name};" for each in _FUNCTIONS
    ]
    return tuple(statements)


def read_status(dsn: str) -> SchemaStatus:
    """What the database of a DSN has; nothing is changed. Raises StoreError where it cannot be reached."""
    with translated((dsn,)), psycopg.connect(dsn, autocommit=True) as connection:
        return look(connection)


def read_database(dsn: str) -> str:
    """The name of the database that a DSN leads to. Raises StoreError where it cannot be reached."""
    with translated((dsn,)), psycopg.connect(dsn) as connection:
        return connection.info.dbname
