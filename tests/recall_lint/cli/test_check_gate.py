"""`recall check` as a gate: every candidate is shown, the memo is validated, and what cannot be checked is said."""

import pytest

OLD = "# Limits, first\n"


@pytest.fixture
def pair(project):
    project.write("limits-v1.md", OLD)
    project.write("limits-v2.md", "# Limits, second\n\nThis memo supersedes [[limits-v1]].\n")
    return project


def test_every_candidate_is_shown_questions_first_and_the_rest_with_its_reason(pair, recall, conforms):  # L1
    pair.write("limits-v0.md", "# Limits, zero\n")
    pair.write("rates.md", "# Rates\n")
    pair.write(
        "limits-v2.md",
        "# Limits, second\n\nThis memo may supersede [[rates]].\n\nThis memo supersedes [[limits-v2]].\n\n"
        "This memo supersedes [[nowhere]].\n\nThis memo supersedes [[limits-v1]].\n",
    )
    result = recall("check", "--format", "json", "limits-v2.md")
    assert conforms(result.json, "check")
    (memo,) = result.json["memos"]
    assert [(each["target"], each["kind"], each["held_back"]) for each in memo["candidates"]] == [
        ("limits-v1.md", "told", None),
        ("rates.md", "told", "hedged"),
        ("limits-v2.md", "told", "self"),  # held back: whether a memo replaces itself is no question
        ("[[nowhere]]", "told", "target-missing"),
        ("limits-v0.md", "resembles", None),
    ]
    assert result.json["summary"] == {"memos": 1, "questions": 1, "held_back": 3}
    out = recall("check", "limits-v2.md").out
    places = [out.index(words) for words in ("question: does", "held back, nobody is asked", "resembles, though")]
    assert places == sorted(places)
    assert "hedged, the sentence is not sure" in out
    assert out.count("question:") == 1


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("valid_from: 2026-02-30", "RL105"),
        ("supersedes: nowhere", "RL201"),
        ("supersedes: gate", "RL203"),
        ("supersedes: [a", "RL102"),
    ],
)
@pytest.mark.parametrize("where", ["on disk", "staged"])
def test_the_memo_at_the_gate_is_validated(repository, recall, where, line, code):  # L6, L4
    repository.memo("gate.md", line)
    words = ["gate.md"]
    if where == "staged":
        repository.git("add", "-A")
        repository.write("gate.md", "mended since\n")
        words = ["--staged"]
    result = recall("check", *words)
    assert result.status == 1
    assert f"gate.md:2:13: error {code}" in result.out


@pytest.mark.parametrize("staged", [False, True])
def test_a_new_name_that_makes_anothers_edge_ambiguous_fails(repository, recall, staged):  # L6
    repository.write("limits-v1.md", OLD)
    repository.memo("user.md", "supersedes: limits-v1")
    repository.commit()
    repository.write("archive/limits-v1.md", "# The same name\n")
    repository.git("add", "-A")
    result = recall("check", *(["--staged"] if staged else ["archive/limits-v1.md"]))
    assert result.status == 1
    assert "user.md:2:13: error RL202: `limits-v1` names 2 memos" in result.out


def test_a_missing_file_is_an_object_where_json_was_asked_for(pair, recall, conforms):  # L4
    result = recall("check", "--format", "json", "nowhere.md")
    assert result.status == 2
    assert conforms(result.json, "error")
    assert "`nowhere.md` does not exist" in result.json["error"]["message"]


def test_odd_names_are_asked_and_pasted_as_they_are(project, recall):  # L4, L5
    old, new = "der alte Beschluß (2024).md", "it's $(new).md"
    project.write(old, OLD)
    project.write(new, f"This memo supersedes [it](<{old}>).\n")
    assert recall("check", new, "--accept", old).status == 0
    assert recall.verdicts() == {old: "superseded", new: "ok"}


def test_an_accepted_edge_is_seen_by_lint_and_status(pair, recall):  # K13
    assert recall("check", "limits-v2.md", "--accept", "limits-v1").status == 0
    assert recall.lint().codes == []
    assert recall.verdicts() == {"limits-v1.md": "superseded", "limits-v2.md": "ok"}
