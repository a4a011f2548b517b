"""Throw-away repositories with real hooks in them: those of pre-commit and prek, and the scripts in `hooks/`."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

PROJECT = Path(__file__).resolve().parent.parent.parent
PROGRAMS = Path(sys.executable).parent
DATE = "2026-01-01T00:00:00Z"
GIT_CONFIGURATION = """\
[user]
    name = Someone
    email = someone@example.org
[init]
    defaultBranch = main
[protocol "file"]
    allow = always
[gc]
    auto = 0
[commit]
    gpgSign = false
[advice]
    detachedHead = false
"""
# What an outer hook, a framework around the tests or a CI leaves in the environment.
LEAKS = ("GIT_", "PRE_COMMIT", "PREK", "RECALL_", "LC_", "LANG", "CI", "FORCE_COLOR", "NO_COLOR", "SKIP")


@dataclass(frozen=True)
class Done:
    """A program that has ended: its exit status and all it said."""

    status: int
    said: str


@dataclass
class Repository:
    """A work tree and the environment in which programs run there."""

    path: Path
    environment: dict[str, str]

    def attempt(self, *words: str | os.PathLike[str], below: str = ".", stdin: str = "", **more: str) -> Done:
        """Run a program here, whatever its exit status."""
        done = subprocess.run(
            [os.fspath(word) for word in words],
            cwd=self.path / below,
            env={**self.environment, **more},
            input=os.fsencode(stdin),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        return Done(done.returncode, done.stdout.decode("utf-8", "backslashreplace"))

    def run(self, *words: str | os.PathLike[str], below: str = ".", stdin: str = "", **more: str) -> str:
        """Run a program here that must succeed; what it said."""
        done = self.attempt(*words, below=below, stdin=stdin, **more)
        assert done.status == 0, done.said
        return done.said

    def git(self, *words: str, **more: str) -> str:
        return self.run("git", *words, **more)

    def recall(self, *words: str, **more: str) -> Done:
        return self.attempt("recall", *words, **more)

    def write(self, name: str, text: str | bytes) -> Path:
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return file

    def memo(self, name: str, *supersedes: str, body: str = "Text.\n") -> Path:
        """Write a memo that supersedes others."""
        items = "".join(f"  - {each}\n" for each in supersedes)
        return self.write(name, f"---\nsupersedes:\n{items}---\n{body}" if items else f"# {name!a}\n\n{body}")

    def add(self, *names: str) -> None:
        self.git("--literal-pathspecs", "add", "-f", "--", *names)

    def stage(self, name: str, *supersedes: str) -> None:
        """Write a memo and stage it."""
        self.memo(name, *supersedes)
        self.add(name)

    def commit(self, *words: str, **more: str) -> Done:
        """Commit what is staged, through the hooks."""
        return self.attempt("git", "commit", "-q", "-m", "change", *words, **more)

    def commit_unchecked(self, *words: str) -> str:
        """Commit what is staged past the hooks; the commit's id."""
        self.git("commit", "-q", "--no-verify", "--allow-empty", "-m", "change", *words)
        return self.git("rev-parse", "HEAD").strip()

    def at(self, path: Path) -> "Repository":
        """Another work tree in the same environment."""
        return Repository(path, self.environment)


def start_repository(path: Path, environment: dict[str, str]) -> Repository:
    path.mkdir(parents=True, exist_ok=True)
    repository = Repository(path, environment)
    repository.git("init", "-q")
    return repository


def isolated(home: Path, given: Mapping[str, str]) -> dict[str, str]:
    """`given` without what would lead Git, a framework or recall astray, and a home of its own."""
    home.mkdir(parents=True, exist_ok=True)
    configuration = home / "gitconfig"
    configuration.write_text(GIT_CONFIGURATION)
    kept = {name: value for name, value in given.items() if not name.startswith(LEAKS)}
    return {
        **kept,
        "PATH": f"{PROGRAMS}{os.pathsep}{kept['PATH']}",
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "GIT_CONFIG_GLOBAL": str(configuration),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(home.parent),
        "GIT_AUTHOR_DATE": DATE,
        "GIT_COMMITTER_DATE": DATE,
        "GIT_TERMINAL_PROMPT": "0",
        "NO_COLOR": "1",
        "LC_ALL": "C.UTF-8",
        "PRE_COMMIT_HOME": str(home / "pre-commit"),
        "PREK_HOME": str(home / "prek"),
    }


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment that knows nothing of the developer's, with this project's `recall` first on its PATH."""
    assert (PROGRAMS / "recall").exists(), "install the project into the environment that runs the tests"
    return isolated(tmp_path / "home", os.environ)


@pytest.fixture
def as_user() -> dict[str, str]:
    """Variables for a step that installs packages: where from, and what is kept, stands in the user's own home."""
    home = os.environ.get("HOME", "")
    folders = {"XDG_CONFIG_HOME": f"{home}/.config", "XDG_CACHE_HOME": f"{home}/.cache"}
    return {"HOME": home, **{name: os.environ.get(name, folder) for name, folder in folders.items()}, "PYTHONPATH": ""}


