"""The awkward inputs on prose and on what is written, through `check`, `fix` and `lint`.

What is right stands in each case's `expect.md`; `test_reading_cases.py` has the others.
"""

import pytest

# Where a sentence stands, whose edge it would be, and what holds it back.
HELD_BACK = [
    (5, "input.md", "queue-v1.md", "reported-speech"),
    (6, "input.md", "queue-v1.md", "hedged"),
    (7, "input.md", "queue-v1.md", "negated"),
    (8, "input.md", "queue-v1.md", "question"),
    (9, "input.md", "queue-v1.md", "conditional"),
    (10, "queue-v1.md", "queue-v0.md", "other-subject"),
    (12, "input.md", "queue-v1.md", "quoted"),
    (13, "input.md", "queue-v1.md", "partial"),
]


@pytest.fixture
def check(recall, conforms):
    """What `check --format json` says of `input.md`, with the exit status."""

    def check(*arguments):
        result = recall("check", "--format", "json", "input.md", *arguments)
        assert conforms(result.json, "check")
        (memo,) = result.json["memos"]
        return result.status, memo

    return check


@pytest.fixture
def fix(recall, conforms):
    """What `fix --format json` answers, with the exit status."""

    def fix(*arguments):
        result = recall("fix", "--format", "json", *arguments)
        assert conforms(result.json, "fix")
        return result.status, result.json

    return fix


def row(candidate):
    return candidate["evidence"]["line"], candidate["declare_in"], candidate["target"], candidate["held_back"]


def test_12_code_and_comments_ask_nothing(case, check):  # K3, L2
    case("frontmatter", "12-links-in-code")
    _, memo = check()
    (only,) = memo["candidates"]
    assert row(only) == (26, "input.md", "shell-style-v1.md", None)
    assert memo["needs_attention"]


def test_12_what_does_not_prove_it_is_not_proposed(case, project, fix):  # K3, K6
    case("frontmatter", "12-links-in-code")
    before = project.snapshot()
    status, found = fix()
    # The label in front of it may mean that somebody else speaks: the author is asked instead.
    assert (status, found["proposals"]) == (0, [])
    assert [row(each)[:3] for each in found["refusals"]] == [(26, "input.md", "shell-style-v1.md")]
    assert project.snapshot() == before


def test_12_links_in_code_are_no_findings(case, recall):
    case("frontmatter", "12-links-in-code")
    assert recall.lint().codes == ["input.md:26:12 RL301"]


def test_20_accepting_changes_one_line_byte_for_byte(case, project, recall, check, fix):  # K7, L1
    right = (case("frontmatter", "20-writer-fidelity") / "expected-after-accept.md").read_bytes()
    _, memo = check()
    (asked,) = memo["candidates"]
    assert (row(asked), asked["paste"]) == (
        (16, "input.md", "backups-weekly.md", None),
        {"line": 12, "text": "supersedes: backups-weekly.md"},
    )
    assert recall("check", "input.md", "--accept", "backups-weekly").status == 0
    assert project.read("input.md") == right
    assert recall("check", "input.md", "--accept", "backups-weekly").out == "input.md: says so already\n"
    assert project.read("input.md") == right
    status, memo = check("--strict")
    assert (status, memo["needs_attention"], memo["declared"]) == (0, False, ["backups-weekly.md"])
    assert [each["answer"] for each in memo["candidates"]] == ["declared"]
    assert recall("check", "input.md").out == ""
    assert fix()[1]["proposals"] == []


def test_20_fix_writes_the_same_bytes(case, project, recall):  # K7, K13
    right = (case("frontmatter", "20-writer-fidelity") / "expected-after-accept.md").read_bytes()
    assert recall("fix", "--write").status == 0
    assert project.read("input.md") == right
    assert recall.verdicts() == {"backups-weekly.md": "superseded", "input.md": "ok"}
    before = project.snapshot()
    assert recall("fix", "--write").status == 0
    assert project.snapshot() == before


def test_23_every_line_is_held_back_with_its_reason(case, check):  # K2, K3, L1
    case("frontmatter", "23-prose-is-not-a-declaration")
    status, memo = check("--strict")
    assert (status, memo["needs_attention"]) == (0, False)
    assert [row(each) for each in memo["candidates"]] == HELD_BACK


def test_23_fix_proposes_and_writes_nothing(case, project, fix):  # K2, K3
    case("frontmatter", "23-prose-is-not-a-declaration")
    before = project.snapshot()
    status, found = fix("--write")
    assert (status, found["proposals"], found["written"]) == (0, [], 0)
    assert [row(each) for each in found["refusals"]] == HELD_BACK
    assert project.snapshot() == before


def test_23_no_sentence_is_a_declaration_or_an_error(case, project, recall):
    case("frontmatter", "23-prose-is-not-a-declaration")
    result = recall.lint()
    assert result.status == 0
    assert {(each["code"], each["severity"]) for each in result.json["diagnostics"]} <= {
        ("RL209", "warning"),  # queue-v0 and queue-v1: nothing declares that one replaced the other
        ("RL301", "warning"),
    }
    assert 11 not in [each["line"] for each in result.json["diagnostics"]]
    before = project.snapshot()
    recall.lint("--fix", "--unsafe-fixes")
    assert project.snapshot() == before
