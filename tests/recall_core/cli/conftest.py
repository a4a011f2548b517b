"""The operator's commands, run in this process over a throw-away folder, a stand-in store and a stand-in model."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import recall_lint
from recall_core import wiring
from recall_core.adapters import clock, run_cache
from recall_lint.cli import main

THE_DAY = datetime(2026, 6, 15, 12, 0, tzinfo=UTC)
PROGRAM = "from recall_lint.cli.main import main; main()"


@dataclass(frozen=True)
class Result:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Recall:
    """Runs `recall` in this process, in the working folder of the test."""

    def __init__(self, capfd: pytest.CaptureFixture[str]) -> None:
        self._capfd = capfd

    def __call__(self, *arguments: str) -> Result:
        self._capfd.readouterr()
        status = main.run(list(arguments))
        return Result(status, *self._capfd.readouterr())


class Memos:
    """The folder that the test works in."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, path: str, text: str) -> None:
        full = self.path / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_text(text, encoding="utf-8")

    def git(self, *arguments: str, at: str = "2026-01-01") -> str:
        dates = dict.fromkeys(("GIT_COMMITTER_DATE", "GIT_AUTHOR_DATE"), f"{at}T00:00:00Z")
        environment = {**os.environ, **dates}
        return subprocess.run(
            ["git", *arguments], cwd=self.path, env=environment, capture_output=True, check=True, text=True
        ).stdout

    def commit(self, at: str) -> str:
        """Commit all that lies here, and give the commit."""
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "change", at=at)
        return self.git("rev-parse", "HEAD").strip()


@pytest.fixture(autouse=True)
def clean_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the developer is seen, and nothing is asked of a server."""
    for name in list(os.environ):
        if name.startswith(("GIT_", "RECALL_", "PRE_COMMIT", "XDG_")):
            monkeypatch.delenv(name)
    home = tmp_path / "home"
    home.mkdir()
    (home / "gitconfig").write_text(
        "[user]\n\tname = Someone\n\temail = someone@example.org\n[init]\n\tdefaultBranch = main\n"
    )
    for name, value in {
        "HOME": home,
        "GIT_CONFIG_GLOBAL": home / "gitconfig",
        "GIT_CONFIG_NOSYSTEM": 1,
        "GIT_CEILING_DIRECTORIES": tmp_path,
        "RECALL_CACHE_DIR": home / "cache",
        "RECALL_DATA_DIR": home / "data",
        "RECALL_SERVING_DSN": "host=nobody.invalid",
        "RECALL_ACTOR": "someone",
    }.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.setattr(clock, "now", lambda: THE_DAY)
    monkeypatch.setattr(run_cache, "_code_stamp", lambda: "stamp")


@pytest.fixture(autouse=True)
def purged(store, embedder, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Stand-ins behind the wiring; gives the passages that the vector cache was told to forget, by digest."""
    purged: list[str] = []
    monkeypatch.setattr(wiring, "open_store", lambda *_, **__: store)
    monkeypatch.setattr(wiring, "open_embedder", lambda *_, **__: embedder)
    monkeypatch.setattr(wiring, "purge_vectors", lambda _folder, digests: purged.extend(digests))
    return purged


@pytest.fixture
def development(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECALL_TRUST_MODE", "development")


@pytest.fixture
def memos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memos:
    """An empty folder outside Git, which the test works in."""
    path = tmp_path / "memos"
    path.mkdir()
    monkeypatch.chdir(path)
    return Memos(path)


@pytest.fixture
def recall(capfd: pytest.CaptureFixture[str]) -> Recall:
    return Recall(capfd)


@pytest.fixture(scope="session")
def conforms() -> Callable[[object, str], bool]:
    """Whether a value is what a published schema says; the validator's error tells where it is not."""

    def conforms(instance: object, name: str) -> bool:
        schema = json.loads((Path(recall_lint.__file__).parent / f"schema/{name}.schema.json").read_text())
        Draft202012Validator.check_schema(schema)
        Draft202012Validator(schema).validate(instance)
        return True

    return conforms


@pytest.fixture(scope="session")
def process() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a real `recall`."""

    def process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", PROGRAM, *arguments],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    return process
