"""The measurement of the judgment."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_a_judgment_is_measured_for_each_hit(tmp_path: Path) -> None:
    written = tmp_path / "figures.json"
    command = [sys.executable, "-m", "benchmarks", "judge", "--size", "300", "--repeat", "1", "--json", str(written)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    rows = json.loads(written.read_text("utf-8"))["rows"]
    assert [row["name"] for row in rows] == [f"judge {hits} hits" for hits in (5, 10, 20, 50, 200)]
    assert all(row["each_us"] > 0 for row in rows)
    assert [bool(row["goals"]) for row in rows] == [True, True, True, True, False]
