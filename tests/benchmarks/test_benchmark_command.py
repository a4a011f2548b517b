"""`python -m benchmarks` as people type it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.__main__ import main
from benchmarks.environment import Environment
from benchmarks.measurements import MEASUREMENTS
from benchmarks.measurements.check import measure
from benchmarks.setting import Setting

PROJECT = Path(__file__).resolve().parents[2]


def run(*arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", *arguments], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert done.returncode == status, done.stderr
    return done


def test_the_list_names_every_measurement(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [each.name for each in MEASUREMENTS]


def test_what_needs_the_index_or_labels_runs_only_by_its_name() -> None:
    assert [each.name for each in MEASUREMENTS if not each.usual] == [
        "editor",
        "index",
        "store",
        "retrieval",
        "prose",
        "thresholds",
        "stale",
        "installation",
    ]


def test_a_graph_is_measured_and_written_down(tmp_path: Path) -> None:
    written = tmp_path / "figures.json"
    told = run("graph", "--size", "400", "--repeat", "1", "--json", str(written)).stdout
    assert "graph ladder" in told
    result = json.loads(written.read_text())
    assert {row["name"] for row in result["rows"]} == {
        f"graph {shape}" for shape in ("chain", "forest", "fan-in", "cycle", "ladder")
    }
    assert all(row["size"] == 400 and row["cpu_median_s"] >= 0 and row["peak_mb"] > 1 for row in result["rows"])
    assert result["failures"] == []


def test_every_linting_figure_is_had_and_each_run_ends_well(tmp_path: Path) -> None:
    written = tmp_path / "figures.json"
    run("lint", "hook", "--size", "30", "--repeat", "1", "--json", str(written))
    names = {row["name"] for row in json.loads(written.read_text())["rows"]}
    assert names == {
        "lint cold",
        "lint warm",
        "lint warm, after a commit",
        "lint warm, one memo changed",
        "lint --staged cold",
        "lint --staged warm",
        "lint cold, no Git",
        "lint warm, no Git",
        "lint warm, one memo changed, no Git",
        "git ls-files -s -z",
        "hook, index known clean",
    }


def test_asking_is_measured_and_the_corpus_is_given_back(tmp_path: Path) -> None:
    setting = Setting(Environment(sys.executable, str(tmp_path)), (120,), 2)
    assert [row.name for row in measure(setting)] == [
        "check of one memo, edited since",
        "check of it again",
        "check of 100 staged memos",
        "fix, dry run of the corpus",
    ]
    root = setting.repository(120).root
    status = subprocess.run(["git", "status", "--porcelain"], cwd=root, capture_output=True, text=True, check=True)
    assert status.stdout == ""


def test_real_memos_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("---\nsupersedes: b\n---\nThis replaces [b](b.md).\n", encoding="utf-8")
    (tmp_path / "b.md").write_text("# Nothing\n", encoding="utf-8")
    told = run("reading", "--data", str(tmp_path), "--repeat", "1").stdout
    assert "read: read_file, the whole" in told
    assert "real memos" in told


def test_start_up_stands_beside_its_peer(tmp_path: Path) -> None:
    written = tmp_path / "figures.json"
    run("startup", "--repeat", "1", "--json", str(written))
    rows = {row["name"]: row for row in json.loads(written.read_text())["rows"]}
    assert rows["python -c 'import click'"]["ratio"] is None
    assert rows["recall --version"]["ratio"] > 0
    assert "click" in rows["recall --version"]["note"]
    assert "rich" not in rows["recall lint, empty folder"]["note"]


def test_an_environment_without_recall_is_told_and_ends_with_one(tmp_path: Path) -> None:
    told = run("graph", "--python", str(tmp_path / "python"), status=1).stderr
    assert "benchmarks: " in told
    assert "Traceback" not in told


def test_an_unknown_name_is_a_usage_error() -> None:
    assert "invalid choice" in run("nothing", status=2).stderr
