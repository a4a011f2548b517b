"""The installation that is measured: an interpreter, the console script beside it, and the variables both get."""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from benchmarks.processes import MeasuringError, call

PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_WORKERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "workers")

_DESCRIBE = """
import contextlib, importlib.util, io, json, os, platform, sys, tempfile
import yaml
from recall_core import __version__
from recall_lint.cli.main import main
os.chdir(tempfile.mkdtemp())
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main(["lint"])
ours = ("recall_core", "recall_lint")
sources = [module.__file__ for name, module in sys.modules.items() if name.partition(".")[0] in ours]
compiled = sum(os.path.exists(importlib.util.cache_from_source(source)) for source in sources)
print(json.dumps({
    "recall": __version__,
    "python": f"{platform.python_implementation()} {platform.python_version()}",
    "modules": len(sources),
    "compiled": compiled,
    "c_parser": yaml.__with_libyaml__,
}))
"""
"""Runs once what is to be measured, which compiles it where that may be kept, and sees whether it was."""


@dataclass(frozen=True)
class Environment:
    """An interpreter, and a folder of ours for everything that the measured programs write."""

    python: str
    scratch: str

    @property
    def recall(self) -> str:
        """The console script."""
        return os.path.join(os.path.dirname(self.python), "recall")

    @cached_property
    def variables(self) -> Mapping[str, str]:
        """What the measured programs get as environment: nothing of ours, nothing of the user's Git configuration."""
        variables = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": self.scratch,
            "TMPDIR": self.scratch,
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "RECALL_CACHE_DIR": self.user_cache,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CEILING_DIRECTORIES": self.scratch,
        }
        for who in ("AUTHOR", "COMMITTER"):
            variables |= {f"GIT_{who}_NAME": "Somebody", f"GIT_{who}_EMAIL": "somebody@example.invalid"}
        if "PYTHONDONTWRITEBYTECODE" in os.environ:
            variables["PYTHONDONTWRITEBYTECODE"] = "1"
        return variables

    @property
    def user_cache(self) -> str:
        """Where recall keeps what it read outside of Git."""
        return os.path.join(self.scratch, "cache")

    @cached_property
    def facts(self) -> Mapping[str, Any]:
        """Versions, and how many modules are compiled. Raises MeasuringError where recall is not installed."""
        answer = self.ask(["-c", _DESCRIBE])
        if not os.access(self.recall, os.X_OK):
            raise MeasuringError(f"there is no console script {self.recall}; `--install` measures a fresh installation")
        facts: dict[str, Any] = json.loads(answer)
        return facts

    def worker(self, name: str, *arguments: str) -> Any:
        """What one of the scripts in `workers` answers, run in this environment."""
        return json.loads(self.ask([os.path.join(_WORKERS, f"{name}.py"), *arguments]))

    def ask(self, arguments: Sequence[str]) -> str:
        """The output of the interpreter, run apart from the folder we stand in. Raises MeasuringError when it fails."""
        options = ("-I", "-B") if "PYTHONDONTWRITEBYTECODE" in self.variables else ("-I",)
        return call([self.python, *options, *arguments], folder=self.scratch, variables=self.variables)


def install(scratch: str) -> Environment:
    """A new virtual environment with a wheel of this very tree and its dependencies. Needs the package index."""
    python = create_environment(os.path.join(scratch, "environment"))
    pip(python, "install", build_wheel(scratch))
    return Environment(python, scratch)


def create_environment(folder: str) -> str:
    """The interpreter of a new virtual environment."""
    call([sys.executable, "-m", "venv", folder])
    return os.path.join(folder, "bin", "python")


def build_wheel(scratch: str) -> str:
    """The path of a wheel built from the project."""
    folder = os.path.join(scratch, "wheel")
    call([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, PROJECT])
    (wheel,) = os.listdir(folder)
    return os.path.join(folder, wheel)


def pip(python: str, *arguments: str) -> None:
    """Run an environment's own pip, with the user's configuration: it knows where the package index is."""
    call([python, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments])
