"""Folders for embedded servers that are stopped and removed after each test."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from recall_core.adapters.embedded import server


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that the server's own user can reach; every server below it is stopped at the end."""
    folder = Path(tempfile.mkdtemp(prefix="recall-test-", dir="/tmp"))
    folder.chmod(0o755)
    temporary = folder / "tmp"
    temporary.mkdir()
    temporary.chmod(0o1777)
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield folder
    for found in folder.rglob("postmaster.pid"):
        pid = found.read_text(encoding="ascii", errors="replace").partition("\n")[0]
        subprocess.run(["kill", "-INT", pid], check=False, capture_output=True)
        for _ in range(200):
            if not found.exists():
                break
            subprocess.run(["sleep", "0.02"], check=True)
    shutil.rmtree(folder, ignore_errors=True)


Ensure = Callable[..., server.Server]


@pytest.fixture
def ensure(room: Path) -> Ensure:
    """`server.ensure` whose servers stop soon, and whose folder for the superuser lies in the room."""

    def ask(folder: Path | str, **options: object) -> server.Server:
        settings: dict[str, object] = {"idle_seconds": 20.0, "system_folder": str(room / "system"), **options}
        return server.ensure(str(folder), **settings)

    return ask


@pytest.fixture
def spawn(room: Path) -> Callable[..., "subprocess.Popen[str]"]:
    """Starts a process that asks for the server of a folder, prints `ready`, and then runs some more code."""

    def start(folder: Path | str, then: str = "") -> "subprocess.Popen[str]":
        code = (
            "import sys, time\n"
            "from recall_core.adapters.embedded import server\n"
            f"found = server.ensure({os.fspath(folder)!r}, idle_seconds=20.0, system_folder={str(room / 'system')!r})\n"
            "print('ready', found.serving_dsn, flush=True)\n" + then
        )
        return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    return start
