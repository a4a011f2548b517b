"""Throw-away Git repositories that know nothing of the developer's configuration or clock; made-up measurements."""

import os
import random
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from recall_core.adapters.git.repository import Git
from recall_core.calibration.artifact import Artifact, Binding
from recall_core.calibration.bundle import Bundle
from recall_core.calibration.measure import Maker, build_artifact, take_sample
from recall_core.calibration.queryset import build_query_set
from recall_core.calibration.rule import Midgap

# 2024-01-01T00:00:00Z; each commit of a test is a day later than the one before unless it says otherwise.
FIRST_DAY = 1_704_067_200
DAY = 86_400


@dataclass
class Repository:
    """A repository under construction; `day` counts its commits."""

    path: Path
    environment: dict[str, str]
    day: int = 0

    def git(self, *arguments: str, **more: str) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=self.path, env={**self.environment, **more}, capture_output=True, check=False
        )
        assert done.returncode == 0, os.fsdecode(done.stderr)
        return os.fsdecode(done.stdout)

    def try_git(self, *arguments: str) -> int:
        return subprocess.run(
            ["git", *arguments], cwd=self.path, env=self.environment, capture_output=True, check=False
        ).returncode

    def write(self, path: str, text: str | bytes = "text\n") -> Path:
        full = self.path / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(text.encode() if isinstance(text, str) else text)
        return full

    def add(self, path: str, text: str | bytes = "text\n") -> None:
        self.write(path, text)
        self.git("--literal-pathspecs", "add", "-f", "--", path)

    def dated(self, day: int) -> dict[str, str]:
        committed = f"@{FIRST_DAY + day * DAY} +0000"
        # The author's date must never show up anywhere.
        return {"GIT_COMMITTER_DATE": committed, "GIT_AUTHOR_DATE": "@1000000000 +0000"}

    def commit(self, *arguments: str, day: int | None = None) -> str:
        if day is None:
            self.day += 1
            day = self.day
        self.git("commit", "-q", "--allow-empty", "-m", "change", *arguments, **self.dated(day))
        return self.git("rev-parse", "HEAD").strip()

    def find(self, below: str = "", **more: str) -> Git:
        found = Git.find(str(self.path / below), {**self.environment, **more})
        assert found is not None
        return found

    def clone(self, name: str, *options: str) -> "Repository":
        target = self.path.parent / name
        # An address with a protocol: a plain path would be copied whole, whatever the options say.
        self.git("clone", "-q", *options, self.path.as_uri(), str(target))
        return Repository(target, self.environment)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment in which Git sees no configuration but this one, and no repository around the test's folder."""
    home = tmp_path / "home"
    home.mkdir()
    configuration = home / "gitconfig"
    configuration.write_text(
        "[user]\n\tname = Someone\n\temail = someone@example.org\n[init]\n\tdefaultBranch = main\n"
        '[protocol "file"]\n\tallow = always\n[uploadpack]\n\tallowFilter = true\n[gc]\n\tauto = 0\n'
        "[advice]\n\tdetachedHead = false\n\taddEmbeddedRepo = false\n"
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "LC_", "LANG"))}
    return {
        **kept,
        "HOME": str(home),
        "GIT_CONFIG_GLOBAL": str(configuration),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(tmp_path),
    }


@pytest.fixture
def repository(tmp_path: Path, environment: dict[str, str]) -> Repository:
    """An empty repository without a commit."""
    path = tmp_path / "repository"
    path.mkdir()
    made = Repository(path, environment)
    made.git("init", "-q")
    return made


@pytest.fixture
def measure() -> Callable[..., Bundle]:
    """Measures twenty-five queries of each class on a generation: other numbers with each seed, the same labels.

    They certify unless `apart` says that the classes score alike; `labels` names another query set.
    """

    def make(binding: Binding, seed: int = 0, *, apart: bool = True, labels: str = "first") -> Bundle:
        queries = build_query_set(
            [{"query": f"{labels} answered {number}", "answerable": True} for number in range(25)]
            + [{"query": f"{labels} unknown {number}", "answerable": False} for number in range(25)]
        )
        noise = random.Random(seed)
        centre = {True: 0.7, False: 0.4 if apart else 0.7}
        samples = [take_sample(entry, noise.gauss(centre[entry.answerable], 0.04)) for entry in queries]
        maker = Maker("measurer", datetime(2026, 3, 1, tzinfo=UTC), "1.0")
        artifact = build_artifact(queries, samples, Midgap(), binding, maker)
        assert isinstance(artifact, Artifact)
        return Bundle(artifact, queries)

    return make