@pytest.fixture
def repository(tmp_path: Path, environment: dict[str, str]) -> Repository:
    """An empty repository, without a commit and without hooks."""
    return start_repository(tmp_path / "repository", environment)


@pytest.fixture
def count_calls(tmp_path: Path) -> Callable[[Repository, str], Callable[[], list[str]]]:
    """Puts a wrapper of a program first on a repository's PATH; what comes back gives the arguments of each call so far."""

    def wrap(repository: Repository, program: str) -> Callable[[], list[str]]:
        folder = tmp_path / "wrappers"
        folder.mkdir(exist_ok=True)
        log, real = folder / f"{program}.log", repository.run("sh", "-c", f"command -v {program}").strip()
        log.touch()
        wrapper = folder / program
        wrapper.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$*\" >> '{log}'\nexec '{real}' \"$@\"\n")
        wrapper.chmod(0o755)
        repository.environment["PATH"] = f"{folder}{os.pathsep}{repository.environment['PATH']}"
        return lambda: log.read_text().splitlines()

    return wrap


@pytest.fixture(scope="session")
def hook_table() -> dict[str, dict[str, object]]:
    """The hooks that `.pre-commit-hooks.yaml` declares, by id."""
    declared = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text())
    return {hook["id"]: hook for hook in declared}


@dataclass(frozen=True)
class Framework:
    """pre-commit or prek, with our hooks as its configuration names them."""

    program: str
    configuration: str

    def set_up(self, repository: Repository) -> Repository:
        """Commit the configuration and install the framework's hooks."""
        repository.write(".pre-commit-config.yaml", self.configuration)
        repository.add(".pre-commit-config.yaml")
        repository.commit_unchecked()
        repository.run(self.program, "install")
        return repository

    def run(self, repository: Repository, *words: str, **more: str) -> Done:
        return repository.attempt(self.program, "run", *words, **more)


@pytest.fixture(params=["pre-commit", "prek"])
def framework(request: pytest.FixtureRequest, hook_table: dict[str, dict[str, object]]) -> Framework:
    """Each framework with the hooks that lint, as local ones: they run the `recall` on the PATH, and nothing is built."""
    hooks = [as_local(hook) for name, hook in hook_table.items() if name.startswith("recall-lint")]
    return Framework(request.param, configuration([{"repo": "local", "hooks": hooks}]))


def as_local(hook: dict[str, object]) -> dict[str, object]:
    """A declared hook as one of the repository's own."""
    return {
        name: value for name, value in {**hook, "language": "system"}.items() if name != "minimum_pre_commit_version"
    }


@pytest.fixture
def framework_with(framework: Framework, hook_table: dict[str, dict[str, object]]) -> Callable[..., Framework]:
    """The framework with these declared hooks instead, by id; `args` are given to the last of them."""

    def build(*names: str, args: tuple[str, ...] = ()) -> Framework:
        hooks = [as_local(hook_table[name]) for name in names]
        if args:
            hooks[-1]["args"] = list(args)
        return Framework(framework.program, configuration([{"repo": "local", "hooks": hooks}]))

    return build


def configuration(repositories: list[dict[str, object]]) -> str:
    stages = ["pre-commit", "pre-merge-commit", "pre-push"]
    return yaml.safe_dump({"default_install_hook_types": stages, "repos": repositories})


@pytest.fixture
def configuration_of() -> Callable[[list[dict[str, object]]], str]:
    """The text of a framework's configuration for some `repos`."""
    return configuration


@pytest.fixture
def hooked(framework: Framework, repository: Repository) -> Repository:
    """A repository with one commit, in which a framework runs our hooks."""
    return framework.set_up(repository)


@dataclass(frozen=True)
class Published:
    """A repository to install from, its one commit, and a folder for what is built from it."""

    path: Path
    revision: str

    def beside(self, name: str) -> Path:
        return self.path.parent / name

    @contextmanager
    def locked(self, name: str) -> Iterator[None]:
        """Held by one process of the run at a time."""
        with self.beside(f"{name}.lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


@pytest.fixture(scope="session")
def published(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Published:
    """The project as it is here, for frameworks and actions to install from; one for all workers of a run."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if hasattr(request.config, "workerinput") else base
    source = shared / "published"
    environment = isolated(shared / "home", os.environ)
    with Published(source, "").locked("published"):
        if not source.exists():
            making = start_repository(shared / "published.new", environment)
            for name in ("recall_core", "recall_lint", "hooks"):
                shutil.copytree(PROJECT / name, making.path / name, ignore=shutil.ignore_patterns("__pycache__"))
            for name in ("LICENSE", "README.md", "pyproject.toml", ".pre-commit-hooks.yaml"):
                shutil.copy(PROJECT / name, making.path / name)
            making.add(".")
            making.commit_unchecked()
            making.path.rename(source)
    return Published(source, Repository(source, environment).git("rev-parse", "HEAD").strip())
