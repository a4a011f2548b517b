"""`recall check`: what it asks, when it is silent, what it writes, and how it ends."""

import json

import pytest

OLD = "# Limits, first\n\nTen requests.\n"
NEW = "---\ntitle: Limits\n---\n# Limits, second\n\nThis memo supersedes [[limits-v1]].\n"
QUESTION = "limits-v2.md:6:11: question: does this memo replace `limits-v1.md`?\n"


@pytest.fixture
def pair(project):
    """A memo that replaces another in prose only."""
    project.write("limits-v1.md", OLD)
    project.write("limits-v2.md", NEW)
    return project


def check(recall, conforms, *arguments, **more):
    """`recall check --format json`, which conforms to its schema; the exit status and the memos by path."""
    result = recall("check", "--format", "json", *arguments, **more)
    assert result.status in (0, 1), result.err
    assert conforms(result.json, "check")
    return result.status, {memo["path"]: memo for memo in result.json["memos"]}


def asked(memo):
    return [
        (each["declare_in"], each["target"])
        for each in memo["candidates"]
        if each["kind"] == "told" and each["held_back"] is None and each["answer"] is None
    ]


def test_a_told_edge_is_asked_with_the_sentence_its_place_and_the_line_to_paste(pair, recall):  # L1
    result = recall("check", "limits-v2.md")
    assert (result.status, result.err) == (0, "")
    assert result.out == (
        QUESTION
        + "  6 | This memo supersedes [[limits-v1]].\n"
        + "  = yes: add as line 3 of `limits-v2.md`: `supersedes: limits-v1.md`\n"
        + "  =     or run `recall check limits-v2.md --accept limits-v1.md`\n"
        + "  = no:  `recall check limits-v2.md --decline limits-v1.md`\n\n"
        + "1 question in 1 memo.\n"
    )


def test_the_paste_ready_line_is_valid_where_it_is_said_to_belong(pair, recall, conforms):  # L1
    _, memos = check(recall, conforms, "limits-v2.md")
    (candidate,) = memos["limits-v2.md"]["candidates"]
    assert asked(memos["limits-v2.md"]) == [("limits-v2.md", "limits-v1.md")]
    assert memos["limits-v2.md"]["needs_attention"] is True
    lines = NEW.split("\n")
    lines.insert(candidate["paste"]["line"] - 1, candidate["paste"]["text"])
    pair.write("limits-v2.md", "\n".join(lines))
    assert recall("check", "--strict", "limits-v2.md") == (type(recall("--version")))(0, "", "")


def test_a_memo_without_frontmatter_is_given_a_block_to_paste(pair, recall, conforms):
    pair.write("limits-v2.md", "This memo supersedes [[limits-v1]].\n")
    _, memos = check(recall, conforms, "limits-v2.md")
    assert memos["limits-v2.md"]["candidates"][0]["paste"] == {
        "line": 1,
        "text": "---\nsupersedes: limits-v1.md\n---",
    }


def test_what_a_memo_says_of_itself_belongs_in_the_other_one(pair, recall, conforms):  # L1, K4
    pair.write("limits-v1.md", "# Limits\n\nThis memo is superseded by [[limits-v2]].\n")
    pair.write("limits-v2.md", "# Limits\n")
    _, memos = check(recall, conforms, "limits-v1.md")
    assert asked(memos["limits-v1.md"]) == [("limits-v2.md", "limits-v1.md")]
    assert "is this memo replaced by `limits-v2.md`?" in recall("check", "limits-v1.md").out


def test_what_others_say_of_a_memo_is_asked_there_too(pair, recall, conforms):  # L1
    _, memos = check(recall, conforms, "limits-v1.md")
    assert asked(memos["limits-v1.md"]) == [("limits-v2.md", "limits-v1.md")]


@pytest.mark.parametrize("answer", ["declared in the newer", "declared in the older", "declined", "suppressed"])
def test_it_is_silent_where_the_told_target_is_answered(pair, recall, conforms, answer):  # L2
    match answer:
        case "declared in the newer":
            pair.write("limits-v2.md", NEW.replace("title: Limits", "supersedes: limits-v1"))
        case "declared in the older":
            pair.write("limits-v1.md", "---\nsupersedes: limits-v2\n---\n")
        case "declined":
            pair.write("limits-v2.md", f"{NEW}\n<!-- recall: not-superseding limits-v1 -->\n")
        case "suppressed":
            pair.write("limits-v2.md", NEW.replace("This memo", "<!-- recall: ignore RL301 -->\nThis memo"))
    for path in ("limits-v1.md", "limits-v2.md"):
        result = recall("check", "--strict", path)
        assert (result.status, result.out, result.err) == (0, "", ""), path
    _, memos = check(recall, conforms, "limits-v2.md")
    assert {each["answer"] for each in memos["limits-v2.md"]["candidates"]} == {
        "declared" if answer.startswith("declared") else "declined"
    }


