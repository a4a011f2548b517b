"""The parts of reading a memo, in microseconds of CPU each."""

import os
from collections.abc import Iterator

from benchmarks.corpus import build_memos
from benchmarks.row import Metric, Row
from benchmarks.setting import Setting, say

GENERATED = (2_000,)


def measure(setting: Setting) -> Iterator[Row]:
    """Over the Markdown files below `--data`, else over generated memos."""
    if setting.data is not None:
        yield from _measure(setting, setting.data, "real memos")
        return
    for size in setting.choose_sizes(GENERATED, ()):
        yield from _measure(setting, _write(setting, size), "generated memos")


def _measure(setting: Setting, folder: str, which: str) -> Iterator[Row]:
    say(f"reading {which}")
    answer = setting.environment.worker("reading", folder, str(setting.rounds or 5))
    for part in answer["parts"]:
        note = f"of {part['of']}" + (f", {part['share']:.0%} of them" if part["share"] < 1 else "")
        figures = {Metric.EACH: part["each"] * 1e6, Metric.CPU_BEST: part["cpu_best"]}
        yield Row(
            f"read: {part['name']}",
            answer["memos"],
            figures,
            note=f"{which}, {answer['bytes'] / answer['memos'] / 1000:.1f} KB; {note}",
        )


def _write(setting: Setting, size: int) -> str:
    folder = os.path.join(setting.scratch, f"reading-{size}")
    for memo in build_memos(size):
        path = os.path.join(folder, memo.path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(memo.content)
    return folder
