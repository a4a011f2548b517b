"""What a command costs: CPU seconds of user and system with all its children, wall seconds, peak memory."""

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

_LAUNCHER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "workers", "launch.py")


class MeasuringError(Exception):
    """A measurement could not be made; the message says what was run and what it answered."""


@dataclass(frozen=True, slots=True)
class Usage:
    """One run: seconds, seconds, bytes."""

    cpu: float
    wall: float
    peak: int


@dataclass(frozen=True, slots=True)
class Command:
    """A program to run as a fresh process.

    `prepare` runs before each round, outside the measured time. A run that ends with another status than `expected`
    ends the measurement.
    """

    arguments: Sequence[str]
    folder: str
    variables: Mapping[str, str]
    prepare: Callable[[], None] | None = None
    expected: int = 0


@dataclass(frozen=True, slots=True)
class Sample:
    """The runs of one command."""

    runs: list[Usage] = field(default_factory=list)

    @property
    def cpu_median(self) -> float:
        """Seconds."""
        return statistics.median(run.cpu for run in self.runs)

    @property
    def cpu_best(self) -> float:
        """Seconds."""
        return min(run.cpu for run in self.runs)

    @property
    def wall_best(self) -> float:
        """Seconds."""
        return min(run.wall for run in self.runs)

    @property
    def peak(self) -> int:
        """Bytes, of the run that took most; the largest of the process and its children, not their sum."""
        return max(run.peak for run in self.runs)


def measure_interleaved(commands: Mapping[str, Command], rounds: int) -> dict[str, Sample]:
    """Run the commands one after the other, `rounds` times over, so that a busy moment falls on all of them alike."""
    samples = {name: Sample() for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            if command.prepare is not None:
                command.prepare()
            samples[name].runs.append(run(command))
    return samples


def run(command: Command) -> Usage:
    """One run. Raises MeasuringError where it did not end as expected."""
    output = os.path.join(command.variables["TMPDIR"], "output")
    request = {
        "arguments": list(command.arguments),
        "folder": command.folder,
        "variables": dict(command.variables),
        "output": output,
    }
    launched = subprocess.run(
        [sys.executable, "-I", "-S", _LAUNCHER], input=json.dumps(request), capture_output=True, text=True, check=False
    )
    words = " ".join(command.arguments)
    if launched.returncode:
        raise MeasuringError(f"`{words}` could not be started: {launched.stderr.strip()}")
    answer = json.loads(launched.stdout)
    if answer["status"] != command.expected:
        raise MeasuringError(f"`{words}` ended with status {answer['status']}:\n{_tail(output)}")
    return Usage(answer["cpu"], answer["wall"], answer["peak"])


def call(arguments: Sequence[str], *, folder: str | None = None, variables: Mapping[str, str] | None = None) -> str:
    """The output of a program that is not measured. Raises MeasuringError where it cannot run or fails."""
    try:
        done = subprocess.run(arguments, cwd=folder, env=variables, capture_output=True, check=False)
    except OSError as error:
        raise MeasuringError(f"{arguments[0]}: {error.strerror}") from error
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).decode(errors="replace")
        raise MeasuringError(f"`{' '.join(arguments)}` failed:\n{said[-2000:]}")
    return done.stdout.decode()


def _tail(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()[-2000:].strip()
