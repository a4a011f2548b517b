"""The base install: how much a fresh virtual environment grows, from wheels alone, so that no compiler is needed."""

import os
from collections.abc import Iterator

from benchmarks.environment import build_wheel, create_environment
from benchmarks.processes import Command, measure_interleaved
from benchmarks.row import Goal, Metric, Row, figures_of
from benchmarks.setting import Setting, say


def measure(setting: Setting) -> Iterator[Row]:
    """Time is that of pip, fetching included. It compiles what it installs, which counts in the size."""
    say("building and installing a wheel")
    folder = os.path.join(setting.scratch, "installation")
    os.makedirs(folder)
    wheel = build_wheel(folder)
    python = create_environment(os.path.join(folder, "environment"))
    bare = _size(folder)
    words = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:", wheel]
    # pip is the user's own here: it knows where the package index is, and may keep what it fetched.
    variables = {**os.environ, "TMPDIR": setting.scratch}
    sample = measure_interleaved({"install": Command(words, folder, variables)}, 1)["install"]
    figures = figures_of(sample)
    figures[Metric.DISK] = (_size(folder) - bare) / 1e6
    yield Row(
        "base install, wheels only",
        None,
        figures,
        (Goal(Metric.DISK, 45),),
        f"the bare one takes {bare / 1e6:.0f} MB",
    )


def _size(folder: str) -> int:
    """Bytes that all files below take on the disk, symlinks not followed."""
    return sum(
        os.lstat(os.path.join(parent, name)).st_blocks * 512 for parent, _, names in os.walk(folder) for name in names
    )
