"""`python -m benchmarks`: measure, and say which of the goals are reached. A goal that is missed is no failure."""

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence

from benchmarks.environment import Environment, install
from benchmarks.machine import describe_machine
from benchmarks.measurements import MEASUREMENTS
from benchmarks.processes import MeasuringError
from benchmarks.report import print_rich, render_heading, render_json, render_plain
from benchmarks.row import Row
from benchmarks.setting import Measurement, Setting, say


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when everything asked for was measured, whatever the figures; 1 when something could not be."""
    given = _parser().parse_args(arguments)
    if given.list:
        for each in MEASUREMENTS:
            print(f"{each.name:<14}{each.summary}{'' if each.usual else '; only by its name'}")
        return 0
    chosen = [each for each in MEASUREMENTS if each.name in given.names or (each.usual and not given.names)]
    with tempfile.TemporaryDirectory(prefix="recall-benchmarks-", dir=given.scratch) as folder:
        scratch = os.path.realpath(folder)
        try:
            if given.install:
                say("installing")
            environment = install(scratch) if given.install else Environment(given.python, scratch)
            machine = describe_machine(environment)
        except MeasuringError as error:
            print(f"benchmarks: {error}", file=sys.stderr)
            return 1
        sizes = tuple(given.size) if given.size else None
        setting = Setting(environment, sizes, given.repeat, given.full, given.data, given.embedder)
        print(render_heading(machine), flush=True)
        rows, failures = _measure(chosen, setting)
    if given.json:
        with sys.stdout if given.json == "-" else open(given.json, "w", encoding="utf-8") as file:
            file.write(render_json(machine, rows, failures))
    return int(bool(failures))


def _measure(chosen: Sequence[Measurement], setting: Setting) -> tuple[list[Row], list[str]]:
    """The rows of all measurements, each one's table printed when it is done, and what went wrong."""
    all_rows: list[Row] = []
    failures: list[str] = []
    for each in chosen:
        rows: list[Row] = []
        try:
            rows.extend(each.measure(setting))
        except MeasuringError as error:
            failures.append(f"{each.name}: {error}")
            print(f"benchmarks: {each.name} could not be measured: {error}", file=sys.stderr)
        if not rows:
            continue
        print(f"\n{each.name}: {each.summary}")
        if sys.stdout.isatty():
            print_rich(rows)
        else:
            print(render_plain(rows), flush=True)
        all_rows += rows
    return all_rows, failures


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure what recall promises. CPU seconds are user and system, with all children.",
    )
    names = [each.name for each in MEASUREMENTS]
    parser.add_argument(
        "names", nargs="*", metavar="NAME", choices=[*names, []], help=f"only these: {', '.join(names)}"
    )
    parser.add_argument("--list", action="store_true", help="say what can be measured")
    parser.add_argument(
        "--size", type=_positive, nargs="+", metavar="N", help="memos or edges, instead of the usual sizes"
    )
    parser.add_argument(
        "--full", action="store_true", help="the sizes too that take minutes: 100,000 memos, 1,000,000 edges"
    )
    parser.add_argument("--repeat", type=_positive, metavar="N", help="rounds of everything")
    parser.add_argument(
        "--data",
        metavar="DIR",
        help="real memos for `reading`, labelled collections for `prose`, public questions for `thresholds`",
    )
    parser.add_argument("--embedder", metavar="NAME", help="for `thresholds`, instead of the default model")
    parser.add_argument("--json", metavar="FILE", help="write all figures there (`-`: standard output)")
    parser.add_argument("--scratch", metavar="DIR", help="where corpora are written; a RAM disk makes it faster")
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--python", default=sys.executable, metavar="FILE", help="measure this interpreter's environment"
    )
    which.add_argument("--install", action="store_true", help="build a wheel and measure it in a new environment")
    return parser


def _positive(text: str) -> int:
    number = int(text.replace(",", "").replace("_", ""))
    if number < 1:
        raise ValueError(text)
    return number


if __name__ == "__main__":
    sys.exit(main())
