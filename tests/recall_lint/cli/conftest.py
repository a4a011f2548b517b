"""The command line, run in this process over throw-away folders that know nothing of the developer's machine or day."""

import io
import json
import os
import shutil
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
from recall_core.adapters import clock, run_cache
from recall_lint.cli import main

THE_DAY = datetime(2026, 6, 15, 12, 0, tzinfo=UTC)
"""The system's day in every test here that runs in this process."""


@dataclass(frozen=True)
class Result:
    """What a command answered."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def codes(self) -> list[str]:
        """`path:line:column CODE` of each finding, from a run with `--format json`."""
        return [f"{each['path']}:{each['line']}:{each['column']} {each['code']}" for each in self.json["diagnostics"]]


class Recall:
    """Runs `recall` in this process, in the working folder of the test."""

    def __init__(self, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capfd, self._monkeypatch = capfd, monkeypatch

    def __call__(self, *arguments: str, stdin: bytes | None = None) -> Result:
        if stdin is not None:
            self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        self._capfd.readouterr()
        status = main.run(list(arguments))
        return Result(status, *self._capfd.readouterr())

    def lint(self, *arguments: str, stdin: bytes | None = None) -> Result:
        """`recall lint --format json`, which must have run."""
        result = self("lint", "--format", "json", *arguments, stdin=stdin)
        assert result.status in (0, 1), result.err
        return result

    def verdicts(self, *arguments: str) -> dict[str, str]:
        """What `recall status` says of each memo."""
        result = self("status", "--format", "json", *arguments)
        assert result.status == 0, result.err
        return {memo["path"]: memo["verdict"] for memo in result.json["memos"]}


class Project:
    """A folder under construction, the working folder of the test; a Git repository once `init` was called."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, path: str, text: str | bytes = "text\n") -> Path:
        full = self.path / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(text.encode() if isinstance(text, str) else text)
        return full

    def memo(self, path: str, *lines: str, body: str = "text\n") -> Path:
        """A memo with these frontmatter lines."""
        return self.write(path, "---\n" + "".join(f"{line}\n" for line in lines) + f"---\n{body}")

    def read(self, path: str) -> bytes:
        return (self.path / path).read_bytes()

    def git(self, *arguments: str, at: str | None = None) -> str:
        dates = {"GIT_COMMITTER_DATE": f"{at}T00:00:00Z", "GIT_AUTHOR_DATE": "2001-01-01T00:00:00Z"} if at else {}
        done = subprocess.run(
            ["git", *arguments], cwd=self.path, env={**os.environ, **dates}, capture_output=True, check=False
        )
        assert done.returncode == 0, os.fsdecode(done.stderr)
        return os.fsdecode(done.stdout)

    def init(self) -> None:
        self.git("init", "-q")

    def commit(self, at: str = "2026-01-01") -> None:
        """Commit all that lies here."""
        self.git("add", "-A", "-f")
        self.git("commit", "-q", "--allow-empty", "-m", "change", at=at)

    def snapshot(self) -> dict[str, tuple[bytes, int]]:
        """Content and mode of every file outside the Git directory, to show that nothing was changed."""
        return {
            str(each.relative_to(self.path)): (each.read_bytes(), each.stat().st_mode)
            for each in sorted(self.path.rglob("*"))
            if each.is_file() and ".git" not in each.relative_to(self.path).parts
        }


@pytest.fixture(autouse=True)
def clean_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No configuration, cache, hook or terminal of the developer is seen."""
    for name in list(os.environ):
        if name.startswith(("GIT_", "LC_", "LANG", "PRE_COMMIT", "XDG_", "RECALL_CACHE")):
            monkeypatch.delenv(name)
    for name in ("NO_COLOR", "COLUMNS", "TERM"):
        monkeypatch.delenv(name, raising=False)
    home = tmp_path / "home"
    home.mkdir()
    (home / "gitconfig").write_text(
        "[user]\n\tname = Someone\n\temail = someone@example.org\n[init]\n\tdefaultBranch = main\n"
        '[protocol "file"]\n\tallow = always\n[gc]\n\tauto = 0\n[advice]\n\tdetachedHead = false\n'
    )
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    monkeypatch.setenv("RECALL_CACHE_DIR", str(home / "cache"))
    monkeypatch.setattr(clock, "now", lambda: THE_DAY)
    # Somebody may be editing the program while its tests run; `test_kept` asks what the stamp is for.
    monkeypatch.setattr(run_cache, "_code_stamp", lambda: "stamp")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """An empty folder outside Git, which the test works in."""
    path = tmp_path / "project"
    path.mkdir()
    monkeypatch.chdir(path)
    return Project(path)


@pytest.fixture
def repository(project: Project) -> Project:
    """An empty Git repository without a commit, which the test works in."""
    project.init()
    return project


@pytest.fixture
def case(project: Project, cases: Path) -> Callable[..., Path]:
    """Copies a case's memos, without what is said of them, into the working folder; gives back the case's folder."""

    def copy(kind: str, name: str, below: str = "") -> Path:
        said = shutil.ignore_patterns("expect.md", "expected-*.md", "steps.md")
        shutil.copytree(cases / kind / name / below, project.path, dirs_exist_ok=True, ignore=said)
        return cases / kind / name

    return copy


@pytest.fixture
def recall(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Recall:
    return Recall(capfd, monkeypatch)


@pytest.fixture(scope="session")
def conforms() -> Callable[[object, str], bool]:
    """Whether a value is what a published schema says; the validator's error tells where it is not."""

    def conforms(instance: object, name: str) -> bool:
        schema = json.loads((Path(recall_lint.__file__).parent / f"schema/{name}.schema.json").read_text())
        Draft202012Validator(schema).validate(instance)
        return True

    return conforms
