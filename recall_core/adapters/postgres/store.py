"""Generations in PostgreSQL with pgvector; see `recall_core.ports.store` for what each method promises."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Self

import psycopg

from recall_core.adapters.postgres import lifecycle
from recall_core.adapters.postgres.build import PostgresBuild, demand_root, drop_failed
from recall_core.adapters.postgres.calibrations import PostgresCalibrations
from recall_core.adapters.postgres.forget import forget
from recall_core.adapters.postgres.lease import release_lease, take_lease
from recall_core.adapters.postgres.lexical import Lengths, ask_lengths, read_lengths
from recall_core.adapters.postgres.reading import ask_generation, find_generation, list_generations, list_memos
from recall_core.adapters.postgres.rows import GENERATION, Record, read_generation
from recall_core.adapters.postgres.session import Session, bind
from recall_core.adapters.postgres.snapshot import PostgresSnapshot
from recall_core.adapters.postgres.standing import Standing, Verified, ask_standing
from recall_core.errors import StoreError, UsageError
from recall_core.generation.stored import StoredMemo
from recall_core.ports.store import BuildPlan, Forgotten, Generation

_ACTIVE = (
    f"SELECT {GENERATION} FROM recall.generation g JOIN recall.tenant t"
    " ON t.tenant_id = g.tenant_id AND t.active_generation = g.id WHERE g.tenant_id = %s"
)


class PostgresStore:
    """A `GenerationStore`. Safe to share between threads; `close` it, or use it as a context."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._lengths = Lengths()
        self._verified = Verified()
        self._calibrations = PostgresCalibrations(session)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._session.close()

    @property
    def calibrations(self) -> PostgresCalibrations:
        """The calibrations that are kept beside the generations."""
        return self._calibrations

    def generations(self, tenant: str) -> list[Generation]:
        """All of a tenant, the newest first."""
        with self._session.transaction(tenant) as connection:
            return [record.generation for record in list_generations(connection, tenant)]

    def generation(self, tenant: str, generation: str) -> Generation | None:
        """One by its id."""
        with self._session.transaction(tenant) as connection:
            record = find_generation(connection, tenant, generation)
        return None if record is None else record.generation

    def active(self, tenant: str) -> Generation | None:
        """The one that is served."""
        with self._session.transaction(tenant) as connection:
            row = connection.execute(_ACTIVE, [tenant]).fetchone()
        return None if row is None else read_generation(row).generation

    def corpus(self, tenant: str, generation: str) -> list[StoredMemo]:
        """Every memo of a complete generation, by path."""
        with self._session.snapshot(tenant) as connection:
            record = lifecycle.demand_generation(connection, tenant, generation)
            if not record.is_complete:
                raise UsageError(f"the generation {generation} holds no corpus")
            return list_memos(connection, tenant, generation)

    @contextmanager
    def build(self, tenant: str, plan: BuildPlan) -> Iterator[PostgresBuild]:
        """Begin a generation as the tenant's single writer."""
        generation = f"gen_{secrets.token_hex(6)}"
        with self._session.dedicated() as connection:
            record, donors = _begin(connection, tenant, generation, plan)
            build = PostgresBuild(self._session, connection, tenant, record, donors=donors, plan=plan)
            try:
                yield build
            finally:
                # What is ready by now is not touched.
                build.fail()
                if not connection.closed:
                    release_lease(connection, tenant)

    @contextmanager
    def snapshot(self, tenant: str, generation: str | None = None) -> Iterator[PostgresSnapshot | None]:
        """Pin the active generation, or a complete one by its id; None where there is none."""
        with self._session.snapshot(tenant) as connection:
            with connection.pipeline():
                found = (
                    connection.execute(_ACTIVE, [tenant])
                    if generation is None
                    else ask_generation(connection, tenant, generation)
                )
                standing = ask_standing(connection, tenant, generation)
            row = found.fetchone()
            record = None if row is None else read_generation(row)
            if record is None or not record.is_complete:
                yield None
                return
            self._pin(connection, record)
            yield PostgresSnapshot(
                connection, record, self._lengths, Standing(connection, record, standing.fetchall(), self._verified)
            )

    def promote(
        self, tenant: str, generation: str, *, expected: str | None, actor: str, demands_certified: bool = False
    ) -> Generation:
        """Make a ready generation the active one, if `expected` is still active."""
        with self._session.transaction(tenant) as connection:
            return lifecycle.promote(
                connection, tenant, generation, expected=expected, actor=actor, demands_certified=demands_certified
            )

    def rollback(self, tenant: str, *, actor: str) -> Generation:
        """Make the generation that was active before active again."""
        with self._session.transaction(tenant) as connection:
            return lifecycle.rollback(connection, tenant, actor=actor)

    def retire(self, tenant: str, generation: str, *, actor: str) -> None:
        """Drop the rows of a generation that is not active, and keep its record."""
        with self._session.transaction(tenant) as connection:
            lifecycle.retire(connection, tenant, generation, actor=actor)

    def forget(self, tenant: str, paths: Sequence[str], *, actor: str, dry_run: bool) -> Forgotten:
        """Take memos out of every generation and bar their paths and contents, in one transaction."""
        with self._session.transaction(tenant) as connection:
            return forget(connection, tenant, paths, actor=actor, dry_run=dry_run)

    def _pin(self, connection: psycopg.Connection, record: Record) -> None:
        """Keep the rows of a generation from being dropped while they are read: reading a table locks it."""
        if self._lengths.get(record) is None:
            self._lengths.put(record, read_lengths(record, ask_lengths(connection, record).fetchall()))
            return
        row = connection.execute(
            "SELECT EXISTS (SELECT FROM recall.document_length d WHERE d.tenant_id = %s AND d.generation_id = %s)",
            [record.generation.tenant, record.generation.id],
        ).fetchone()
        if record.generation.chunks and (row is None or not row[0]):
            raise StoreError(f"the rows of the generation {record.generation.id} are gone", help="search again")


