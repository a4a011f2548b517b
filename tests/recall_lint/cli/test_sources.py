"""What is judged: the disk, the index, a revision, or one memo on standard input; and on which day."""

import pytest


def test_staged_judges_the_index_not_the_disk(repository, recall):  # L5
    repository.write("old.md")
    repository.memo("a.md", "supersedes: nowhere")
    repository.git("add", "-A")
    repository.memo("a.md", "supersedes: old")
    assert recall.lint("--staged").codes == ["a.md:2:13 RL201"]
    assert recall.lint().codes == []
    repository.git("add", "a.md")
    repository.memo("a.md", "supersedes: nowhere")
    assert recall.lint("--staged").codes == []


def test_staged_does_not_see_what_is_untracked_or_only_announced(repository, recall):
    repository.memo("a.md", "supersedes: old")
    repository.git("add", "a.md")
    repository.write("old.md")
    for _ in range(2):
        (found,) = recall.lint("--staged").json["diagnostics"]
        assert (found["code"], found["severity"]) == ("RL002", "error")
        repository.git("add", "-N", "old.md")
    (found,) = recall.lint().json["diagnostics"]
    assert (found["code"], found["severity"]) == ("RL002", "warning")


def test_a_deleted_target_is_told_from_a_missing_one(repository, recall):  # L5
    repository.memo("next.md", "supersedes: base.md")
    repository.write("base.md", "# A base with some text\n")
    repository.commit()
    repository.git("rm", "-q", "base.md")
    (found,) = recall.lint("--staged").json["diagnostics"]
    assert (found["code"], found["line"], found["column"]) == ("RL201", 2, 13)
    assert "deleted" in found["message"] + found["help"]


def test_a_renamed_target_is_offered_under_its_new_name(repository, recall):  # L5
    repository.memo("next.md", "supersedes: base.md")
    repository.write("base.md", "# A base with some text\n")
    repository.commit()
    repository.git("mv", "base.md", "base-2.md")
    (found,) = recall.lint("--staged").json["diagnostics"]
    assert found["code"] == "RL201"
    assert found["fix"]["applicability"] == "safe"
    assert recall.lint("--fix").codes == []
    assert b"base-2" in repository.read("next.md")


def test_a_revision_is_judged_as_it_was(repository, recall):
    repository.memo("a.md", "supersedes: nowhere")
    repository.commit()
    repository.memo("a.md", "title: mended")
    repository.commit()
    assert recall.lint("--rev", "HEAD~1").codes == ["a.md:2:13 RL201"]
    assert recall.lint("--rev", "HEAD").codes == []
    assert recall.lint("--rev", repository.git("rev-parse", "--short", "HEAD~1").strip()).status == 1


@pytest.mark.parametrize("rev", ["nonsense", "-x", "HEAD~9", "HEAD:a.md", ""])
def test_a_revision_that_is_none_is_said(repository, recall, rev):
    repository.write("a.md")
    repository.commit()
    result = recall("lint", f"--rev={rev}")
    assert (result.status, result.out) == (2, "")
    assert f"`{rev}` names no commit of this repository" in result.err


def test_the_configuration_comes_from_where_the_memos_come_from(repository, recall):
    repository.memo("a.md", "supersedes: nowhere")
    repository.write("recall.toml", 'ignore = ["RL201"]\n')
    repository.commit()
    repository.write("recall.toml", "")
    assert recall.lint().codes == ["a.md:2:13 RL201"]
    assert recall.lint("--staged").codes == []
    assert recall.lint("--rev", "HEAD").codes == []
    repository.git("add", "recall.toml")
    assert recall.lint("--staged").codes == ["a.md:2:13 RL201"]
    assert recall.lint("--rev", "HEAD").codes == []


def test_pushed_reads_the_revision_that_the_framework_names(repository, recall, monkeypatch):
    repository.memo("a.md", "supersedes: nowhere")
    repository.commit()
    broken = repository.git("rev-parse", "HEAD").strip()
    repository.memo("a.md", "title: mended")
    repository.commit()
    assert recall.lint("--pushed").codes == []
    monkeypatch.setenv("PRE_COMMIT_TO_REF", broken)
    assert recall.lint("--pushed").codes == ["a.md:2:13 RL201"]


def test_standard_input_is_judged_among_the_memos_on_disk(project, recall):
    project.write("old.md")
    project.memo("a.md", "supersedes: nowhere")
    result = recall.lint("-", "--stdin-filename", "a.md", stdin=b"---\nsupersedes: old\n---\n")
    assert result.codes == []  # the buffer counts, not the file
    result = recall.lint("-", "--stdin-filename", "a.md", stdin=b"---\nsupersedes: older\n---\n")
    assert result.codes == ["a.md:2:13 RL201"]
    assert project.read("a.md") == b"---\nsupersedes: nowhere\n---\ntext\n"


