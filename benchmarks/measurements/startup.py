"""Processes that do next to nothing, beside one that imports click and nothing else."""

import os
import re
import subprocess
from collections.abc import Iterator, Sequence

from benchmarks.environment import Environment
from benchmarks.processes import Command, MeasuringError, measure_interleaved
from benchmarks.row import Goal, Metric, Row, figures_of
from benchmarks.setting import Setting, say

ROUNDS = 21
_PEER = "python -c 'import click'"
_GOALS = {"recall --version": (Goal(Metric.RATIO, 1.3),)}
_IMPORTED = re.compile(r"^import time: +\d+ \| +\d+ \| *([\w.]+)$", re.MULTILINE)
_INSTALLED = """
import sys
from importlib.util import find_spec
print(*(name for name in sys.argv[1:] if name not in sys.stdlib_module_names and find_spec(name)), sep=", ")
"""


def measure(setting: Setting) -> Iterator[Row]:
    """Ratios are to the peer."""
    say("start-up")
    environment = setting.environment
    empty = os.path.join(setting.scratch, "empty")
    os.makedirs(empty, exist_ok=True)
    recall = environment.recall
    commands = {
        "python -c pass": [environment.python, "-c", "pass"],
        _PEER: [environment.python, "-c", "import click"],
        "recall --version": [recall, "--version"],
        "recall --help": [recall, "--help"],
        "recall lint, empty folder": [recall, "lint"],
    }
    samples = measure_interleaved(
        {name: Command(words, empty, environment.variables) for name, words in commands.items()},
        setting.rounds or ROUNDS,
    )
    bare = frozenset(_find_imports(environment, commands["python -c pass"], empty))
    for name, sample in samples.items():
        note = _describe_imports(environment, commands[name], empty, bare) if commands[name][0] == recall else ""
        peer = None if name == _PEER else samples[_PEER]
        yield Row(name, None, figures_of(sample, peer), _GOALS.get(name, ()), note)


def _describe_imports(environment: Environment, command: Sequence[str], folder: str, bare: frozenset[str]) -> str:
    """How many modules a command imports that Python alone does not, and which packages beside the standard library."""
    modules = [module for module in _find_imports(environment, command, folder) if module not in bare]
    # Some names are tried and not there.
    packages = environment.ask(["-c", _INSTALLED, *sorted({module.partition(".")[0] for module in modules})])
    ours = sum(module.startswith(("recall_core", "recall_lint")) for module in modules)
    return f"{len(modules)} modules, {ours} of them ours; packages: {packages.strip()}"


def _find_imports(environment: Environment, command: Sequence[str], folder: str) -> list[str]:
    interpreted = command[1:] if command[0] == environment.python else command
    done = subprocess.run(
        [environment.python, "-X", "importtime", *interpreted],
        cwd=folder,
        env=environment.variables,
        capture_output=True,
        text=True,
        check=False,
    )
    modules = _IMPORTED.findall(done.stderr)
    if not modules:
        raise MeasuringError(f"`{' '.join(command)}` imports nothing: {done.stderr[-200:]}")
    return modules
