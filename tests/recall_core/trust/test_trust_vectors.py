"""The vectors under tests/data/trust (BEHAVIOURS B2, B6, C12, C13, D1, D4 to D9, D11 to D13, D18, G10)."""

from pathlib import Path

import pytest
import yaml

from recall_core.trust.promote import find_missing_successors
from recall_core.trust.threshold import Threshold

FOLDER = Path(__file__).resolve().parents[2] / "data" / "trust"
VECTORS = [
    (file.stem, vector) for file in sorted(FOLDER.glob("*.yaml")) for vector in yaml.safe_load(file.read_text("utf-8"))
]
KEYS = {
    "about", "at", "known_at", "threshold", "scale", "memos", "recorded", "hits", "fetched", "dense", "wants", "expect",
    "abstains", "says", "gap",
}  # fmt: skip


def pairs(lines):
    """`path cosine` as a pair; a hyphen is no cosine."""
    split = [line.rsplit(" ", 1) for line in lines]
    return [(path, None if cosine == "-" else float(cosine)) for path, cosine in split]


def shown(hit):
    return f"{hit.path} {hit.verdict.value}" + (f" from {hit.promoted_from}" if hit.promoted_from else "")


@pytest.mark.parametrize(
    "vector", [each for _, each in VECTORS], ids=[f"{stem}: {each['about']}" for stem, each in VECTORS]
)
def test_vector(tools, vector):
    assert set(vector) <= KEYS, "a key that README.md does not know"
    value = vector.get("threshold", 0.60)
    threshold = None if value == "none" else Threshold(value, vector.get("scale", 0.05))
    world = tools.World(
        vector["memos"],
        at=vector.get("at", "2026-06-01"),
        known_at=vector.get("known_at"),
        recorded=vector.get("recorded"),
        threshold=threshold,
    )
    options = {"fetched": pairs(vector.get("fetched", ()))}
    if "dense" in vector:
        options["dense_cosines"] = vector["dense"]
    if threshold is None:
        options["grounds"] = tools.make_grounds(is_strict=False)
    hits = pairs(vector["hits"])
    result = world.search(*hits, standings=world.standings, **options)
    assert [shown(hit) for hit in result.hits] == vector["expect"]
    expected = None if vector["abstains"] is False else vector["abstains"]
    assert result.reason_code == expected
    assert result.abstained is (expected is not None)
    assert bool(result.reason) is result.abstained
    says = vector.get("says", [])
    for part in [says] if isinstance(says, str) else says:
        assert str(part) in result.reason
    if "gap" in vector:
        assert result.gap_warning is vector["gap"]
    if "wants" in vector:
        candidates = [world.candidate(path, cosine) for path, cosine in hits]
        assert list(find_missing_successors(candidates, world.instants, threshold)) == vector["wants"]
