"""Connections to one server: pooled, checked once, each transaction bound to one tenant."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

import psycopg
from psycopg import IsolationLevel
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import ConnectionPool

from recall_core.adapters.postgres import migrate
from recall_core.adapters.postgres.dsn import check_dsn
from recall_core.adapters.postgres.problems import translated

CONNECT_SECONDS: Final = 10
"""How long a server may take to accept a connection."""

STATEMENT_SECONDS: Final = 60
"""How long a statement of a search may take before the server cancels it."""

LOCK_SECONDS: Final = 10

_MOST_CONNECTIONS: Final = 8
_BIND: Final = (
    "SELECT set_config('recall.tenant', %s, true), set_config('statement_timeout', %s, true),"
    " set_config('lock_timeout', %s, true), set_config('TimeZone', 'UTC', true),"
    " set_config('DateStyle', 'ISO', true)"
)


class Session:
    """The connections of one store. `said` takes a sentence about what an operator should know.

    Start-up only checks. Where `applies` is set, which is so for the embedded server alone, pending migrations are
    applied with the migration DSN first.
    """

    def __init__(
        self, serving_dsn: str, migration_dsn: str | None, *, applies: bool, said: Callable[[str], None]
    ) -> None:
        self.dsns: tuple[str, ...] = (check_dsn(serving_dsn, name="the serving DSN"),)
        if migration_dsn is not None:
            self.dsns += (check_dsn(migration_dsn, name="the migration DSN"),)
        self._migration_dsn = migration_dsn
        self._applies = applies
        self._said = said
        self._checked = False
        self._lock = Lock()
        defaults = make_conninfo(application_name="recall", connect_timeout=CONNECT_SECONDS)
        self._conninfo = make_conninfo(defaults, **conninfo_to_dict(serving_dsn))
        self._pool: ConnectionPool[psycopg.Connection] | None = None

    def close(self) -> None:
        """Close all connections."""
        if self._pool is not None:
            self._pool.close()

    @contextmanager
    def transaction(self, tenant: str) -> Iterator[psycopg.Connection]:
        """A transaction that sees and writes rows of one tenant alone. Raises StoreError and SchemaError."""
        with translated(self.dsns), self._lend(tenant, None) as connection:
            yield connection

    @contextmanager
    def snapshot(self, tenant: str) -> Iterator[psycopg.Connection]:
        """The same, reading alone: all that is read is of one instant."""
        with translated(self.dsns), self._lend(tenant, IsolationLevel.REPEATABLE_READ) as connection:
            yield connection

    @contextmanager
    def dedicated(self) -> Iterator[psycopg.Connection]:
        """A connection of its own, for what lasts longer than a transaction. `bind` each of its transactions."""
        with translated(self.dsns):
            self._check()
            with psycopg.connect(self._conninfo, prepare_threshold=None) as connection:
                yield connection

    @contextmanager
    def _lend(self, tenant: str, isolation: IsolationLevel | None) -> Iterator[psycopg.Connection]:
        self._check()
        connection = self._begin(tenant, isolation)
        pool = self._open()
        try:
            yield connection
        except BaseException:
            if not connection.closed:
                connection.rollback()
            raise
        else:
            connection.commit()
        finally:
            if not connection.closed and connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE:
                connection.isolation_level = None
                connection.read_only = None
            pool.putconn(connection)

    def _begin(self, tenant: str, isolation: IsolationLevel | None) -> psycopg.Connection:
        """A connection whose transaction has begun. One that died while it lay idle is replaced, once, and said."""
        pool = self._open()
        connection = pool.getconn()
        try:
            _start(connection, tenant, isolation)
        except psycopg.OperationalError:
            is_dead = connection.closed
            pool.putconn(connection)
            if not is_dead:
                raise
        except BaseException:
            pool.putconn(connection)
            raise
        else:
            return connection
        self._said("the connection to the server was lost, and was made again")
        pool.check()
        connection = pool.getconn()
        try:
            _start(connection, tenant, isolation)
        except BaseException:
            pool.putconn(connection)
            raise
        return connection

    def _open(self) -> "ConnectionPool[psycopg.Connection]":
        with self._lock:
            if self._pool is None:
                self._pool = ConnectionPool(
                    self._conninfo,
                    kwargs={"prepare_threshold": None},
                    min_size=0,
                    max_size=_MOST_CONNECTIONS,
                    timeout=CONNECT_SECONDS,
                    reconnect_timeout=CONNECT_SECONDS,
                    open=True,
                )
            return self._pool

    def _check(self) -> None:
        """Check the tables once. A first connection of its own tells why a server cannot be reached; a pool waits."""
        if self._checked:
            return
        with psycopg.connect(self._conninfo, autocommit=True) as connection:
            status = migrate.look(connection)
            if status.problem and status.is_pending and self._applies and self._migration_dsn is not None:
                role = connection.info.user
                migrate.apply(self._migration_dsn, role=role, said=self._said)
                status = migrate.look(connection)
        migrate.demand_schema(status)
        self._checked = True


def bind(connection: psycopg.Connection, tenant: str, *, statement_seconds: int = STATEMENT_SECONDS) -> None:
    """Bind the transaction of a connection to a tenant, and to how long it may take (0 for as long as it likes)."""
    connection.execute(_BIND, [tenant, f"{statement_seconds}s", f"{LOCK_SECONDS}s"])


def _start(connection: psycopg.Connection, tenant: str, isolation: IsolationLevel | None) -> None:
    connection.isolation_level = isolation
    connection.read_only = True if isolation is not None else None
    bind(connection, tenant)
