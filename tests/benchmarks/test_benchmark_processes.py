"""Measuring a process: its children count, and one that fails is not a figure."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from benchmarks.processes import Command, MeasuringError, measure_interleaved, run

BURN = "import time\nwhile time.process_time() < 0.1: pass"


@pytest.fixture
def variables(tmp_path: Path) -> Mapping[str, str]:
    return {"TMPDIR": str(tmp_path), "PATH": os.environ["PATH"]}


def command(code: str, variables: Mapping[str, str], **more: object) -> Command:
    return Command([sys.executable, "-S", "-c", code], variables["TMPDIR"], variables, **more)  # type: ignore[arg-type]  # options by name


def test_cpu_of_children_counts(variables: Mapping[str, str]) -> None:
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-S', '-c', {BURN!r}], check=True)"
    usage = run(command(child, variables))
    assert usage.cpu >= 0.1
    assert usage.wall > 0


def test_peak_memory_is_that_of_the_program_and_not_of_who_started_it(variables: Mapping[str, str]) -> None:
    ballast = bytearray(os.urandom(1)) * 300_000_000
    small = run(command("pass", variables)).peak
    large = run(command("b'x' * 100_000_000", variables)).peak
    assert len(ballast) > large > small + 90_000_000
    assert small < 50_000_000


def test_a_program_that_fails_is_told_with_its_words(variables: Mapping[str, str]) -> None:
    with pytest.raises(MeasuringError, match=r"(?s)status 3.*out of paper"):
        run(command("import sys; print('out of paper', file=sys.stderr); sys.exit(3)", variables))


def test_a_program_that_is_not_there_is_told(variables: Mapping[str, str], tmp_path: Path) -> None:
    with pytest.raises(MeasuringError, match="could not be started"):
        run(Command([str(tmp_path / "absent")], str(tmp_path), variables))


def test_a_status_that_is_expected_is_no_failure(variables: Mapping[str, str]) -> None:
    run(command("import sys; sys.exit(1)", variables, expected=1))


def test_commands_take_turns_each_prepared_before_its_run(variables: Mapping[str, str], tmp_path: Path) -> None:
    log = tmp_path / "log"

    def said(name: str) -> Command:
        code = f"open({str(log)!r}, 'a').write('{name}')"
        return command(code, variables, prepare=lambda: log.open("a").close())

    samples = measure_interleaved({"a": said("a"), "b": said("b")}, 2)
    assert log.read_text() == "abab"
    assert [len(sample.runs) for sample in samples.values()] == [2, 2]
