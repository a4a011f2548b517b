"""How well the legs of a search, and both together, find the memo that answers a labelled question."""

import os
from collections.abc import Iterator

from benchmarks.processes import MeasuringError
from benchmarks.row import Metric, Row
from benchmarks.setting import Setting, say

SAMPLES = 2000


def measure(setting: Setting) -> Iterator[Row]:
    """`share` is nDCG@10 over the questions that can be answered, whose number is the size."""
    if setting.data is None:
        raise MeasuringError("name the folder of the collections with `search.jsonl`: `--data DIR`")
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    say("retrieval: embedding and searching")
    found = setting.environment.worker(
        "retrieval", os.path.abspath(setting.data), os.path.join(cache, "recall"), str(setting.rounds or SAMPLES)
    )
    for row in found["rows"]:
        figures = {
            name: f"{row[name][0]:.3f} ({row[name][1]:.3f}-{row[name][2]:.3f})" for name in ("hit", "mrr", "ndcg")
        }
        note = f"hit@5 {figures['hit']}, MRR {figures['mrr']}, nDCG@10 {figures['ndcg']}"
        yield Row(f"{row['kind']}: {row['leg']}", row["questions"], {Metric.SHARE: row["ndcg"][0]}, (), note)
