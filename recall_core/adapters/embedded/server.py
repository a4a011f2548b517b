"""The embedded server: there when `ensure` returns, shared by all who ask, gone when nobody has asked for a while."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Self

import psycopg
from filelock import FileLock, Timeout
from psycopg import sql
from psycopg.conninfo import make_conninfo

from recall_core.adapters.embedded.place import (
    PORT,
    SYSTEM_FOLDER,
    Place,
    find_place,
    give,
    is_plain,
    make_folders,
    make_programs_folder,
)
from recall_core.adapters.embedded.programs import Programs, copy_programs, find_programs
from recall_core.adapters.embedded.recovery import clear_zombie
from recall_core.adapters.embedded.run import Runner, server_arguments
from recall_core.errors import StoreError

DATABASE: Final = "recall"
OWNER: Final = "recall_owner"
SERVING: Final = "recall_serving"
IDLE_SECONDS: Final = 900.0

_PATIENCE = 90.0
_GIVE_UP_ON_LOCK = 180.0


@dataclass(frozen=True, slots=True)
class Server:
    """A server that runs. `owner_dsn` may change tables, `serving_dsn` has the restricted role."""

    place: Place
    owner_dsn: str
    serving_dsn: str


@dataclass(frozen=True, slots=True)
class Status:
    """What is there: `version` is None before the first start, `pid` while nothing runs."""

    place: Place
    package: str
    version: str | None
    pid: int | None


def ensure(
    data_folder: str,
    *,
    idle_seconds: float = IDLE_SECONDS,
    system_folder: str = SYSTEM_FOLDER,
    said: Callable[[str], None] = lambda _sentence: None,
) -> Server:
    """The server of a data folder, made and started where it is not there yet; any number of processes may ask at once.

    `said` takes a sentence when something takes a while. Raises MissingExtraError without the programs, and StoreError
    where the server cannot be made, started or understood: a full disk, a folder of another version.
    """
    place = find_place(data_folder, system_folder=system_folder)
    make_folders(place)
    with _locked(place):
        runner = Runner(programs_for(place), place)
        _touch(place.used)
        if _ask_ready(runner) != _READY:
            _create(runner, said)
            _start(runner)
        if not os.path.exists(place.prepared):
            _prepare(place)
        _watch(place, idle_seconds)
    return Server(place, _dsn(place, OWNER), _dsn(place, SERVING))


def stop(data_folder: str, *, system_folder: str = SYSTEM_FOLDER) -> bool:
    """Stop the server of a data folder; whether one ran. Open transactions are rolled back."""
    place = find_place(data_folder, system_folder=system_folder)
    if not os.path.isdir(place.cluster):
        return False
    with _locked(place):
        return stop_locked(Runner(programs_for(place), place))


def stop_locked(runner: Runner) -> bool:
    """Stop the server while the lock is held; whether one ran."""
    if _ask_ready(runner) == _SILENT:
        return False
    runner.run("pg_ctl", "stop", "-D", runner.place.cluster, "-m", "fast", "-w", "-t", "60")
    return True


def look(data_folder: str, *, system_folder: str = SYSTEM_FOLDER) -> Status:
    """What is there for a data folder; nothing is started."""
    place = find_place(data_folder, system_folder=system_folder)
    programs = find_programs()
    version = _read(os.path.join(place.cluster, "PG_VERSION"))
    pid = None
    if version is not None:
        runner = Runner(programs_for(place), place)
        first = (_read(os.path.join(place.cluster, "postmaster.pid")) or "").partition("\n")[0].strip()
        if _ask_ready(runner) != _SILENT and first.isdigit():
            pid = int(first)
    return Status(place, programs.package, version.strip() if version is not None else None, pid)


_READY, _SILENT = 0, 2
"""What `pg_isready` answers; 1 is a server that starts or stops."""


def _ask_ready(runner: Runner) -> int:
    return runner.ask("pg_isready", "-q", "-h", host_of(runner.place), "-p", str(PORT)).returncode


def host_of(place: Place) -> str:
    """What a client connects to: the folder of the socket, or the loop-back address."""
    return "127.0.0.1" if os.name == "nt" else place.socket_folder


def _dsn(place: Place, user: str, database: str = DATABASE) -> str:
    password = _read(place.password) if os.name == "nt" else None
    return make_conninfo(host=host_of(place), port=PORT, user=user, dbname=database, password=password)


def programs_for(place: Place) -> Programs:
    """The programs of a wheel, or a copy of them where they cannot be run from where they are."""
    programs = find_programs()
    if place.account is None and is_plain(programs.folder):
        return programs
    return copy_programs(programs, make_programs_folder(place))


def _locked(place: Place) -> FileLock:
    """The lock around all that changes. The system lets go of it when its holder dies."""
    return _Lock(place.lock, timeout=_GIVE_UP_ON_LOCK)


class _Lock(FileLock):
    """A lock whose failure to come says which file, and that somebody holds it."""

    def __enter__(self) -> Self:
        try:
            self.acquire()
        except Timeout:
            raise StoreError(
                f"another process holds {self.lock_file} and does not let go of it",
                help="look for a `recall` that hangs; `recall db status` shows the server",
            ) from None
        return self


def _create(runner: Runner, said: Callable[[str], None]) -> None:
    """Make the cluster where there is none: beside its place, and moved there when it is whole."""
    place = runner.place
    version = _read(os.path.join(place.cluster, "PG_VERSION"))
    if version is not None:
        _check_version(version.strip(), runner)
        return
    said("making the embedded server (once)")
    unfinished = f"{place.cluster}.new"
    shutil.rmtree(unfinished, ignore_errors=True)
    shutil.rmtree(place.cluster, ignore_errors=True)
    _remove(place.prepared)
    try:
        os.mkdir(unfinished, 0o700)
        give(unfinished, place)
        authentication = (
            ["-A", "scram-sha-256", "--pwfile", _make_password(place)] if os.name == "nt" else ["-A", "trust"]
        )
        runner.run(
            "initdb", "-D", unfinished, "-U", OWNER, "-E", "UTF8", "--locale=C", "--no-instructions", *authentication
        )
        os.rename(unfinished, place.cluster)
    except OSError as error:
        raise StoreError(f"the embedded server cannot be made in {place.folder}: {error.strerror}") from error
    except StoreError:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise


def _check_version(found: str, runner: Runner) -> None:
    wanted = runner.programs.major_version()
    if found != str(wanted):
        raise StoreError(
            f"{runner.place.cluster} was made by PostgreSQL {found}, and PostgreSQL {wanted} is installed",
            help=(
                f"index again into a new folder (--data-dir), or `pip install` the release of recall that brought"
                f" PostgreSQL {found}"
            ),
        )


def _start(runner: Runner) -> None:
    """Start the server and wait until it takes connections.

    After a crash the children of the dead server may hold its memory for a moment, and the next start is refused: so
    it is tried again for a while.
    """
    deadline = time.monotonic() + _PATIENCE
    while True:
        clear_zombie(runner.place.cluster)
        before = _size(runner.place.log)
        runner.start("postgres", server_arguments(runner.place))
        while time.monotonic() < deadline:
            if _ask_ready(runner) == _READY:
                return
            news = _tail(runner.place.log, before)
            if "FATAL" in news or "PANIC" in news:
                break
            time.sleep(0.03)
        said = _tail(runner.place.log, before)
        if "No space left on device" in said:
            raise StoreError(f"the disk is full: the embedded server in {runner.place.folder} cannot start")
        if time.monotonic() >= deadline:
            last = " ".join(line.strip() for line in said.strip().splitlines()[-3:])
            raise StoreError(f"the embedded server does not start: {last}", help=f"its log is {runner.place.log}")
        time.sleep(0.25)


def _prepare(place: Place) -> None:
    """Make what a new cluster needs. Under the lock: `create extension if not exists` is no match for a second one."""
    try:
        with psycopg.connect(_dsn(place, OWNER, "postgres"), autocommit=True) as connection:
            if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [SERVING]).fetchone():
                connection.execute(
                    sql.SQL("CREATE ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS PASSWORD {}").format(
                        sql.Identifier(SERVING), sql.Literal(_read(place.password))
                    )
                )
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))
        with psycopg.connect(_dsn(place, OWNER), autocommit=True) as connection:
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
            connection.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    except psycopg.Error as error:
        raise StoreError(f"the embedded server cannot be prepared: {str(error).strip()}") from error
    _touch(place.prepared)


def _watch(place: Place, idle_seconds: float) -> None:
    """Start the process that stops an idle server, unless one is there."""
    lock = FileLock(place.watched, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        return
    lock.release()
    command = [sys.executable, "-m", "recall_core.adapters.embedded.idle", place.asked, place.folder, str(idle_seconds)]
    if os.name == "nt":
        flags = getattr(subprocess, "DETACHED_PROCESS", 0)
        subprocess.Popen(command, stdin=subprocess.DEVNULL, creationflags=flags)
        return
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    subprocess.run(
        ["/bin/sh", "-c", '"$@" >/dev/null 2>&1 </dev/null &', "sh", *command],
        check=True,
        start_new_session=True,
        cwd=place.folder,
        env=environment,
    )


def _make_password(place: Place) -> str:
    import secrets  # noqa: PLC0415 - where there are no Unix sockets

    descriptor = os.open(place.password, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(24))
    return place.password


def _touch(path: str) -> None:
    try:
        with open(path, "ab"):
            os.utime(path)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}") from error


def _read(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return None


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def _tail(path: str, start: int) -> str:
    try:
        with open(path, "rb") as file:
            file.seek(start)
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""


def _remove(path: str) -> None:
    if os.path.exists(path):
        os.unlink(path)
