"""Migrations, and what start-up refuses. Each test has a database of its own on the plain server."""

from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files

import psycopg
import pytest

from recall_core.adapters.postgres import migrate
from recall_core.adapters.postgres.store import open_store
from recall_core.errors import SchemaError, StoreError


def change(database, statement: str) -> None:
    with psycopg.connect(database.superuser_dsn, autocommit=True) as connection:
        connection.execute(statement.encode())


def refusal(database) -> SchemaError:
    with open_store(database.serving_dsn) as store, pytest.raises(SchemaError) as caught:
        store.active("one")
    return caught.value


@pytest.fixture
def ready(database):
    migrate.apply(database.owner_dsn, role="serving")
    return database


def test_start_up_changes_nothing_and_says_what_to_type(database) -> None:
    # I14: without the migrations nothing is served, and nothing is made.
    error = refusal(database)
    assert "the tables are not there" in error.message
    assert "recall schema apply" in error.help
    with psycopg.connect(database.owner_dsn) as connection:
        assert connection.execute("SELECT to_regnamespace('recall')").fetchone() == (None,)


def test_apply_twice_is_apply_once(ready) -> None:
    before = migrate.read_status(ready.owner_dsn)
    assert not before.pending
    assert not before.problem
    assert migrate.apply(ready.owner_dsn, role="serving") == before


def test_many_apply_at_once(database) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: migrate.apply(database.owner_dsn, role="serving"), range(8)))
    assert all(not each.problem for each in found)
    assert len({each.applied for each in found}) == 1


def test_the_migrations_make_what_schema_sql_makes(plain_server, ready) -> None:
    other = plain_server.make_database("from_schema_sql")
    text = files("recall_core.adapters.postgres").joinpath("schema.sql").read_text(encoding="utf-8")
    with psycopg.connect(other.owner_dsn) as one, psycopg.connect(ready.owner_dsn) as two:
        one.execute(text.encode())
        assert migrate._digest_catalogue(one) == migrate._digest_catalogue(two)


def test_a_migration_of_another_text_is_refused(ready) -> None:
    change(ready, "UPDATE recall.migration SET checksum = 'sha256:00' WHERE version = 1")
    assert "another text" in refusal(ready).message
    with pytest.raises(SchemaError, match="another text"):
        migrate.apply(ready.owner_dsn)


def test_a_version_from_the_future_is_refused(ready) -> None:
    change(ready, "INSERT INTO recall.migration (version, name, checksum) VALUES (9000, 'tomorrow', 'sha256:00')")
    error = refusal(ready)
    assert "9000 (tomorrow)" in error.message
    assert "newer" in error.help


@pytest.mark.parametrize(
    "drift",
    [
        "ALTER TABLE recall.chunk NO FORCE ROW LEVEL SECURITY",
        "ALTER TABLE recall.memo DISABLE ROW LEVEL SECURITY",
        "DROP POLICY own_tenant ON recall.posting",
        "ALTER POLICY own_tenant ON recall.generation USING (true)",
        "CREATE POLICY open ON recall.tombstone USING (true)",
        "DROP INDEX recall.generation_one_active",
        "DROP INDEX recall.calibration_one_published",
        "DROP TRIGGER keep ON recall.calibration",
        "ALTER TABLE recall.query_set DISABLE TRIGGER keep",
        "ALTER TABLE recall.tenant ADD COLUMN note text",
        "ALTER TABLE recall.generation DROP CONSTRAINT generation_state_check",
        "CREATE OR REPLACE FUNCTION recall.demand_own(generation text) RETURNS void LANGUAGE sql AS ''",
    ],
)
def test_what_was_changed_by_hand_is_refused(ready, drift: str) -> None:
    # I14: policy, index and other drift.
    change(ready, drift)
    assert "changed by hand" in refusal(ready).message
    assert "changed by hand" in migrate.read_status(ready.owner_dsn).problem


def test_a_schema_of_somebody_else_is_left_alone(database) -> None:
    change(database, "CREATE SCHEMA recall AUTHORIZATION owner; CREATE TABLE recall.theirs (a int)")
    with pytest.raises(SchemaError, match="no migration made"):
        migrate.apply(database.owner_dsn)
    with psycopg.connect(database.superuser_dsn) as connection:
        assert connection.execute("SELECT to_regclass('recall.theirs') IS NOT NULL").fetchone() == (True,)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE recall.mine (a int)",
        "ALTER TABLE recall.chunk ADD COLUMN note text",
        "DROP TABLE recall.chunk",
        "TRUNCATE recall.chunk",
        "ALTER TABLE recall.chunk NO FORCE ROW LEVEL SECURITY",
        "DROP POLICY own_tenant ON recall.chunk",
        "DELETE FROM recall.tombstone",
        "DELETE FROM recall.audit_event",
        "UPDATE recall.audit_event SET actor = 'nobody'",
        "DELETE FROM recall.generation",
        "DELETE FROM recall.calibration",
        "DELETE FROM recall.query_set",
        "UPDATE recall.query_set SET queries = ''",
        "UPDATE recall.calibration SET content = ''",
        "UPDATE recall.calibration SET generation_id = NULL",
        "UPDATE recall.calibration SET stored_at = now()",
        "UPDATE recall.migration SET checksum = ''",
        "CREATE SCHEMA mine",
        "SELECT recall.demand_own('gen_000000000000')",
    ],
)
def test_the_serving_role_has_rows_and_no_tables(ready, statement: str) -> None:
    # I14: DML only, and of the trail nothing but new lines.
    with psycopg.connect(ready.serving_dsn) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute(statement.encode())


def test_a_role_without_grants_is_told_what_it_needs(database) -> None:
    migrate.apply(database.owner_dsn)
    with open_store(database.serving_dsn) as store, pytest.raises((StoreError, SchemaError)) as caught:
        store.active("one")
    assert "recall schema grants" in caught.value.help


def test_grants_quote_what_they_name() -> None:
    assert migrate.grants('x"; DROP TABLE a; --', "d")[1] == 'GRANT USAGE ON SCHEMA recall TO "x""; DROP TABLE a; --";'


def test_released_migrations_keep_their_text() -> None:
    # Add a line when a migration is added; never change one that is there once it was released.
    assert [(each.version, each.name) for each in migrate.list_migrations()] == [
        (1, "generations"),
        (2, "calibrations"),
    ]
