"""The measurement of indexing."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_building_and_finding_nothing_changed_are_measured(tmp_path: Path) -> None:
    written = tmp_path / "figures.json"
    command = [sys.executable, "-m", "benchmarks", "index", "--size", "60", "--repeat", "1", "--json", str(written)]
    subprocess.run([*command, "--scratch", str(tmp_path)], cwd=ROOT, check=True, capture_output=True)
    rows = json.loads(written.read_text("utf-8"))["rows"]
    assert [row["name"] for row in rows] == ["index, all new", "index, nothing changed"]
    assert all(row["each_us"] > 0 for row in rows)
