"""BEHAVIOURS I13: row-level security, seen with a role that cannot pass by it."""

import psycopg
import pytest

from recall_core.adapters.postgres.session import bind
from recall_core.calibration.stored import Origin
from recall_core.errors import UsageError

PARTITIONED = ("memo", "terminal", "chunk", "embedding", "posting", "document_length")
KEPT = ("query_set", "calibration")
TABLES = ("tenant", "generation", "tombstone", "audit_event", "build_lease", *KEPT, *PARTITIONED)


@pytest.fixture
def two(store, fill, rows, measure):
    """Two tenants with a generation each, and a published calibration of it."""
    mine = fill(store, [rows("a.md", "alpha"), rows("b.md", "beta", "a")], tenant="one")
    theirs = fill(store, [rows("a.md", "gamma"), rows("c.md", "delta", "a")], tenant="two")
    store.forget("two", ["c.md"], actor="tester", dry_run=False)
    for generation in (mine, store.active("two")):
        bundle = measure(generation.binding)
        kept = store.calibrations.save(generation.tenant, bundle, origin=Origin.MEASURED, actor="tester")
        store.calibrations.publish(generation.tenant, kept.id, actor="tester")
    return mine, theirs


def counts(connection: psycopg.Connection) -> dict[str, int]:
    return {name: connection.execute(f"SELECT count(*) FROM recall.{name}").fetchone()[0] for name in TABLES}


def test_the_role_of_the_tests_cannot_pass_by(database, two) -> None:
    with psycopg.connect(database.serving_dsn) as connection:
        row = connection.execute("SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user").fetchone()
    assert row == (False, False)


def test_without_a_tenant_nothing_is_seen(database, two) -> None:
    with psycopg.connect(database.serving_dsn) as connection:
        assert not any(counts(connection).values())
    # The owner of the tables is held to it too.
    with psycopg.connect(database.owner_dsn) as connection:
        assert not any(counts(connection).values())


def test_no_row_of_another_tenant_is_seen_or_touched(database, two) -> None:
    with psycopg.connect(database.serving_dsn) as connection:
        bind(connection, "one")
        for name in TABLES:
            others = connection.execute(f"SELECT count(*) FROM recall.{name} WHERE tenant_id <> 'one'").fetchone()
            assert others == (0,), name
        for name in (*PARTITIONED, "build_lease"):
            assert connection.execute(f"DELETE FROM recall.{name} WHERE tenant_id = 'two'").rowcount == 0
        assert connection.execute("UPDATE recall.generation SET state = 'failed' WHERE tenant_id = 'two'").rowcount == 0
        assert connection.execute("UPDATE recall.tenant SET root = '/x' WHERE tenant_id = 'two'").rowcount == 0
        moved = connection.execute("UPDATE recall.calibration SET state = 'superseded' WHERE tenant_id = 'two'")
        assert moved.rowcount == 0
        for name in KEPT:
            assert connection.execute(f"SELECT count(*) FROM recall.{name}").fetchone() == (1,), name


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO recall.tenant (tenant_id) VALUES ('three')",
        "INSERT INTO recall.tombstone (tenant_id, path, content_hash, actor) VALUES ('two', 'a', 'b', 'c')",
        "INSERT INTO recall.audit_event (tenant_id, actor, action) VALUES ('two', 'a', 'b')",
        "INSERT INTO recall.query_set VALUES ('two', 'sha256:' || repeat('0', 64), '', 'c')",
        "INSERT INTO recall.calibration (tenant_id, id, state, origin, content, stored_by) VALUES ('two', '', '', '', '', '')",
        "UPDATE recall.tenant SET tenant_id = 'two' WHERE tenant_id = 'one'",
    ],
)
def test_nothing_is_written_for_another_tenant(database, two, statement: str) -> None:
    with psycopg.connect(database.serving_dsn) as connection:
        bind(connection, "one")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(statement.encode())


def test_partitions_cannot_be_read_past_the_policy(database, two) -> None:
    mine, _ = two
    with psycopg.connect(database.serving_dsn) as connection:
        bind(connection, "one")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(f"SELECT * FROM recall.chunk_{mine.id}")


@pytest.mark.parametrize("function", ["make_partitions(%s)", "drop_partitions(%s)", "index_partitions(%s, false)"])
def test_functions_serve_their_own_tenant_alone(database, two, function: str) -> None:
    _, theirs = two
    with psycopg.connect(database.serving_dsn) as connection:
        bind(connection, "one")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(f"SELECT recall.{function}".encode(), [theirs.id])
    for hostile in ("x'; DROP TABLE recall.chunk; --", "gen_zzzzzzzzzzzz", ""):
        with psycopg.connect(database.serving_dsn) as connection:
            bind(connection, "one")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(f"SELECT recall.{function}".encode(), [hostile])


def test_an_active_generation_cannot_be_dropped(database, two) -> None:
    mine, _ = two
    with psycopg.connect(database.serving_dsn) as connection:
        bind(connection, "one")
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="in use"):
            connection.execute("SELECT recall.drop_partitions(%s)", [mine.id])


def test_no_edge_no_freshness_and_no_generation_of_another(store, two) -> None:
    mine, theirs = two
    assert [each.id for each in store.generations("one")] == [mine.id]
    assert store.generation("one", theirs.id) is None
    with store.snapshot("one", theirs.id) as snapshot:
        assert snapshot is None
    with pytest.raises(UsageError):
        store.corpus("one", theirs.id)
    with pytest.raises(UsageError):
        store.retire("one", theirs.id, actor="x")
    with pytest.raises(UsageError):
        store.promote("one", theirs.id, expected=mine.id, actor="x")
    (a, _) = store.corpus("one", mine.id)
    assert [each.path for each in a.successors] == ["b.md"]
