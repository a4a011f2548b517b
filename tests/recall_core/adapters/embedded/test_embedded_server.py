"""The embedded server: made once, shared by all, found again after every crash."""

import os
import pwd
import re
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from recall_core.adapters.embedded import programs, server
from recall_core.adapters.embedded.place import find_place
from recall_core.errors import StoreError

Ensure = Callable[..., server.Server]
Spawn = Callable[..., "subprocess.Popen[str]"]

is_superuser = os.geteuid() == 0


def answers(dsn: str) -> int:
    with psycopg.connect(dsn) as connection:
        row = connection.execute("SELECT count(*) FROM pg_extension WHERE extname = 'vector'").fetchone()
        assert row is not None
        return int(row[0])


def postmaster(found: server.Server) -> int:
    return int((Path(found.place.cluster) / "postmaster.pid").read_text().partition("\n")[0])


def wait_until(holds: Callable[[], bool], seconds: float = 30.0) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.05)
    return False


def test_a_new_folder_gets_a_server_with_the_vector_extension(room: Path, ensure: Ensure) -> None:
    said: list[str] = []
    found = ensure(room / "data", said=said.append)
    assert answers(found.serving_dsn) == 1
    assert said == ["making the embedded server (once)"]
    assert answers(ensure(room / "data", said=said.append).owner_dsn) == 1
    assert len(said) == 1


def test_the_serving_role_can_neither_make_tables_nor_pass_by_a_policy(room: Path, ensure: Ensure) -> None:
    found = ensure(room / "data")
    with psycopg.connect(found.serving_dsn) as connection:
        row = connection.execute(
            "SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = current_user"
        ).fetchone()
        assert row == (False, False, False, False)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("CREATE TABLE public.mine (x int)")


def test_no_port_is_opened_and_the_socket_is_private(room: Path, ensure: Ensure) -> None:
    found = ensure(room / "data")
    with psycopg.connect(found.owner_dsn) as connection:
        row = connection.execute("SELECT current_setting('listen_addresses')").fetchone()
    assert row == ("",)
    assert stat.S_IMODE(os.stat(found.place.cluster).st_mode) == 0o700
    sockets = list(Path(found.place.socket_folder).glob(".s.PGSQL.*"))
    assert any(stat.S_ISSOCK(each.stat().st_mode) for each in sockets)


@pytest.mark.parametrize(
    "name",
    ["with spaces", "ünïcode メモ", "dä ta$(touch x)\"',`id`", "a" * 130],
    ids=["spaces", "non-ascii", "shell-and-commas", "over-107-bytes"],
)
def test_any_folder_name_serves(room: Path, ensure: Ensure, name: str) -> None:
    found = ensure(room / name)
    assert answers(found.serving_dsn) == 1
    assert not (room / "x").exists()
    assert server.stop(str(room / name), system_folder=str(room / "system"))
    assert answers(ensure(room / name).serving_dsn) == 1


@pytest.mark.skipif(not is_superuser, reason="only the superuser's server runs as somebody else")
def test_as_superuser_it_runs_as_nobody_and_changes_nothing_outside(room: Path, ensure: Ensure) -> None:
    private = room / "private"
    private.mkdir(mode=0o700)
    before = {each: stat.S_IMODE(each.stat().st_mode) for each in (Path("/"), Path("/tmp"), room, private)}
    users = Path("/etc/passwd").read_bytes()
    found = ensure(private / "data")
    assert answers(found.serving_dsn) == 1
    assert os.stat(f"/proc/{postmaster(found)}").st_uid == find_place(str(room)).owner != 0
    assert found.place.folder.startswith(str(room / "system")), "nobody cannot reach into a private folder"
    assert {each: stat.S_IMODE(each.stat().st_mode) for each in before} == before
    assert Path("/etc/passwd").read_bytes() == users


@pytest.mark.skipif(not is_superuser, reason="another user can be put on only by the superuser")
def test_as_another_user_it_runs_as_that_user(room: Path) -> None:
    home = room / "home"
    home.mkdir(mode=0o700)
    daemon = pwd.getpwnam("daemon")
    os.chown(home, daemon.pw_uid, daemon.pw_gid)
    # All that is needed is imported and copied first: the checkout may lie where that user cannot read.
    copy = programs.copy_programs(programs.find_programs(), str(room))
    code = (
        "import logging, os, psycopg, filelock\n"
        "from recall_core.adapters.embedded import programs, server\n"
        f"server.find_programs = lambda: programs.{copy!r}\n"
        f"os.setgroups([]); os.setgid({daemon.pw_gid}); os.setuid({daemon.pw_uid})\n"
        f"found = server.ensure({str(home / 'data')!r}, idle_seconds=20.0)\n"
        "psycopg.connect(found.serving_dsn).execute('SELECT 1')\n"
        "print(open(found.place.cluster + '/postmaster.pid').readline().strip())\n"
        "print(found.place.folder)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=False,
        capture_output=True,
        text=True,
        cwd="/",
    )
    assert done.returncode == 0, done.stderr
    pid, folder = done.stdout.split("\n")[:2]
    assert os.stat(f"/proc/{pid}").st_uid == daemon.pw_uid
    assert folder == str(home / "data" / "postgres")


