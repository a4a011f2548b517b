"""The evaluation of prose: labels are read and judged as their README says."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.labels import load_labels, render_share, wilson
from benchmarks.measurements.prose import judge, measure
from benchmarks.processes import MeasuringError
from benchmarks.row import Metric
from benchmarks.setting import Setting

WORKER = Path(__file__).parents[2] / "benchmarks" / "workers" / "prose.py"


def write(folder: Path) -> None:
    docs = folder / "some" / "docs"
    docs.mkdir(parents=True)
    (docs / "new-1.md").write_text("---\nsupersedes:\n- old-1\ntitle: N\n---\n# N\n\nThis memo supersedes [[old-1]].\n")
    (docs / "old-1.md").write_text("# O\n")
    row = {"strength": "clear", "kind": "full", "side": "newer"}
    edge = {"newer": "new-1", "older": "old-1", "kind": "full", "provable_from_newer": True, "narrated_in_newer": True}
    (folder / "some" / "edges.jsonl").write_text(json.dumps({**edge, "prose_evidence": [row]}) + "\n")
    negative = {"collection": "some", "file": "old-1", "target": "new-1", "check_may_show": False}
    (folder / "negatives.jsonl").write_text(json.dumps(negative) + "\n")


def test_a_told_edge_is_predicted_without_its_declaration(tmp_path: Path) -> None:
    write(tmp_path)
    run = subprocess.run([sys.executable, str(WORKER), str(tmp_path)], capture_output=True, check=True)
    answer = json.loads(run.stdout)
    (row,) = answer["predictions"]
    assert (row["newer"], row["older"], row["kind"], row["proof"]) == ("new-1", "old-1", "question", True)
    rows = {each.name: each for each in judge(load_labels(str(tmp_path)), answer["predictions"], answer["memos"])}
    assert rows["fix: wrong proposals"].figures == {Metric.COUNT: 0}
    assert rows["fix: of the edges that the newer memo proves"].note.startswith("1/1 = 1.000 [")
    assert rows["check: negatives asked"].figures == {Metric.SHARE: 0.0}
    # One question in two memos is more than six to a hundred, and so is missed here.
    assert [name for name, row in rows.items() if row.reached is False] == ["check: questions"]
    assert rows["check: questions"].figures == {Metric.PER_100: 50.0, Metric.COUNT: 1}


def test_every_goal_of_prose_is_held_against_a_figure(tmp_path: Path) -> None:
    write(tmp_path)
    rows = [row.to_json() for row in judge(load_labels(str(tmp_path)), [], [{"collection": "some", "memo": "else"}])]
    limits = {row["name"]: (goal.get("at_least"), goal.get("at_most")) for row in rows for goal in row["goals"]}
    assert limits == {
        "fix: wrong proposals": (None, 0),
        "fix: of the edges that the newer memo proves": (0.85, None),
        "fix: of the edges that either memo proves": (0.85, None),
        "check: asked or shown, told in the newer": (0.95, None),
        "check: asked or shown, told in either": (0.90, None),
        "check: asked, told in the newer": (0.45, None),
        "check: asked, told in either": (0.50, None),
        "check: questions": (None, 6),
        "check: held back": (None, 40),
        "check: negatives asked": (None, 0.02),
        "check: memos that replace nothing, asked": (None, 0.01),
    }


def test_a_wrong_proposal_is_counted_and_misses_its_goal(tmp_path: Path) -> None:
    write(tmp_path)
    labels = load_labels(str(tmp_path))
    turned = {"collection": "some", "newer": "old-1", "older": "new-1", "memo": "old-1", "kind": "question"}
    first = next(judge(labels, [{**turned, "proof": True, "reason": None}], []))
    assert (first.figures, first.reached) == ({Metric.COUNT: 1}, False)
    assert labels.find_wrong({("some", "old-1", "new-1"), ("some", "x", "y")}) == {("some", "old-1", "new-1")}


def test_an_interval_is_wilsons() -> None:
    low, high = wilson(12, 15)
    assert (round(low, 3), round(high, 3)) == (0.548, 0.93)
    assert render_share(0, 0) == "-"


def test_without_data_it_says_what_to_name() -> None:
    with pytest.raises(MeasuringError, match="--data"):
        next(measure(Setting(None)))  # type: ignore[arg-type]  # it stops before it looks
