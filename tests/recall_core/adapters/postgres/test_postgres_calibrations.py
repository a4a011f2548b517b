"""What PostgreSQL itself keeps of a calibration's promises (BEHAVIOURS H4, H9, H10, H12, I11)."""

import json
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, local

import psycopg
import pytest

from recall_core.adapters.postgres import migrate, publication
from recall_core.adapters.postgres.forget import forget
from recall_core.adapters.postgres.session import bind
from recall_core.calibration.artifact import State
from recall_core.calibration.bundle import Bundle, render_bundle
from recall_core.calibration.status import Resolution, resolve
from recall_core.calibration.stored import Origin, StoredCalibration
from recall_core.errors import ConflictError, RefusedError, StoreError
from recall_core.model.calibration import CalibrationStatus
from recall_core.ports.store import Generation


class Desk:
    """The calibrations of the tenant `one` on a database of its own."""

    def __init__(self, store, database, generation: Generation, measure: Callable[..., Bundle]) -> None:
        self.store, self.database, self.generation, self.measure = store, database, generation, measure
        self.kept = store.calibrations

    def save(self, seed: int = 0, **options: object) -> StoredCalibration:
        generation = self.store.generation("one", self.generation.id)
        bundle = self.measure(generation.binding, seed, **options)
        return self.kept.save("one", bundle, origin=Origin.MEASURED, actor="x")

    def publish(self, stored: StoredCalibration) -> StoredCalibration:
        return self.kept.publish("one", stored.id, actor="x")

    def resolve(self) -> Resolution:
        with self.store.snapshot("one", self.generation.id) as snapshot:
            here = snapshot.generation.binding
            return resolve(snapshot.calibrations(), here, here.lineage)

    def states(self) -> dict[str, State]:
        return {each.id: each.state for each in self.kept.calibrations("one")}

    def tamper(self, statement: str, *values: object) -> None:
        """As somebody whom no trigger and no policy stops."""
        with psycopg.connect(self.database.superuser_dsn, autocommit=True) as connection:
            connection.execute("SET session_replication_role = replica")
            assert connection.execute(statement.encode(), values).rowcount == 1


@pytest.fixture
def desk(store, database, fill, rows, measure) -> Desk:
    generation = fill(store, [rows("a.md", "alpha"), rows("b.md", "beta")])
    return Desk(store, database, generation, measure)


@pytest.mark.parametrize("role", ["serving", "owner"])
@pytest.mark.parametrize(
    "change",
    [
        "content = 'x'",
        "generation_id = 'gen_000000000000'",
        "id = 'cal_' || repeat('0', 20)",
        "tenant_id = 'two'",
        "query_set_digest = 'x'",
        "origin = 'imported'",
        "stored_by = 'y'",
        "stored_at = now()",
        "published_at = now()",
        "ended_at = now()",
        "state = 'draft', published_at = NULL",
        "state = 'rejected', published_at = NULL",
        "state = 'superseded', ended_at = now(), published_at = now()",
    ],
)
def test_h12_what_was_measured_never_changes(desk, database, role: str, change: str) -> None:
    published = desk.publish(desk.save())
    with psycopg.connect(getattr(database, f"{role}_dsn")) as connection:
        bind(connection, "one")
        # The owner is let through by the policy of its own tenant, and stopped by the trigger.
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(f"UPDATE recall.calibration SET {change}".encode())
    assert desk.kept.calibration("one", published.id) == published


@pytest.mark.parametrize("role", ["serving", "owner"])
@pytest.mark.parametrize("change", ["queries = '[]'", "digest = 'sha256:' || repeat('0', 64)", "stored_by = 'y'"])
def test_h12_labels_never_change(desk, database, role: str, change: str) -> None:
    desk.save()
    with psycopg.connect(getattr(database, f"{role}_dsn")) as connection:
        bind(connection, "one")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(f"UPDATE recall.query_set SET {change}".encode())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("draft", "superseded"),
        ("draft", "legacy_unbound"),
        ("rejected", "draft"),
        ("rejected", "published"),
        ("superseded", "published"),
        ("superseded", "draft"),
        ("published", "draft"),
        ("published", "rejected"),
    ],
)
def test_only_the_steps_of_the_life_are_taken(desk, database, before: str, after: str) -> None:
    stored = desk.save(apart=before != "rejected")
    if before in ("published", "superseded"):
        desk.publish(stored)
    if before == "superseded":
        desk.publish(desk.save(2))
    assert desk.states()[stored.id].value == before
    with psycopg.connect(database.owner_dsn) as connection:
        bind(connection, "one")
        with pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.CheckViolation)):
            connection.execute("UPDATE recall.calibration SET state = %s WHERE id = %s", [after, stored.id])


