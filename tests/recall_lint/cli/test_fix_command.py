"""`recall fix`: what it proposes, what it refuses, what it writes, and how it ends."""

import os
import stat

import pytest
import yaml

OLD = "# Limits, first\n"
NEW = "---\ntitle: Limits # kept\n---\n# Limits, second\n\nThis memo supersedes [[old]].\n"
DONE = NEW.replace("kept\n", "kept\nsupersedes: old.md\n")


@pytest.fixture
def pair(project):
    project.write("old.md", OLD)
    project.write("new.md", NEW)
    return project


def fix(recall, conforms, *arguments):
    """`recall fix --format json`, which conforms to its schema."""
    result = recall("fix", "--format", "json", *arguments)
    assert result.status in (0, 1), result.err
    assert conforms(result.json, "fix")
    return result.status, result.json


def edges(candidates):
    return [(each["declare_in"], each["target"]) for each in candidates]


def test_a_proposal_is_shown_as_a_diff_with_its_proof_and_nothing_changes(pair, recall):  # K6
    before = pair.snapshot()
    result = recall("fix")
    assert (result.status, result.err) == (1, "")
    assert result.out == (
        "new.md: would declare that it replaces `old.md`\n"
        "  = proof: new.md:6:11\n"
        "  6 | This memo supersedes [[old]].\n\n"
        "--- a/new.md\n+++ b/new.md\n@@ -1,5 +1,6 @@\n ---\n title: Limits # kept\n+supersedes: old.md\n ---\n"
        " # Limits, second\n \n\n"
        "1 proposal not written. `recall fix --write` writes them.\n"
    )
    assert pair.snapshot() == before


def test_write_writes_it_and_a_second_run_proposes_nothing(pair, recall, conforms):  # K7, K10, K12, K13
    status, found = fix(recall, conforms, "--write")
    assert (status, edges(found["proposals"]), found["written"]) == (0, [], 1)
    assert pair.read("new.md").decode() == DONE
    before = pair.snapshot()
    for words in ([], ["--write"]):
        status, found = fix(recall, conforms, *words)
        assert (status, found["proposals"], found["refusals"], found["written"]) == (0, [], [], 0)
    assert pair.snapshot() == before
    assert recall.lint().codes == []
    assert recall.verdicts() == {"new.md": "ok", "old.md": "superseded"}


def test_a_run_that_wrote_fails_only_where_that_is_asked_for(pair, recall):  # K12
    assert recall("fix", "--write", "--exit-non-zero-on-write").status == 1
    assert recall("fix", "--write", "--exit-non-zero-on-write").status == 0
    assert recall("fix", "--exit-non-zero-on-write").status == 2


def test_refusals_are_told_with_reason_and_place_and_never_count(pair, recall, conforms):  # K1, K2, K3
    pair.write("new.md", "# New\n\nThis memo may supersede [[old]] one day.\n\nThis memo supersedes [[nowhere]].\n")
    before = pair.snapshot()
    status, found = fix(recall, conforms, "--write")
    assert (status, found["proposals"], found["written"]) == (0, [], 0)
    assert {each["held_back"] for each in found["refusals"]} >= {"target-missing"}
    assert "new.md:5:11: refused: " in recall("fix").out
    assert pair.snapshot() == before


UNPROVEN = [
    ("target-missing", "This memo supersedes [[nowhere]]."),
    ("target-ambiguous", "This memo supersedes [[twin]]."),
    ("self", "This memo supersedes [[new]]."),
    ("reported-speech", "The vendor says that this memo supersedes [[old]]."),
    ("partial", "This memo supersedes part of [[old]]."),
    ("partial", "This section of the memo supersedes section 2 of [[old]]."),
    ("hedged", "This memo probably supersedes [[old]]."),
    ("augmenting", "This memo augments [[old]]."),
    ("negated", "This memo does not supersede [[old]]."),
    ("conditional", "If the vote passes, this memo supersedes [[old]]."),
    ("question", "Does this memo supersede [[old]]?"),
    ("future", "This memo will supersede [[old]]."),
    ("quoted", "## Decision\n\n> This memo supersedes [[old]]."),
    ("proposal", "This memo proposes to supersede [[old]]."),
    ("other-subject", "The proxy supersedes [[old]]."),
]


