"""The evaluation of prose: labels are read and judged as their README says."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.labels import load_labels, render_share, wilson
from benchmarks.measurements.prose import judge, measure
from benchmarks.processes import MeasuringError
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
    notes = {each.name: each.note for each in judge(load_labels(str(tmp_path)), answer["predictions"], answer["memos"])}
    assert notes["fix: wrong proposals"].endswith("goal none: reached")
    assert notes["check: negatives asked"].startswith("0/1")


def test_a_wrong_proposal_is_counted(tmp_path: Path) -> None:
    write(tmp_path)
    labels = load_labels(str(tmp_path))
    assert labels.find_wrong({("some", "old-1", "new-1"), ("some", "x", "y")}) == {("some", "old-1", "new-1")}


def test_an_interval_is_wilsons() -> None:
    low, high = wilson(12, 15)
    assert (round(low, 3), round(high, 3)) == (0.548, 0.93)
    assert render_share(0, 0) == "-"


def test_without_data_it_says_what_to_name() -> None:
    with pytest.raises(MeasuringError, match="--data"):
        next(measure(Setting(None)))  # type: ignore[arg-type]  # it stops before it looks