def test_h4_two_published_ones_of_a_generation_are_impossible(desk, database) -> None:
    desk.publish(desk.save(1))
    second = desk.save(2)
    with psycopg.connect(database.owner_dsn) as connection:
        bind(connection, "one")
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute(
                "UPDATE recall.calibration SET state = 'published', published_at = now() WHERE id = %s", [second.id]
            )


@pytest.mark.parametrize("has_former", [False, True])
def test_h4_the_rows_decide_and_not_the_lock(desk, monkeypatch: pytest.MonkeyPatch, *, has_former: bool) -> None:
    former = desk.publish(desk.save(99)) if has_former else None
    drafts = [desk.save(each) for each in range(3)]
    # Without the lock each looks before anybody writes: only one may win, and the others are told.
    monkeypatch.setattr(publication, "_LOCK", "SELECT length(%s)")
    barrier, seen, move = Barrier(len(drafts)), local(), publication._move

    def wait(*arguments: object) -> None:
        if not hasattr(seen, "waited"):
            seen.waited = True
            barrier.wait(30)
        move(*arguments)

    monkeypatch.setattr(publication, "_move", wait)

    def attempt(draft: StoredCalibration) -> bool:
        try:
            desk.publish(draft)
        except ConflictError:
            return False
        return True

    with ThreadPoolExecutor(len(drafts)) as pool:
        won = list(pool.map(attempt, drafts))
    assert sorted(won) == [False, False, True]
    states = desk.states()
    assert [each.id for each in drafts if states[each.id] is State.PUBLISHED] == [drafts[won.index(True)].id]
    assert [states[each.id] for each in drafts].count(State.DRAFT) == 2
    if former is not None:
        assert states[former.id] is State.SUPERSEDED
    events = [each for each in desk.kept.events("one") if each.action == "calibration_published"]
    assert len(events) == 1 + has_former


PUBLISH = """
    import sys
    from recall_core.adapters.postgres.store import open_store
    from recall_core.errors import ConflictError
    with open_store(sys.argv[1]) as store:
        store.active("one")
        print("ready", flush=True)
        for line in sys.stdin:
            try:
                store.calibrations.publish("one", line.strip(), actor="process")
                print("published", flush=True)
            except ConflictError:
                print("conflict", flush=True)
"""


def test_h4_two_processes_that_publish_at_once_leave_exactly_one(desk, database, rounds: int) -> None:
    command = [sys.executable, "-c", textwrap.dedent(PUBLISH), database.serving_dsn]
    with (
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as one,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as two,
    ):
        both = (one, two)
        assert [each.stdout.readline() for each in both] == ["ready\n"] * 2
        for turn in range(max(rounds, 5)):
            drafts = [desk.save(2 * turn), desk.save(2 * turn + 1)]
            for process, draft in zip(both, drafts, strict=True):
                process.stdin.write(f"{draft.id}\n")
                process.stdin.flush()
            said = [process.stdout.readline().strip() for process in both]
            assert "published" in said
            states = desk.states()
            assert list(states.values()).count(State.PUBLISHED) == 1
            assert [states[each.id] for each in drafts].count(State.PUBLISHED) == 1
            assert desk.resolve().status is CalibrationStatus.CERTIFIED
        for process in both:
            process.stdin.close()


