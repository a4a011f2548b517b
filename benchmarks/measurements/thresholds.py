"""How often a calibrated threshold answers what it should not, on public questions that it was not calibrated with.

`--data` holds `squad2-dev-half` and `nomiracl-en`. The seed's rule is `midgap` on the cosine alone; it stands beside.
"""

import os
from collections.abc import Iterator
from typing import Any

from benchmarks.processes import MeasuringError
from benchmarks.row import Goal, Metric, Row
from benchmarks.setting import Setting, say

EMBEDDER = "local"
SPLITS = 1000
SEED = 20260301
CONFORMAL, BOUNDED = "conformal:0.05", "bounded:0.05,0.1"
AT_COVERAGE = {("far", 20): 0.055, ("far", 100): 0.047, ("mid", 20): 0.56, ("mid", 100): 0.50}
"""The most false answers at coverage 0.90, by kind of question and labels a class."""


def measure(setting: Setting) -> Iterator[Row]:
    """Each kind of unanswerable question with each number of labels a class, which is the row's size."""
    if setting.data is None:
        raise MeasuringError("name the folder that holds `squad2-dev-half` and `nomiracl-en`: `--data DIR`")
    path = os.path.join(setting.scratch, "observations.json")
    say("searching with every question")
    embedder = setting.embedder or EMBEDDER
    seen = setting.environment.worker("observations", os.path.abspath(setting.data), embedder, path)
    counts = ", ".join(f"{number:,} {kind}" for kind, number in seen["counts"].items())
    yield Row("questions", sum(seen["counts"].values()), {}, note=f"{counts}; {seen['embedder']}; seed {SEED}")
    say("calibrating on random halves")
    splits = setting.rounds or SPLITS
    for case in setting.environment.worker("thresholds", path, str(splits), str(SEED)):
        yield from judge(case)


def judge(case: dict[str, Any]) -> Iterator[Row]:
    """The rows of one kind with one number of labels."""
    kind, labels, rules = case["kind"], case["labels"], case["rules"]
    limit = AT_COVERAGE.get((kind, labels))
    note = (
        f"the cosine alone {case['cosine']:.3f}; signals admitted in {case['admitted']:.0%} of splits, "
        f"always taken {case['always']:.3f}; certified {case['certified']:.0%}"
    )
    goals = (Goal(Metric.SHARE, limit),) if limit is not None else ()
    yield Row(f"{kind}: false answers at coverage 0.90", labels, {Metric.SHARE: case["gated"]}, goals, note)
    for rule in ("midgap, cosine", "midgap", CONFORMAL, BOUNDED):
        found = rules[rule]
        name = "the seed's rule" if rule == "midgap, cosine" else rule
        if not found["placed"]:
            missing = f"not certifiable, {case['missing'][rule]} labels missing"
            yield Row(f"{kind}: {name}, splits not certifiable", labels, {Metric.COUNT: case["splits"]}, note=missing)
            continue
        over = found["over"] / found["placed"]
        beside = rules.get(f"{rule}, cosine", found)
        note = f"± {found['error']:.4f}; coverage {found['coverage']:.3f}; over 0.05 in {over:.1%} of splits"
        if beside is not found:
            note += f"; the cosine alone {beside['false_answers']:.3f} at {beside['coverage']:.3f}"
        # The promise is a mean; that of so many splits misses it by chance, on either side.
        goals = (Goal(Metric.SHARE, round(0.05 + 2 * found["error"], 4)),) if rule == CONFORMAL else ()
        yield Row(f"{kind}: {name}, false answers", labels, {Metric.SHARE: found["false_answers"]}, goals, note)
        if rule == BOUNDED:
            yield Row(f"{kind}: {name}, splits over 0.05", labels, {Metric.SHARE: over}, (Goal(Metric.SHARE, 0.12),))
