"""The measurement of thresholds, on made-up searches."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.measurements.thresholds import judge
from benchmarks.row import Metric
from benchmarks.workers.observations import Corpus
from benchmarks.workers.thresholds import main, measure
from recall_core.calibration.signals import NAMES, compute_signals

SIGNALS = len(NAMES)


def draw(mean: float, number: int, seed: int) -> np.ndarray:
    """Questions with a cosine of that mean, and signals of noise."""
    chance = np.random.default_rng(seed)
    return np.column_stack([chance.normal(mean, 0.1, number), chance.normal(size=(number, SIGNALS))])


@pytest.fixture
def seen() -> dict[str, np.ndarray]:
    return {
        "answerable": draw(0.7, 400, 1),
        "far": draw(0.3, 200, 2),
        "mid": draw(0.5, 400, 3),
        "near": draw(0.7, 400, 4),
    }


def test_what_is_apart_is_answered_right_and_what_is_not_is_not(seen: dict[str, np.ndarray]) -> None:
    far, near = (measure(seen, kind, 50, splits=20, seed=1) for kind in ("far", "near"))
    assert far["gated"] < 0.02
    assert near["gated"] == pytest.approx(0.9, abs=0.03)
    assert far["certified"] > 0.9
    assert near["certified"] == 0
    assert far["rules"]["conformal:0.05, cosine"]["false_answers"] == pytest.approx(0.03, abs=0.03)


def test_the_same_seed_gives_the_same_figures(seen: dict[str, np.ndarray]) -> None:
    first, second = (measure(seen, "mid", 20, splits=5, seed=9) for _ in range(2))
    assert first == second
    assert first != measure(seen, "mid", 20, splits=5, seed=10)


def test_too_few_labels_are_counted(
    seen: dict[str, np.ndarray], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "seen.json"
    path.write_text(json.dumps({kind: rows.tolist() for kind, rows in seen.items()}), "utf-8")
    main(str(path), 2, 1)
    cases = json.loads(capsys.readouterr().out)
    assert [(case["kind"], case["labels"]) for case in cases] == [
        *(("far", labels) for labels in (20, 50, 100)),
        *((kind, labels) for kind in ("mid", "near") for labels in (20, 50, 100, 200)),
    ]
    rows = {row.name: row for row in judge(cases[0])}
    assert rows["far: bounded:0.05,0.1, splits not certifiable"].figures == {Metric.COUNT: 2}
    assert "25 labels missing" in rows["far: bounded:0.05,0.1, splits not certifiable"].note
    assert rows["far: false answers at coverage 0.90"].goals[0].limit == 0.055
    assert "far: the seed's rule, false answers" in rows
    assert {row.name for row in judge(cases[1])} >= {"far: bounded:0.05,0.1, splits over 0.05"}


class Letters:
    """As many dimensions as there are letters."""

    def embed_documents(self, texts: list[str]) -> Any:
        rows = np.array([[text.lower().count(chr(97 + at)) for at in range(26)] for text in texts], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_a_withheld_paragraph_is_not_found() -> None:
    rows = [
        {"id": "a", "title": "Normans", "text": "The Normans came from Norway."},
        {"id": "b", "title": "Oxygen", "text": "Oxygen is a gas."},
    ]
    corpus = Corpus(rows, Letters())  # type: ignore[arg-type]
    text = "Where did the Normans come from?"
    (vector,) = Letters().embed_documents([text])
    found = dict(zip(NAMES, compute_signals(corpus.observe(text, vector)), strict=True))
    assert found["coverage_of_first"] > 0
    withheld = corpus.observe(text, vector, [corpus.numbers["a"]])
    assert withheld.lexical == 0
    assert dict(zip(NAMES, compute_signals(withheld), strict=True))["coverage_of_first"] == 0