KILLED = """
    import json, os, signal, sys
    import psycopg
    from recall_core.adapters.postgres.store import open_store
    from recall_core.calibration.bundle import parse_bundle
    from recall_core.calibration.stored import Origin

    def cut_off(after):
        left = after
        def count(call):
            def counted(*arguments, **options):
                nonlocal left
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                left -= 1
                return call(*arguments, **options)
            return counted
        psycopg.Connection.execute = count(psycopg.Connection.execute)
        psycopg.Connection.commit = count(psycopg.Connection.commit)

    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            with open_store(sys.argv[1]) as store:
                store.active("one")
                cut_off(asked["after"])
                if "bundle" in asked:
                    bundle = parse_bundle(asked["bundle"])
                    store.calibrations.save("one", bundle, origin=Origin.MEASURED, actor="killed")
                else:
                    store.calibrations.publish("one", asked["calibration"], actor="killed")
            os._exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.fixture
def cut_off(database) -> Iterator[Callable[..., bool]]:
    """Runs a command in a process that is killed after so many statements; tells whether it was."""
    command = [sys.executable, "-c", textwrap.dedent(KILLED), database.serving_dsn]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:

        def run(**asked: object) -> bool:
            process.stdin.write(json.dumps(asked) + "\n")
            process.stdin.flush()
            status = int(process.stdout.readline())
            assert status in (0, -signal.SIGKILL)
            return status != 0

        yield run
        process.stdin.close()


def test_a_save_that_is_killed_anywhere_leaves_all_of_it_or_nothing(desk, cut_off) -> None:
    bundle = desk.measure(desk.generation.binding)
    cuts = 0
    while cut_off(after=cuts, bundle=render_bundle(bundle)):
        cuts += 1
        assert desk.states() == {}
        assert desk.kept.query_set("one", bundle.queries.digest) is None
        assert not [each for each in desk.kept.events("one") if each.actor == "killed"]
        assert desk.resolve().status is CalibrationStatus.MISSING
    assert cuts >= 6
    assert desk.states() == {bundle.artifact.id: State.DRAFT}
    assert [each.action for each in desk.kept.events("one") if each.actor == "killed"] == ["calibration_created"]


def test_a_publication_that_is_killed_anywhere_leaves_one_published(desk, cut_off) -> None:
    former, draft = desk.publish(desk.save(1)), desk.save(2)
    before = desk.kept.events("one")
    cuts = 0
    while cut_off(after=cuts, calibration=draft.id):
        cuts += 1
        assert desk.states() == {former.id: State.PUBLISHED, draft.id: State.DRAFT}
        assert desk.kept.events("one") == before
        assert desk.resolve().artifact == former.artifact
    assert cuts >= 9
    assert desk.states() == {former.id: State.SUPERSEDED, draft.id: State.PUBLISHED}
    # Whoever was cut off after the end, and does not know it, asks once more.
    assert desk.publish(draft).state is State.PUBLISHED
    assert len(desk.kept.events("one")) == len(before) + 2


def test_h12_the_checksum_is_verified_on_every_read(desk) -> None:
    published = desk.publish(desk.save())
    assert desk.resolve().status is CalibrationStatus.CERTIFIED
    desk.tamper('UPDATE recall.calibration SET content = replace(content, \'"actor":"measurer"\', \'"actor":"other"\')')
    found = desk.resolve()
    assert (found.status, found.artifact) == (CalibrationStatus.STALE, None)
    assert "checksum" in found.reason
    stored = desk.kept.calibration("one", published.id)
    assert (stored.artifact, stored.state) == (None, State.PUBLISHED)
    assert desk.kept.calibrations("one") == [stored]
    with pytest.raises(RefusedError, match="checksum"):
        desk.publish(published)


@pytest.mark.parametrize("content", ["", "[", "null", "{}", "[" * 100_000])
def test_h12_a_row_that_is_no_artifact_is_none(desk, content: str) -> None:
    published = desk.publish(desk.save())
    desk.tamper("UPDATE recall.calibration SET content = %s", content)
    assert desk.resolve().status is CalibrationStatus.STALE
    assert desk.kept.calibration("one", published.id).artifact is None


def test_an_artifact_in_the_row_of_another_is_none(desk) -> None:
    first, second = desk.publish(desk.save(1)), desk.save(2)
    desk.tamper(
        "UPDATE recall.calibration SET content = (SELECT content FROM recall.calibration WHERE id = %s) WHERE id = %s",
        second.id,
        first.id,
    )
    assert desk.resolve().status is CalibrationStatus.STALE


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM recall.query_set",
        "UPDATE recall.query_set SET queries = '[]'",
        "UPDATE recall.query_set SET queries = replace(queries, 'true', 'false')",
    ],
)
def test_h10_labels_that_are_not_those_that_were_measured_make_it_stale(desk, statement: str) -> None:
    published = desk.publish(desk.save())
    assert desk.resolve().status is CalibrationStatus.CERTIFIED
    desk.tamper(statement)
    found = desk.resolve()
    assert (found.status, found.artifact) == (CalibrationStatus.STALE, None)
    assert desk.kept.query_set("one", published.artifact.query_set_digest) is None
    if not statement.startswith("DELETE"):
        with pytest.raises(StoreError, match="changed by hand"):
            desk.save(2)


def test_h10_only_a_superseded_one_is_stale(desk) -> None:
    desk.publish(desk.save(1))
    desk.tamper("UPDATE recall.calibration SET state = 'superseded', ended_at = now()")
    assert desk.resolve().status is CalibrationStatus.SUPERSEDED
    desk.publish(desk.save(2))
    assert desk.resolve().status is CalibrationStatus.CERTIFIED


@pytest.mark.parametrize("zone", ["Asia/Kathmandu", "America/St_Johns"])
def test_h12_the_zone_of_the_server_changes_nothing(desk, database, zone: str) -> None:
    published = desk.publish(desk.save())
    with psycopg.connect(database.superuser_dsn, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(f"ALTER DATABASE {name} SET TimeZone = '{zone}'".encode())
        connection.execute(f"ALTER DATABASE {name} SET DateStyle = 'German'".encode())
        connection.execute(f"ALTER DATABASE {name} SET IntervalStyle = 'iso_8601'".encode())
    with database.open() as other:
        kept = other.calibrations
        assert kept.calibration("one", published.id) == published
        queries = kept.query_set("one", published.labels)
        assert render_bundle(Bundle(kept.calibration("one", published.id).artifact, queries)) == render_bundle(
            desk.measure(desk.generation.binding)
        )
        again = desk.measure(desk.generation.binding, 2)
        second = kept.save("one", again, origin=Origin.MEASURED, actor="x")
    assert desk.kept.calibration("one", second.id) == second
    assert second.stored_at >= published.published_at


def test_a_search_asks_for_no_more_once_it_knows_the_text(desk) -> None:
    desk.publish(desk.save())
    assert desk.resolve().artifact is not None
    with desk.store.snapshot("one") as snapshot:
        asked: list[object] = []
        execute = snapshot._connection.execute
        snapshot._connection.execute = lambda *each, **more: asked.append(each) or execute(*each, **more)
        assert snapshot.calibrations()[0].artifact is not None
    assert asked == []


def test_one_row_for_each_state_is_read_however_many_there_are(desk) -> None:
    for seed in range(4):
        desk.publish(desk.save(seed))
        desk.save(100 + seed)
    with desk.store.snapshot("one") as snapshot:
        states = [each.state for each in snapshot.calibrations()]
    assert sorted(states, key=str) == sorted([State.PUBLISHED, State.SUPERSEDED, State.DRAFT], key=str)


@pytest.mark.parametrize("asked", ["publish", "save", "promote"])
def test_h9_whoever_forgets_first_is_seen(desk, fill, rows, asked: str) -> None:
    # I11: a memo that is being forgotten while a calibration is published, or demanded by a promotion.
    ready = fill(desk.store, [rows("a.md", "alpha"), rows("b.md", "beta"), rows("c.md", "gamma")], promote=False)
    desk.generation = ready
    draft = desk.save(1)
    if asked == "promote":
        desk.publish(draft)
    active = desk.store.active("one")

    def run() -> None:
        if asked == "publish":
            desk.publish(draft)
        elif asked == "save":
            desk.kept.save("one", desk.measure(ready.binding, 2), origin=Origin.MEASURED, actor="x")
        else:
            desk.store.promote("one", ready.id, expected=active.id, actor="x", demands_certified=True)

    with ThreadPoolExecutor(1) as pool:
        with desk.store._session.transaction("one") as connection:
            forget(connection, "one", ["c.md"], actor="x", dry_run=False)
            running = pool.submit(run)
            wait_until_somebody_waits(desk.database)
        with pytest.raises(RefusedError, match="corpus"):
            running.result()
    assert desk.store.active("one").id == active.id
    assert desk.kept.calibration("one", draft.id).state is (State.PUBLISHED if asked == "promote" else State.DRAFT)


def wait_until_somebody_waits(database) -> None:
    deadline = time.monotonic() + 30
    with psycopg.connect(database.superuser_dsn, autocommit=True) as connection:
        while not connection.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)").fetchone()[0]:
            assert time.monotonic() < deadline, "nobody waits"
            time.sleep(0.02)


def test_a_database_with_generations_is_brought_up_to_date(
    database, fill, rows, measure, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = migrate.list_migrations()
    with monkeypatch.context() as before:
        before.setattr(migrate, "list_migrations", lambda: known[:1])
        statements = migrate.grants("serving", "d")
        before.setattr(
            migrate,
            "grants",
            lambda *_: [each for each in statements if "calibration" not in each and "GRANT TEMP" not in each],
        )
        migrate.apply(database.owner_dsn, role="serving")
    assert [each.version for each in migrate.read_status(database.owner_dsn).pending] == [2]
    with database.open() as store:
        generation = fill(store, [rows("a.md", "alpha")])
        desk = Desk(store, database, generation, measure)
        desk.publish(desk.save())
        assert desk.resolve().status is CalibrationStatus.CERTIFIED
    assert not migrate.read_status(database.owner_dsn).problem


def test_an_outage_is_no_answer(desk) -> None:
    draft = desk.save()
    with psycopg.connect(desk.database.superuser_dsn, autocommit=True) as connection:
        connection.execute("REVOKE UPDATE ON recall.calibration FROM serving")
        connection.execute("REVOKE UPDATE (state, published_at, ended_at) ON recall.calibration FROM serving")
    with pytest.raises(StoreError) as caught:
        desk.publish(draft)
    assert "recall schema grants" in caught.value.help
