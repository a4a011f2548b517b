"""Calibrate on some labels, and count what the rest gets: OBSERVATIONS SPLITS SEED. Prints JSON: one object a case.

In each split the questions are halved at random. The labels of either class come from one half, and everything is
counted on the other. A case is a kind of unanswerable question and a number of labels.
"""

import json
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recall_core.calibration.admission import admit_signals
from recall_core.calibration.certify import measure_separability
from recall_core.calibration.evidence import Evidence, fit_evidence
from recall_core.calibration.rule import Midgap, Rule, parse_rule
from recall_core.calibration.sample import Sample
from recall_core.calibration.threshold import Placement, least_labels, place_threshold

Rows = NDArray[np.float64]
"""A cosine and the signals for each question."""

LABELS = (20, 50, 100, 200)
RULES = {text: parse_rule(text) for text in ("midgap", "conformal:0.05", "bounded:0.05,0.1")}
COVERAGE = 0.90
TARGET = 0.05


def main(path: str, splits: int, seed: int) -> None:
    """Every kind with every number of labels that half of its questions can give."""
    with open(path, encoding="utf-8") as file:
        seen = {kind: np.array(rows) for kind, rows in json.load(file).items()}
    cases = [
        measure(seen, kind, labels, splits=splits, seed=seed)
        for kind in ("far", "mid", "near")
        for labels in LABELS
        if labels <= len(seen[kind]) // 2
    ]
    print(json.dumps(cases))


def measure(seen: dict[str, Rows], kind: str, labels: int, *, splits: int, seed: int) -> dict[str, Any]:
    """The means over all splits: of the rules, and of the false answers at one coverage."""
    chance = np.random.default_rng(seed)
    counted = [_split(seen, kind, labels, chance) for _ in range(splits)]
    rules = {}
    for name in (*RULES, *(f"{rule}, cosine" for rule in RULES)):
        placed = [each["rules"][name] for each in counted if each["rules"][name] is not None]
        rules[name] = {
            "placed": len(placed),
            "false_answers": _mean([wrong for wrong, _ in placed]),
            "error": float(np.std([wrong for wrong, _ in placed]) / np.sqrt(len(placed))) if placed else None,
            "coverage": _mean([covered for _, covered in placed]),
            "over": sum(wrong > TARGET for wrong, _ in placed),
        }
    means = {name: _mean([each[name] for each in counted]) for name in ("admitted", "certified", *_AT_COVERAGE)}
    missing = {
        name: 0 if isinstance(rule, Midgap) else max(0, least_labels(rule) - labels) for name, rule in RULES.items()
    }
    return {"kind": kind, "labels": labels, "splits": splits, "rules": rules, "missing": missing, **means}


_AT_COVERAGE = ("gated", "always", "cosine")


def _split(seen: dict[str, Rows], kind: str, labels: int, chance: np.random.Generator) -> dict[str, Any]:
    answerable, unanswerable = seen["answerable"], seen[kind]
    first = chance.permutation(len(answerable))
    # A question whose paragraph is withheld stays on the side of the same question with the paragraph.
    second = first if kind == "mid" else chance.permutation(len(unanswerable))
    half, other = len(first) // 2, len(second) // 2
    yes, no = answerable[first[:half][:labels]], unanswerable[second[:other][-labels:]]
    test_yes, test_no = answerable[first[half:]], unanswerable[second[other:]]
    samples = [
        Sample(f"{label}-{number}", label, row[0], row[0], None, tuple(row[1:].tolist()))
        for label, rows in ((True, yes), (False, no))
        for number, row in enumerate(rows)
    ]
    judged = admit_signals(samples)
    plain = [Sample(each.entry, each.answerable, each.cosine, each.cosine) for each in samples]
    fitted = fit_evidence(
        [each.cosine for each in samples], [each.signals for each in samples], [each.answerable for each in samples]
    )
    scores = {
        "gated": (_score(test_yes, judged.evidence), _score(test_no, judged.evidence)),
        "always": (_score(test_yes, fitted), _score(test_no, fitted)),
        "cosine": (_score(test_yes, None), _score(test_no, None)),
    }
    rules = {name: _apply(judged.samples, rule, *scores["gated"]) for name, rule in RULES.items()}
    rules |= {f"{name}, cosine": _apply(plain, rule, *scores["cosine"]) for name, rule in RULES.items()}
    high, low = _classes(judged.samples)
    return {
        "rules": rules,
        "admitted": float(judged.admission.admitted),
        "certified": float(measure_separability(sorted(high), sorted(low)).certified is True),
        **{name: float((below >= np.quantile(above, 1 - COVERAGE)).mean()) for name, (above, below) in scores.items()},
    }


def _apply(samples: Any, rule: Rule, above: Rows, below: Rows) -> tuple[float, float] | None:
    """False answers and coverage of the rest; None where the labels are too few for the rule."""
    placed = place_threshold(*_classes(samples), rule)
    if not isinstance(placed, Placement):
        return None
    return float((below >= placed.threshold).mean()), float((above >= placed.threshold).mean())


def _classes(samples: Any) -> tuple[list[float], list[float]]:
    return (
        [each.score for each in samples if each.answerable],
        [each.score for each in samples if not each.answerable],
    )


def _score(rows: Rows, evidence: Evidence | None) -> Rows:
    if evidence is None:
        return rows[:, 0]
    moved: Rows = rows[:, 0] + (rows[:, 1:] - np.array(evidence.centres)) @ np.array(evidence.slopes)
    return moved


def _mean(numbers: list[float]) -> float | None:
    return float(np.mean(numbers)) if numbers else None


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