@pytest.mark.parametrize("name", ["README.md", "index.md", "docs/CHANGELOG.md", "_index.md"])
def test_index_files_are_never_asked(pair, recall, name):  # L2, K10
    pair.write(name, "This memo supersedes [[limits-v1]].\n")
    result = recall("check", "--strict", name)
    assert (result.status, result.out) == (0, "")


def test_a_memo_without_a_closure_word_is_not_asked(pair, recall):  # L2
    pair.write("other-thing.md", "See [[limits-v1]] and limits-v2.md.\n")
    result = recall("check", "--strict", "other-thing.md")
    assert (result.status, result.out) == (0, "")


def test_an_augmenting_memo_is_told_that_it_may_be_left_alone(pair, recall):  # L3
    pair.write("more.md", "This memo augments [[limits-v1]].\n")
    result = recall("check", "--strict", "more.md")
    assert result.status == 0
    assert "a memo that only adds to another may be left alone" in result.out


@pytest.mark.parametrize("sentence", ["This memo supersedes the old limits.", "This replaces what we said before."])
def test_a_closure_word_without_a_name_is_helped(pair, recall, sentence):  # L3
    pair.write("unnamed.md", f"# Limits\n\n{sentence}\n")
    result = recall("check", "--strict", "unnamed.md")
    assert result.status == 0
    assert "unnamed.md: line 3 says `" in result.out
    assert "link to the one that is meant" in result.out


def test_an_everyday_use_of_the_word_needs_no_help(pair, recall):
    pair.write("pump.md", "# Pump\n\nReplace the filter every month. It was replaced in May.\n")
    assert recall("check", "pump.md").out == ""


def test_an_open_question_fails_only_under_strict_and_an_error_always(pair, recall):  # L4
    assert recall("check", "limits-v2.md").status == 0
    assert recall("check", "--strict", "limits-v2.md").status == 1
    pair.memo("bad.md", "valid_from: 2026-02-30")
    result = recall("check", "bad.md")
    assert result.status == 1
    assert "bad.md:2:13: error RL105" in result.out


def test_a_missing_file_could_not_be_checked_and_a_file_that_is_no_memo_is_skipped(pair, recall):  # L4
    assert recall("check", "nowhere.md").status == 2
    pair.write("notes.txt")
    result = recall("check", "notes.txt")
    assert (result.status, result.out) == (0, "")
    assert "`notes.txt` is no memo" in result.err


@pytest.mark.parametrize(
    "data", [b"\xff\xfe supersedes [[limits-v1]]", b"a\x00b [[limits-v1]]", b"---\nsupersedes: x\n"]
)
def test_odd_bytes_are_an_error_and_no_crash(pair, recall, data):  # L4
    pair.write("odd.md", data)
    result = recall("check", "odd.md", "limits-v2.md")
    assert result.status == 1
    assert QUESTION in result.out
    assert "odd.md:1:" in result.out


def test_it_validates_the_memo_and_what_its_name_breaks_elsewhere(pair, recall, conforms):  # L6
    pair.memo("user.md", "supersedes: limits-v1")
    assert check(recall, conforms, "user.md")[0] == 0
    pair.write("archive/limits-v1.md", "# The same name\n")
    status, memos = check(recall, conforms, "archive/limits-v1.md")
    assert status == 1
    found = [(each["path"], each["code"]) for each in memos["archive/limits-v1.md"]["diagnostics"]]
    assert ("user.md", "RL202") in found


def test_findings_of_others_are_not_its_business(pair, recall):  # L6
    pair.memo("bad.md", "supersedes: nowhere")
    assert recall("check", "limits-v2.md").status == 0


def test_the_rule_that_check_asks_better_is_left_out(pair, recall, conforms):
    _, memos = check(recall, conforms, "limits-v2.md")
    assert memos["limits-v2.md"]["diagnostics"] == []
    assert "RL301" not in recall("check", "limits-v2.md").out


def test_questions_are_per_memo_and_what_two_memos_share_is_counted_once(pair, recall):
    result = recall("check", "--format", "json", "limits-v1.md", "limits-v2.md")
    assert result.json["summary"] == {"memos": 2, "questions": 1, "held_back": 0}
    assert recall("check", "limits-v1.md", "limits-v2.md").out.count("question:") == 1


def test_standard_input_is_checked_under_its_name(pair, recall):
    pair.write("limits-v2.md", "nothing yet\n")
    result = recall("check", "-", "--stdin-filename", "limits-v2.md", "--format", "concise", stdin=NEW.encode())
    assert result.out.startswith("limits-v2.md:6:11: RL301 does this memo replace `limits-v1.md`?")
    assert pair.read("limits-v2.md") == b"nothing yet\n"