def test_twenty_processes_race_for_a_new_folder_and_share_one_server(room: Path, spawn: Spawn, rounds: int) -> None:
    for number in range(rounds):
        folder = room / f"race {number}"
        racing = [spawn(folder) for _ in range(20)]
        said = [each.communicate(timeout=240) for each in racing]
        assert [each.returncode for each in racing] == [0] * 20, [err for _, err in said if err]
        assert len({out for out, _ in said}) == 1
        with psycopg.connect(said[0][0].removeprefix("ready ").strip()) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)


def test_a_killed_client_takes_nothing_with_it(room: Path, ensure: Ensure, spawn: Spawn) -> None:
    client = spawn(room / "data", "import psycopg; held = psycopg.connect(found.serving_dsn); time.sleep(60)")
    assert client.stdout is not None
    assert client.stdout.readline().startswith("ready")
    found = ensure(room / "data")
    pid = postmaster(found)
    client.send_signal(signal.SIGKILL)
    client.communicate()
    assert answers(found.serving_dsn) == 1
    assert postmaster(ensure(room / "data")) == pid


def test_a_killed_server_is_up_again_at_the_next_call(room: Path, ensure: Ensure, rounds: int) -> None:
    found = ensure(room / "data")
    with psycopg.connect(found.owner_dsn, autocommit=True) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 41 + 1 AS answer")
    for _ in range(rounds):
        os.kill(postmaster(found), signal.SIGKILL)
        found = ensure(room / "data")
        with psycopg.connect(found.owner_dsn) as connection:
            assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)


def test_a_killed_initdb_leaves_nothing_in_the_way(room: Path, ensure: Ensure, spawn: Spawn) -> None:
    maker = spawn(room / "data")
    started = room / "data" / "postgres" / "cluster.new" / "base"
    assert wait_until(started.exists)
    maker.send_signal(signal.SIGKILL)
    subprocess.run(["pkill", "-9", "-f", f"initdb.*{re.escape(str(room))}"], check=False)
    subprocess.run(["pkill", "-9", "-f", f"postgres.*{re.escape(str(room))}"], check=False)
    maker.communicate()
    assert not (room / "data" / "postgres" / "cluster").exists()
    assert answers(ensure(room / "data").serving_dsn) == 1


def test_a_process_killed_before_roles_were_made_is_made_up_for(room: Path, ensure: Ensure) -> None:
    found = ensure(room / "data")
    with psycopg.connect(found.owner_dsn, autocommit=True) as connection:
        connection.execute("DROP EXTENSION vector")
    os.unlink(found.place.prepared)
    assert answers(ensure(room / "data").serving_dsn) == 1


@pytest.mark.skipif(not is_superuser, reason="a small file system can be mounted by the superuser alone")
def test_a_full_disk_is_said_and_mended_once_there_is_room(room: Path, ensure: Ensure) -> None:
    small = room / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=20m,mode=755", "tmpfs", str(small)], check=False, capture_output=True
    )
    if mounted.returncode != 0:
        pytest.skip("this machine lets nobody mount a file system")
    try:
        with pytest.raises(StoreError, match="the disk is full"):
            ensure(small / "data")
        assert not (small / "data" / "postgres" / "cluster").exists()
        subprocess.run(["mount", "-o", "remount,size=400m", str(small)], check=True)
        assert answers(ensure(small / "data").serving_dsn) == 1
        assert server.stop(str(small / "data"), system_folder=str(room / "system"))
    finally:
        subprocess.run(["umount", "-l", str(small)], check=True)


def test_a_folder_of_another_version_is_said_and_left_alone(room: Path, ensure: Ensure) -> None:
    found = ensure(room / "data")
    server.stop(str(room / "data"), system_folder=str(room / "system"))
    written = Path(found.place.cluster) / "PG_VERSION"
    written.write_text("17\n")
    with pytest.raises(StoreError, match=r"was made by PostgreSQL 17, and PostgreSQL 18 is installed") as caught:
        ensure(room / "data")
    assert "--data-dir" in caught.value.help
    written.write_text("18\n")
    assert answers(ensure(room / "data").serving_dsn) == 1


def test_it_stops_when_idle_and_not_while_somebody_is_connected(room: Path, ensure: Ensure) -> None:
    found = ensure(room / "data", idle_seconds=0.5)
    with psycopg.connect(found.serving_dsn) as connection:
        time.sleep(1.5)
        assert connection.execute("SELECT 1").fetchone() == (1,)
    pidfile = Path(found.place.cluster) / "postmaster.pid"
    assert wait_until(lambda: not pidfile.exists())
    assert answers(ensure(room / "data", idle_seconds=20.0).serving_dsn) == 1


def test_status_and_stop_start_nothing(room: Path, ensure: Ensure) -> None:
    system = str(room / "system")
    absent = server.look(str(room / "data"), system_folder=system)
    assert (absent.version, absent.pid) == (None, None)
    assert not server.stop(str(room / "data"), system_folder=system)
    found = ensure(room / "data")
    running = server.look(str(room / "data"), system_folder=system)
    assert (running.version, running.pid) == ("18", postmaster(found))
    assert server.stop(str(room / "data"), system_folder=system)
    assert server.look(str(room / "data"), system_folder=system).pid is None


def test_a_folder_that_cannot_be_made_is_an_error_with_what_to_type(room: Path, ensure: Ensure) -> None:
    (room / "file").write_text("in the way")
    with pytest.raises(StoreError, match="cannot be made") as caught:
        ensure(room / "file" / "data")
    assert "--data-dir" in caught.value.help
