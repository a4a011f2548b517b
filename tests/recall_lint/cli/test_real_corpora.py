"""`recall lint` over every collection of real documents: no crash, nothing changed, and no error that is not one."""

import shutil
from collections import Counter

import pytest

COLLECTIONS = {
    "acps": 21,
    "arcs": 32,
    "aries": 87,
    "bips": 53,
    "caips": 30,
    "cips": 48,
    "eeps": 45,
    "eips": 176,
    "honeydrunk": 56,
    "iota": 15,
    "keps": 53,
    "misc": 75,
    "neps": 38,
    "openshift": 49,
    "peps": 181,
    "prisma": 84,
    "rust": 83,
    "xeps": 145,
}
"""The collections turned into memos, and how many documents each has."""

DIALECTS = {
    "adr-tools": [],
    "eip": [],
    "kep": [],
    "log4brains": [],
    # Both read by hand: `supersedes: ["0021"]` and `["0005"]` are numbers, and name no file.
    "madr": [
        "0022-scan-inbound-markers-in-check-and-ci-without-giving-them-exit-code-authority.md RL201",
        "0027-ratify-the-deterministic-evaluator-and-bind-calibration-reporting-to-the-first-probabilistic-pass.md RL201",
    ],
    "pep": [],
}
"""The originals, in conventions of their own, and what is an error in them."""

# Read by hand. RL213 are cumulative lists (a list names what its first item replaced before), RL205 two successors each.
GRAPH_FINDINGS = {
    "aries": {"RL213": 2},
    "cips": {"RL205": 1},
    "keps": {"RL213": 1},
    "openshift": {"RL205": 1},
    "peps": {"RL205": 2, "RL213": 3},
    "prisma": {"RL205": 1},
    "xeps": {"RL205": 1, "RL213": 2},
}


@pytest.mark.parametrize("name", COLLECTIONS)
def test_a_collection_of_memos_has_no_error(project, recall, conforms, shared, name):
    shutil.copytree(shared / "corpora" / name / "docs", project.path / "docs")
    before = project.snapshot()
    result = recall.lint("--at", "2026-09-01")  # the day after they were taken
    assert (result.status, result.err) == (0, "")
    assert conforms(result.json, "lint")
    assert result.json["summary"]["memos"] == COLLECTIONS[name]
    assert result.json["summary"]["errors"] == 0
    found = Counter(each["code"] for each in result.json["diagnostics"] if each["code"] != "RL301")
    assert dict(found) == GRAPH_FINDINGS.get(name, {})
    status = recall("status", "--format", "json")
    assert (status.status, conforms(status.json, "status")) == (0, True)
    assert project.snapshot() == before


@pytest.mark.parametrize("name", DIALECTS)
def test_the_originals_are_read_without_a_crash(project, recall, conforms, shared, name):
    shutil.copytree(shared / "corpora/raw" / name, project.path / name)
    before = project.snapshot()
    result = recall.lint()
    assert conforms(result.json, "lint")
    errors = [each for each in result.json["diagnostics"] if each["severity"] == "error"]
    assert [f"{each['path'].rpartition('/')[2]} {each['code']}" for each in errors] == DIALECTS[name]
    for form in ("full", "concise", "github", "sarif", "jsonl"):
        assert recall("lint", "--verbose", "--format", form).status == result.status
    assert recall("status").status == 0
    assert project.snapshot() == before
