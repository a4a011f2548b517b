"""The measurement of stale answers, on three made-up memos."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.exact import mcnemar, wilson
from benchmarks.measurements.stale import judge
from benchmarks.row import Metric
from benchmarks.workers import stale

OLD = "---\nvalid_from: 2020-01-01\n---\n# Limits\n\nEvery key may send ten requests a minute.\n"
NEW = "---\nvalid_from: 2024-01-01\nsupersedes: old\n---\n# Buckets\n\nTokens are refilled.\n"
LATER = "---\nvalid_from: 2025-01-01\n---\n# Meeting\n\nNotes of nothing in particular.\n"


def write(folder: Path) -> None:
    docs = folder / "corpora" / "api" / "docs"
    docs.mkdir(parents=True)
    for name, text in (("old", OLD), ("new", NEW), ("later", LATER)):
        (docs / f"{name}.md").write_text(text)
    rows = [
        {
            "query": "Every key may send ten requests a minute",
            "answerable": True,
            "relevant": ["api:new"],
            "trap_stale": ["api:old"],
            "edge_declared": True,
        },
        {"query": "zebra quartz", "answerable": False, "relevant": [], "trap_stale": []},
    ]
    (folder / "corpora" / "search.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    write(tmp_path)
    stale.main(str(tmp_path), "hash:2048", str(tmp_path / "cache"), "0", "corpora")
    return json.loads(capsys.readouterr().out)


def test_each_arm_chooses_from_the_same_hits(found: Any) -> None:
    chosen = {name: outcomes[0] for name, outcomes in found["arms"].items()}
    assert chosen == {
        "plain cosine": "stale",
        "hybrid": "stale",
        "recency-weighted 0.1": "stale",
        "recency-weighted 0.3": "stale",
        "newest of top 3": "stale",
        "newest of top 3, old files re-synced": "stale",
        "edges demote only": "abstained",
        "promoted if retrieved": "in force",
        "fetched by key": "in force",
    }
    assert found["ablations"]["0.1"] == {"in force": 1.0}


def test_rows_say_fractions_intervals_and_goals(found: Any) -> None:
    rows = {row.name: row for row in judge(found)}
    ours = rows["corpora: fetched by key, in force"]
    assert (ours.figures[Metric.SHARE], ours.reached) == (1.0, True)
    assert ours.note.startswith("1/1, 95 % 0.21 to 1.00; 0 another memo, 0 abstained; exact McNemar p = 1.0000 against")
    assert rows["corpora: fetched by key, stale"].reached
    assert rows["corpora: plain cosine, stale"].reached is None


def test_wilson_and_mcnemar_agree_with_tables() -> None:
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(0, 0) == (0.0, 1.0)
    assert mcnemar(1, 9) == pytest.approx(0.021484375)
    assert mcnemar(0, 0) == 1.0
