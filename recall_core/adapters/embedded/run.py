"""Running PostgreSQL's programs: as the right user, with a bare environment, and never through a shell's reading."""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from recall_core.adapters.embedded.place import PORT, Place
from recall_core.adapters.embedded.programs import Programs
from recall_core.errors import StoreError

_DETACHED = '"$@" >>"$0" 2>&1 </dev/null &'
"""A shell that starts its arguments and leaves: the server becomes a child of init, which takes it away when it dies.

A dead child of ours would look alive to the next start. Nothing of the arguments is read as shell.
"""


@dataclass(frozen=True, slots=True)
class Runner:
    """Starts the programs of one build for one place."""

    programs: Programs
    place: Place

    def run(self, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a program to its end. Raises StoreError with what it said where it fails."""
        done = self.ask(name, *arguments)
        if done.returncode != 0:
            raise StoreError(_explain(name, done.stderr or done.stdout, self.place))
        return done

    def ask(self, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a program to its end, whatever its status."""
        return subprocess.run(
            [self.programs.path(name), *arguments], check=False, capture_output=True, text=True, **self._as_account()
        )

    def start(self, name: str, arguments: Sequence[str]) -> None:
        """Start a program that outlives us; what it says goes into the log."""
        command = [self.programs.path(name), *arguments]
        if os.name == "nt":
            flags = getattr(subprocess, "DETACHED_PROCESS", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
            with open(self.place.log, "ab") as log:
                subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, creationflags=flags)
            return
        subprocess.run(
            ["/bin/sh", "-c", _DETACHED, self.place.log, *command],
            check=True,
            start_new_session=True,
            **self._as_account(),
        )

    def _as_account(self) -> dict[str, Any]:
        account = self.place.account
        # PG* variables of the caller would be obeyed; what a server needs of an environment is little.
        known = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TEMP", "TMPDIR") if name in os.environ}
        options: dict[str, Any] = {"env": {**known, "LC_ALL": "C"}, "cwd": self.place.folder}
        if account is not None:
            options |= {"user": account.uid, "group": account.gid, "extra_groups": ()}
        if os.name != "nt":
            options["umask"] = 0o077
        return options


def server_arguments(place: Place, platform: str = os.name) -> list[str]:
    """What the server is started with: where its socket is, and sizes for one person's machine.

    Without Unix sockets it listens on the loop-back address alone, and asks for a password.
    """
    if platform == "nt":
        network = ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]
    else:
        # The setting is a list: a name with a comma or a quote must stand in quotes of its own.
        folder = place.socket_folder.replace('"', '""')
        network = [
            *("-c", "listen_addresses="),
            *("-c", f'unix_socket_directories="{folder}"'),
            *("-c", "unix_socket_permissions=0700"),
        ]
    return [
        *("-D", place.cluster, "-p", str(PORT)),
        *network,
        *("-c", "max_connections=60"),
        *("-c", "shared_buffers=128MB"),
        *("-c", "maintenance_work_mem=256MB"),
        *("-c", "max_wal_size=2GB"),
        *("-c", "wal_level=minimal", "-c", "max_wal_senders=0"),
        *("-c", "jit=off"),
        *("-c", "timezone=UTC", "-c", "log_timezone=UTC"),
        *("-c", "cluster_name=recall"),
    ]


def _explain(name: str, said: str, place: Place) -> str:
    if "No space left on device" in said:
        return f"the disk is full: the embedded server in {place.folder} cannot be made or started"
    last = said.strip().splitlines()[-3:]
    return f"`{name}` of the embedded server failed: {' '.join(line.strip() for line in last)}"