def test_a_buffer_that_was_never_saved_is_a_memo(repository, recall, monkeypatch):
    repository.write("docs/old.md")
    repository.memo("other.md", "supersedes: nowhere")
    monkeypatch.chdir(repository.path / "docs")
    result = recall.lint("-", "--stdin-filename", "new.md", stdin=b"---\nsupersedes: [old, nowhere]\n---\n")
    assert [each for each in result.codes if "RL002" not in each] == ["docs/new.md:2:19 RL201"]
    assert result.json["summary"]["memos"] == 3


def test_a_new_name_in_a_buffer_makes_another_memo_ambiguous(project, recall):
    project.memo("new.md", "supersedes: limits")
    project.write("a/limits.md")
    assert recall.lint().codes == []
    result = recall.lint("-", "--stdin-filename", "b/limits.md", stdin=b"text\n")
    assert result.codes == ["new.md:2:13 RL202"]
    assert "b/limits.md" in [each["path"] for each in result.json["diagnostics"][0]["related"]]


def test_a_buffer_that_is_no_memo_is_said(project, recall):
    result = recall.lint("-", "--stdin-filename", "template.md", stdin=b"---\nsupersedes: nowhere\n---\n")
    assert (result.status, result.codes) == (0, [])
    assert result.err.startswith("recall: `template.md` is no memo: excluded by the default pattern `**/template.md`")


@pytest.mark.parametrize(
    "data", [b"", b"\xff", b"\0", b"---\na: [\n---\n", b"\xef\xbb\xbf---\r\nsupersedes: nowhere\r\n---\r\n"]
)
def test_odd_bytes_in_a_buffer_are_answered(project, recall, data):
    result = recall.lint("-", "--stdin-filename", "a.md", stdin=data)
    assert result.status == (1 if data else 0)
    assert len(result.codes) == (1 if data else 0)


def test_a_buffer_leaves_nothing_in_the_cache(project, recall):
    project.memo("a.md", "supersedes: nowhere")
    assert recall.lint("-", "--stdin-filename", "a.md", stdin=b"text\n").codes == []
    assert recall.lint().codes == ["a.md:2:13 RL201"]


WINDOW = ["valid_from: 2026-02-01", "valid_until: 2026-05-31"]


def test_the_day_is_the_systems_unless_one_is_given(project, recall):
    project.memo("a.md", *WINDOW)
    assert recall.lint().json["at"] == "2026-06-15"
    assert recall.lint().codes == ["a.md:3:14 RL401"]
    assert recall.lint("--at", "2026-03-01").codes == []
    assert recall.lint("--at", "2026-03-01").json["at"] == "2026-03-01"


@pytest.mark.parametrize(
    ("at", "is_over"),
    [
        ("2026-05-31", False),  # a day stands for its last microsecond
        ("2026-05-31T23:59:59.999999Z", False),
        ("2026-05-31t23:59:59.999999z", False),
        ("2026-06-01T00:00:00Z", True),
        ("2026-06-01T01:00:00+02:00", False),
        ("2026-05-31T23:00:00-02:00", True),
    ],
)
def test_an_instant_is_read_in_utc(project, recall, at, is_over):
    project.memo("a.md", *WINDOW)
    assert ("RL401" in str(recall.lint("--at", at).codes)) is is_over


@pytest.mark.parametrize(
    ("at", "verdict"),
    [
        ("0001-01-01T00:00:00+01:00", "not_yet_valid"),
        ("0001-01-01", "not_yet_valid"),
        ("9999-12-31", "expired"),
        ("9999-12-31T23:59:59-01:00", "expired"),
    ],
)
def test_the_ends_of_the_calendar_are_instants(project, recall, at, verdict):
    project.memo("a.md", *WINDOW)
    assert recall.lint("--at", at).status == 0
    assert recall.verdicts("--at", at, "--known-at", at) == {"a.md": verdict}


@pytest.mark.parametrize(
    "at",
    [
        "",
        "today",
        "2026-1-1",
        "2026-02-30",
        "2026-02-01T10:00",
        "2026-02-01 10:00:00",
        "20260201",
        "20260201T100000Z",
        "2026-W05-7T10:00:00Z",
        "2026-02-01T10:00Z",
        "2026-02-01T10:00:00,5Z",
        "\uff12\uff10\uff12\uff16-02-01",
    ],
)
def test_a_day_that_is_none_is_refused(project, recall, at):
    result = recall("lint", f"--at={at}")
    assert result.status == 2
    assert "is no date; write YYYY-MM-DD, or an instant such as 2026-06-01T12:00:00Z" in result.err


def test_a_finding_of_the_clock_counts_only_for_a_day_that_was_given(project, recall):
    project.memo("a.md", *WINDOW)
    strict = ("--fail-on", "info")
    assert recall.lint(*strict).status == 0
    assert recall.lint("--at", "2026-06-15", *strict).status == 1
    project.write("recall.toml", 'severity = { RL401 = "error" }\n')
    assert recall.lint().status == 0
    assert recall.lint("--at", "2026-06-15").status == 1
    full = recall("lint").out
    assert "a.md:3:14: error RL401" in full
    assert "(depends on the day; does not count)" in full
