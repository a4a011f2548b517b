"""What goes wrong between a store and its server."""

import subprocess
import sys
import textwrap

import psycopg
import pytest

from recall_core.adapters.postgres import dense
from recall_core.adapters.postgres.session import bind
from recall_core.adapters.postgres.store import open_store
from recall_core.errors import ConflictError, StoreError
from recall_core.generation.states import State
from recall_core.ports.store import Query


def kill_connections(database) -> None:
    with psycopg.connect(database.superuser_dsn, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'serving' AND pid <> pg_backend_pid()"
        )


def test_a_dead_connection_is_made_again_once_and_said(database) -> None:
    # I15
    said: list[str] = []
    with database.open(said=said.append) as store:
        assert store.active("one") is None
        said.clear()
        kill_connections(database)
        assert store.active("one") is None
        assert said == ["the connection to the server was lost, and was made again"]
        assert store.active("one") is None
        assert len(said) == 1


def test_a_connection_that_dies_in_the_middle_is_an_outage(database, store, fill, rows) -> None:
    # I15: what was begun is not begun again, and an outage is not an empty answer.
    fill(store, [rows("a.md", "alpha")])
    with pytest.raises(StoreError), store.snapshot("one") as snapshot:
        kill_connections(database)
        snapshot.search(Query("alpha", None, 5))
    with store.snapshot("one") as snapshot:
        assert len(snapshot.search(Query("alpha", None, 5)).hits) == 1


def test_a_cancelled_statement_is_not_tried_again(store) -> None:
    # I15
    said: list[str] = []
    asked = 0
    store.active("one")
    store._session._said = said.append
    with pytest.raises(StoreError, match="not tried again"), store._session.transaction("one") as connection:
        asked += 1
        connection.execute("SET LOCAL statement_timeout = 20")
        connection.execute("SELECT pg_sleep(5)")
    assert (asked, said) == (1, [])
    assert store.active("one") is None


def test_a_server_that_is_not_there_is_an_outage_and_keeps_secrets(tmp_path) -> None:
    # I16
    dsn = f"postgresql://me:s3cr3t-word@localhost:1/none?host={tmp_path}"
    with open_store(dsn) as store, pytest.raises(StoreError) as caught:
        store.active("one")
    assert "s3cr3t-word" not in caught.value.message + caught.value.help
    assert "cannot be reached" in caught.value.message


def test_a_failed_build_leaves_the_active_generation_and_no_rows(database, store, fill, rows, plan) -> None:
    # I11, I4
    before = fill(store, [rows("a.md", "alpha")])
    with pytest.raises(RuntimeError), store.build("one", plan) as build:
        build.add([rows("a.md", "changed")])
        raise RuntimeError
    assert store.active("one") == before
    newest = store.generations("one")[0]
    assert newest.state is State.FAILED
    with psycopg.connect(database.superuser_dsn) as connection:
        left = connection.execute("SELECT count(*) FROM pg_class WHERE relname LIKE %s", [f"%{newest.id}"]).fetchone()
    assert left == (0,)


def test_rows_that_do_not_add_up_fail_the_build(database, store, rows, plan) -> None:
    with pytest.raises(StoreError, match="2 vectors were sent"), store.build("one", plan) as build:
        build.add([rows("a.md", "alpha"), rows("b.md", "beta")])
        build.add([])  # waits for the rows before
        with psycopg.connect(database.serving_dsn) as connection:
            bind(connection, "one")
            connection.execute("DELETE FROM recall.embedding WHERE number = 1")
            connection.commit()
        build.finish()
    assert store.generations("one")[0].state is State.FAILED


def test_a_second_writer_is_told_who_holds_it(database, store, rows, plan) -> None:
    # I7
    with store.build("one", plan) as build:
        build.add([rows("a.md", "alpha")])
        with database.open() as other:
            with (
                pytest.raises(ConflictError, match=r"tester \(process \d+ on .+\) since \d\d:\d\d UTC"),
                other.build("one", plan),
            ):
                pass
            with other.build("two", plan) as theirs:
                theirs.finish()
        build.finish()


def test_a_killed_writer_leaves_no_lock(database, store, rows, plan) -> None:
    # I7: its generation is marked failed by the next writer, and its rows are gone.
    code = f"""
        import os, signal
        from recall_core.adapters.postgres.store import open_store
        from recall_core.generation.pipeline import Pipeline
        from recall_core.ports.store import BuildPlan
        store = open_store({database.serving_dsn!r})
        with store.build("one", BuildPlan(Pipeline("numbers:16", 16, "whole-1", "english", 1), "/corpus", "x", "they")) as build:
            print(build.id, flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
    """
    assert store.active("one") is None
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False)
    unfinished = done.stdout.strip()
    assert unfinished.startswith("gen_"), done.stderr
    assert store.generation("one", unfinished).state is State.BUILDING
    with store.build("one", plan) as build:
        build.add([rows("a.md", "alpha")])
        build.finish()
    assert store.generation("one", unfinished).state is State.FAILED
    with psycopg.connect(database.superuser_dsn) as connection:
        left = connection.execute("SELECT count(*) FROM pg_class WHERE relname LIKE %s", [f"%{unfinished}"]).fetchone()
    assert left == (0,)


def test_a_setting_that_the_server_lacks_is_said_and_the_answer_is_exact(
    store, fill, rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recall_core.adapters.postgres.build.EXACT_ROWS", 10)
    monkeypatch.setattr(dense, "EXACT_ROWS", 10)
    fill(store, [rows(f"m{each}.md", f"word{each}") for each in range(30)])
    monkeypatch.setattr(dense, "_SETTINGS", "SELECT set_config('hnsw.no_such_setting', %s, true)")
    vector = rows("x", "word7").vectors
    # An extension takes its settings under guard once it is loaded, which the build did in this very connection.
    with store._session.transaction("one") as connection:
        connection.execute("SELECT '[1]'::vector")
    with store.snapshot("one") as snapshot:
        answer = snapshot.search(Query("", vector, 5))
    assert answer.hits[0].memo.memo.path == "m7.md"
    assert len(answer.notes) == 1
    assert "scanned exactly" in answer.notes[0]


def test_a_retired_generation_waits_for_its_readers(store, fill, rows, monkeypatch: pytest.MonkeyPatch) -> None:
    # I10: what a search has pinned is not dropped under it.
    monkeypatch.setattr("recall_core.adapters.postgres.session.LOCK_SECONDS", 1)
    first = fill(store, [rows("a.md", "alpha")])
    with store.snapshot("one") as snapshot:
        second = fill(store, [rows("a.md", "alpha"), rows("b.md", "alpha beta")])
        with pytest.raises(StoreError, match="busy"):
            store.retire("one", first.id, actor="x")
        assert [hit.memo.memo.path for hit in snapshot.search(Query("alpha", None, 5)).hits] == ["a.md"]
        assert snapshot.generation.id == first.id
    store.retire("one", first.id, actor="x")
    with store.snapshot("one", first.id) as snapshot:
        assert snapshot is None
    assert store.active("one").id == second.id