def test_jsonl_is_a_memo_a_line_and_rdjsonl_a_finding_a_line(pair, recall):
    memos = [json.loads(line) for line in recall("check", "--format", "jsonl", ".").out.splitlines()]
    assert [memo["path"] for memo in memos] == ["limits-v1.md", "limits-v2.md"]
    (line,) = recall("check", "--format", "rdjsonl", ".").out.splitlines()
    assert json.loads(line)["suggestions"] == [
        {
            "range": {"start": {"line": 3, "column": 1}, "end": {"line": 3, "column": 1}},
            "text": "supersedes: limits-v1.md\n",
        }
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["-"],
        ["--stdin-filename", "a.md", "limits-v2.md"],
        ["-", "limits-v2.md", "--stdin-filename", "a.md"],
        ["--reason", "x", "limits-v2.md"],
        ["--staged", "--accept", "limits-v1", "limits-v2.md"],
        ["--accept", "limits-v1", "limits-v1.md", "limits-v2.md"],
        ["--accept", "limits-v1", "--interactive", "limits-v2.md"],
        ["--accept", "limits-v1", "--format", "json", "limits-v2.md"],
        ["--accept", "nobody", "limits-v2.md"],
        ["--accept", "limits-v2", "limits-v2.md"],
        ["--interactive", "limits-v2.md"],
        ["--staged"],
    ],
    ids=" ".join,
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(pair, recall, arguments):
    before = pair.snapshot()
    result = recall("check", *arguments)
    assert result.status == 2
    assert "= help: " in result.err
    assert "Traceback" not in result.err
    assert pair.snapshot() == before


# Answers


@pytest.mark.parametrize("target", ["limits-v1", "limits-v1.md", "[[limits-v1]]", "./limits-v1.md", "Limits, first"])
def test_accept_writes_one_line_and_says_what_to_stage(pair, recall, target):
    pair.init()
    pair.commit()
    result = recall("check", "limits-v2.md", "--accept", target)
    assert (result.status, result.err) == (0, "")
    assert result.out == "limits-v2.md: written: supersedes: limits-v1.md\nnext: git add limits-v2.md\n"
    assert pair.read("limits-v2.md").decode() == NEW.replace("---\n# L", "supersedes: limits-v1.md\n---\n# L")
    assert pair.git("status", "--porcelain") == " M limits-v2.md\n"
    assert recall("status", "limits-v1.md").out.startswith("superseded")


def test_accepting_twice_changes_nothing(pair, recall):
    recall("check", "limits-v2.md", "--accept", "limits-v1")
    before = pair.snapshot()
    result = recall("check", "limits-v2.md", "--accept", "limits-v1")
    assert (result.status, result.out) == (0, "limits-v2.md: says so already\n")
    assert pair.snapshot() == before


def test_an_edge_told_by_the_older_memo_is_written_into_the_newer(pair, recall):  # K4
    pair.write("limits-v1.md", "# Limits\n\nThis memo is superseded by [[limits-v2]].\n")
    pair.write("limits-v2.md", "# Limits\n")
    result = recall("check", "limits-v1.md", "--accept", "limits-v2")
    assert result.out == "limits-v2.md: written: supersedes: limits-v1.md\n"
    assert pair.read("limits-v1.md").startswith(b"# Limits")


def test_an_author_may_accept_what_no_sentence_tells(pair, recall):
    pair.write("third.md", "# Third\n")
    result = recall("check", "third.md", "--accept", "limits-v1")
    assert "no sentence tells of limits-v1.md: declared because you say so" in result.err
    assert pair.read("third.md") == b"---\nsupersedes: limits-v1.md\n---\n# Third\n"


def test_several_targets_are_accepted_together(pair, recall):
    pair.write("other.md", "# Other\n")
    assert recall("check", "limits-v2.md", "--accept", "limits-v1", "--accept", "other").status == 0
    assert b"supersedes: [limits-v1.md, other.md]\n" in pair.read("limits-v2.md")


def test_an_edge_that_would_be_an_error_is_not_written(pair, recall):
    pair.write("limits-v1.md", "---\nsupersedes: limits-v2\n---\n")
    before = pair.snapshot()
    result = recall("check", "limits-v2.md", "--accept", "limits-v1")
    assert result.status == 2
    assert "RL204" in result.err
    assert pair.snapshot() == before


def test_decline_writes_the_answer_with_its_reason(pair, recall):
    result = recall("check", "limits-v2.md", "--decline", "limits-v1", "--reason", "two regions -->")
    assert (result.status, result.err) == (0, "")
    assert b"not-superseding limits-v1.md two regions" in pair.read("limits-v2.md")
    assert recall("check", "--strict", "limits-v2.md", "limits-v1.md").out == ""
    assert "limits-v2.md:7:11 RL301" not in recall.lint().codes


def test_what_is_still_open_after_an_answer_is_asked(pair, recall):
    pair.write("rates.md", OLD)
    pair.write("limits-v2.md", NEW + "\nThis memo supersedes [[rates]].\n")
    result = recall("check", "--strict", "limits-v2.md", "--accept", "limits-v1")
    assert result.status == 1
    assert "does this memo replace `rates.md`?" in result.out
    assert "`limits-v1.md`?" not in result.out