def _begin(connection: psycopg.Connection, tenant: str, generation: str, plan: BuildPlan) -> tuple[Record, list[str]]:
    """Become the writer and make an empty generation; gives it, and the generations whose vectors fit it."""
    bind(connection, tenant, statement_seconds=0)
    row = connection.execute("SELECT t.root FROM recall.tenant t WHERE t.tenant_id = %s", [tenant]).fetchone()
    if row is None:
        connection.execute("INSERT INTO recall.tenant (tenant_id) VALUES (%s) ON CONFLICT DO NOTHING", [tenant])
    demand_root(tenant, row[0] if row else None, plan.root)
    unfinished = take_lease(connection, tenant, generation, plan.actor)
    if unfinished is not None:
        drop_failed(connection, tenant, unfinished)
    pipeline = plan.pipeline
    connection.execute(
        "INSERT INTO recall.generation (tenant_id, id, state, embedder, dimension, chunker, text_search,"
        " schema_version, pipeline_fingerprint, root, revision, actor)"
        " VALUES (%s, %s, 'building', %s, %s, %s, %s, %s, %s, %s, %s, %s)",
        [
            tenant,
            generation,
            pipeline.embedder,
            pipeline.dimension,
            pipeline.chunker,
            pipeline.text_search,
            pipeline.schema,
            pipeline.fingerprint,
            plan.root,
            plan.revision,
            plan.actor,
        ],
    )
    connection.execute("SELECT recall.make_partitions(%s)", [generation])
    records = list_generations(connection, tenant)
    connection.commit()
    record = next(each for each in records if each.generation.id == generation)
    donors = [each.generation.id for each in records if each.is_complete and each.generation.pipeline == pipeline]
    return record, donors


def open_store(
    serving_dsn: str,
    migration_dsn: str | None = None,
    *,
    applies: bool = False,
    said: Callable[[str], None] = lambda _sentence: None,
) -> PostgresStore:
    """The store on a server. Nothing is dialled before it is used.

    `applies` is for the embedded server alone: pending migrations are applied with the migration DSN. `said` takes
    sentences for an operator. Raises ConfigurationError for a DSN that cannot be read or must not be dialled.
    """
    return PostgresStore(Session(serving_dsn, migration_dsn, applies=applies, said=said))