@pytest.mark.parametrize(("reason", "sentence"), UNPROVEN, ids=[sentence for _, sentence in UNPROVEN])
def test_what_is_not_proven_is_never_written(pair, recall, conforms, reason, sentence):  # K1, K2, K3
    for name in ("a/twin.md", "b/twin.md"):
        pair.write(name, OLD)
    pair.write("new.md", f"# New\n\nWords before it.\n\n{sentence}\n")
    before = pair.snapshot()
    status, found = fix(recall, conforms, "--write")
    assert (status, found["proposals"], found["written"]) == (0, [], 0)
    assert [each["held_back"] for each in found["refusals"]] == [reason]
    assert pair.snapshot() == before


@pytest.mark.parametrize(
    "text",
    [
        "This memo supersedes the former limits.\n",
        "```\nThis memo supersedes [[old]].\n```\n",
        "This memo `supersedes [[old]]`.\n",
        "<!-- This memo supersedes [[old]]. -->\n",
    ],
    ids=["no target", "fenced code", "inline code", "comment"],
)
def test_without_a_target_or_in_code_there_is_nothing_to_prove(pair, recall, text):  # K1, K3
    pair.write("new.md", text)
    assert recall("fix", "--write").out == "Nothing to propose.\n"
    assert pair.read("new.md").decode() == text


@pytest.mark.parametrize(
    "text",
    [
        "# New\n\n> [!NOTE]\n> This memo supersedes [[old]].\n",
        "# New\n\n## Status\n\n> Note: this memo supersedes [[old]].\n",
        "# New\n\n> This memo supersedes [[old]].\n\n## Context\n\nWords.\n",
    ],
    ids=["callout", "note", "above the first section"],
)
def test_a_block_quote_that_is_a_note_of_this_memo_is_proof(pair, recall, conforms, text):  # K3
    pair.write("new.md", text)
    assert edges(fix(recall, conforms)[1]["proposals"]) == [("new.md", "old.md")]


def test_a_passive_sentence_is_written_into_the_memo_that_it_names(pair, recall, conforms):  # K4
    pair.write("old.md", "# Limits\n\nThis memo is superseded by [[new]].\n")
    pair.write("new.md", "# New\n")
    assert edges(fix(recall, conforms)[1]["proposals"]) == [("new.md", "old.md")]
    recall("fix", "--write")
    assert pair.read("new.md") == b"---\nsupersedes: old.md\n---\n# New\n"


def test_index_files_never_propose(pair, recall, conforms):  # K10
    for name in ("README.md", "CHANGELOG.md", "docs/index.md", "MEMORY.md"):
        pair.write(name, "This memo supersedes [[old]].\n")
    assert edges(fix(recall, conforms)[1]["proposals"]) == [("new.md", "old.md")]


def test_several_targets_of_one_sentence_are_all_taken_or_none(pair, recall, conforms):  # K3
    pair.write("other.md", OLD)
    pair.write("new.md", "This memo supersedes [[old]] and [[other]].\n")
    _, found = fix(recall, conforms)
    assert edges(found["proposals"]) == [("new.md", "old.md"), ("new.md", "other.md")]
    recall("fix", "--write")
    assert pair.read("new.md").startswith(b"---\nsupersedes: [old.md, other.md]\n---\n")
    pair.write("new.md", "This memo supersedes [[old]] and [[nowhere]].\n")
    assert fix(recall, conforms)[1]["proposals"] == []


def test_a_memo_that_cannot_be_written_is_named_and_the_rest_goes_on(pair, recall):  # K11
    pair.write("base.md", OLD)
    pair.write("more.md", "---\nsupersede: thing\n---\nThis memo supersedes [[base]].\n")
    result = recall("fix", "--write")
    assert result.status == 1
    assert pair.read("new.md").decode() == DONE
    assert "\nnot written: `supersede` on line 2 looks like a misspelt `supersedes`" in result.out
    assert result.out.endswith("1 edge written, 1 proposal not written.\n")


