"""A generation in PostgreSQL: built, searched, and its approximate index compared with an exact scan.

`--data` holds the collections with `search.jsonl`. Vectors of real chunks are made by the local model once and kept in
the user's cache; at a hundred processor-seconds for a thousand of them the first run takes a while.
"""

import os
from collections.abc import Iterator

from benchmarks.processes import MeasuringError
from benchmarks.row import Goal, Metric, Row
from benchmarks.setting import Setting, say

USUAL = (45_000,)
FULL = (10_000, 1_000_000)
EMBEDDED = 10_000
P50 = {45_000: 8.0, 1_000_000: 40.0}
"""The most milliseconds that half of the searches may take, by chunks."""

RECALL = 0.97


def measure(setting: Setting) -> Iterator[Row]:
    """The size counts chunks."""
    if setting.data is None:
        raise MeasuringError("name the folder of the collections with `search.jsonl`: `--data DIR`")
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    for size in setting.choose_sizes(USUAL, FULL):
        say(f"store: {size:,} chunks")
        folder = os.path.join(setting.scratch, f"store-{size}")
        found = setting.environment.worker(
            *("store", os.path.abspath(setting.data), os.path.join(cache, "recall"), folder),
            *(str(size), str(EMBEDDED), str(setting.rounds or 3)),
        )
        note = f"{found['embedded']:,} embedded for real"
        yield Row(
            "build",
            size,
            {Metric.PER_SECOND: found["chunks"] / found["build_s"], Metric.DISK: found["disk_mb"]},
            (),
            note,
        )
        goals = (Goal(Metric.P50, P50[size]),) if size in P50 else ()
        yield Row("search", size, {Metric.P50: found["p50_ms"], Metric.P95: found["p95_ms"]}, goals)
        for name, key in (
            ("", "recall"),
            (", half of the chunks", "recall_filtered"),
            (", one of 100", "recall_narrow"),
        ):
            if found[key] is not None:
                yield Row(f"recall@10{name}", size, {Metric.SHARE: found[key]}, (Goal(Metric.SHARE, RECALL, True),))