def test_an_unreadable_memo_does_not_stop_the_rest(pair, recall):  # K11
    pair.write("broken.md", "---\nsupersedes: [x\n---\nThis memo supersedes [[old]].\n")
    pair.write("bytes.md", b"\xff This memo supersedes [[old]].\n")
    assert recall("fix", "--write").status == 0
    assert pair.read("new.md").decode() == DONE


def test_bytes_outside_the_line_mode_and_line_ends_survive(pair, recall):  # K7
    content = b"\xef\xbb\xbf" + NEW.replace("\n", "\r\n").encode() + b"no line end"
    file = pair.write("new.md", content)
    file.chmod(0o750)
    assert recall("fix", "--write").status == 0
    assert pair.read("new.md") == content.replace(b"kept\r\n", b"kept\r\nsupersedes: old.md\r\n")
    assert stat.S_IMODE(file.stat().st_mode) == 0o750


def test_a_leading_thematic_break_gets_a_block_above(pair, recall):  # K8
    text = "---\n\nThis memo supersedes [[old]].\n\n---\n"
    pair.write("new.md", text)
    assert recall("fix", "--write").status == 0
    assert pair.read("new.md").decode() == "---\nsupersedes: old.md\n---\n" + text


@pytest.mark.parametrize(
    ("name", "link"),
    [
        ("a: b", "<./a: b.md>"),
        ("no", "no.md"),
        ("#12", "%2312.md"),
        ("it's", "<it's.md>"),
        ("[x]", "<[x].md>"),
        ("2026-01-01", "2026-01-01.md"),
        ("- x", "<- x.md>"),
        ("null", "null.md"),
    ],
)
def test_written_values_are_valid_yaml_whatever_the_name(pair, recall, name, link):  # K9
    pair.write(f"{name}.md", OLD)
    pair.write("new.md", f"This memo supersedes [it]({link}).\n")
    result = recall("fix", "--write")
    assert (result.status, result.out.endswith("1 edge written.\n")) == (0, True), result
    block = pair.read("new.md").decode().split("---\n")[1]
    assert yaml.safe_load(block) == {"supersedes": f"{name}.md"}
    assert recall.verdicts()[f"{name}.md"] == "superseded"
    assert recall.lint("new.md").codes == []


@pytest.mark.parametrize("value", ["supersedes: third", "supersedes: [third]", "supersedes:\n  - third"])
def test_an_existing_key_is_extended_never_written_twice(pair, recall, value):  # K5
    pair.write("third.md", OLD)
    pair.memo("new.md", *value.split("\n"), body="This memo supersedes [[old]].\n")
    assert recall("fix", "--write").status == 0
    assert pair.read("new.md").count(b"supersedes:") == 1
    assert recall.verdicts() == {"new.md": "ok", "old.md": "superseded", "third.md": "superseded"}


def test_paths_choose_what_is_proposed(pair, recall, conforms):
    pair.write("docs/more.md", "This memo supersedes [[base]].\n")
    pair.write("base.md", OLD)
    assert edges(fix(recall, conforms, "docs")[1]["proposals"]) == [("docs/more.md", "base.md")]
    assert edges(fix(recall, conforms, "new.md")[1]["proposals"]) == [("new.md", "old.md")]
    assert recall("fix", "nowhere").status == 2


def test_of_two_memos_that_claim_the_same_neither_is_proven(pair, recall, conforms):  # K1
    pair.write("docs/more.md", "This memo supersedes [[old]].\n")
    status, found = fix(recall, conforms, "--write")
    assert (status, found["proposals"], found["written"]) == (0, [], 0)
    assert [(each["declare_in"], each["held_back"]) for each in found["refusals"]] == [
        ("docs/more.md", "rival"),
        ("new.md", "rival"),
    ]


def test_a_corpus_with_nothing_to_say_says_so(pair, recall):
    pair.write("new.md", "plain\n")
    assert recall("fix") == type(recall("fix"))(0, "Nothing to propose.\n", "")


def test_a_refusal_by_the_system_leaves_the_file_as_it_was(pair, recall, monkeypatch):  # K7, K12
    from recall_core.adapters import files

    def refuse(*_arguments):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(files, "_replace", refuse)
    result = recall("fix", "--write")
    assert result.status == 1
    assert "not written: new.md" in result.out
    assert "1 proposal not written" in result.out
    assert pair.read("new.md").decode() == NEW
