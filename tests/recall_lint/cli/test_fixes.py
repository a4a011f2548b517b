"""`--fix`, `--unsafe-fixes` and `--diff`: what is written, what is not, and that every other byte stays."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from recall_core.adapters import files
from recall_lint.cli import fixes


@pytest.fixture
def corpus(project):
    """A safe fix in `a.md` and in `docs/b.md`: the reference's letter case is wrong."""
    project.memo("a.md", "title: A", "supersedes: OLD")
    project.memo("docs/b.md", "supersedes: Old")
    project.write("old.md")
    return project


def test_fix_writes_the_safe_fixes_and_says_so(corpus, recall):
    result = recall.lint("--fix")
    # Two memos now claim the same one: an info.
    assert (result.status, result.codes) == (0, ["docs/b.md:2:13 RL205"])
    assert result.err == "recall: 2 fixes written in 2 memos\n"
    assert corpus.read("a.md") == b"---\ntitle: A\nsupersedes: old\n---\ntext\n"
    assert corpus.read("docs/b.md") == b"---\nsupersedes: old\n---\ntext\n"


def test_a_suppression_that_another_fix_makes_needed_stays(project, recall):
    project.memo("old.md")
    project.memo("next.md", "supersedes: old")
    said = ("supersedes:", "  - next", "  # recall: ignore RL213 readers look for both")
    project.memo("last.md", *said, "  - OLD")
    assert recall.lint().codes == ["last.md:4:20 RL901", "last.md:5:5 RL201"]
    result = recall.lint("--fix")
    assert (result.codes, result.err) == ([], "recall: 1 fix written in 1 memo\n")
    assert project.read("last.md") == "\n".join(["---", *said, "  - old", "---", "text", ""]).encode()


def test_a_second_run_changes_nothing(corpus, recall):
    recall.lint("--fix")
    before = corpus.snapshot()
    result = recall.lint("--fix")
    assert (result.err, corpus.snapshot()) == ("", before)


def test_only_selected_memos_are_edited(corpus, recall):
    before = corpus.read("a.md")
    result = recall.lint("--fix", "docs")
    assert result.err == "recall: 1 fix written in 1 memo\n"
    assert corpus.read("a.md") == before
    assert corpus.read("docs/b.md") == b"---\nsupersedes: old\n---\ntext\n"


def test_only_selected_rules_are_fixed(corpus, recall):
    before = corpus.snapshot()
    assert recall.lint("--fix", "--ignore", "RL201").err == ""
    assert corpus.snapshot() == before


def test_nothing_is_staged(repository, recall):
    repository.memo("a.md", "supersedes: OLD")
    repository.write("old.md")
    repository.commit()
    recall.lint("--fix")
    assert repository.git("status", "--porcelain") == " M a.md\n"


def test_diff_shows_it_writes_nothing_and_exits_1(corpus, recall):
    before = corpus.snapshot()
    result = recall("lint", "--diff")
    assert (result.status, result.err) == (1, "")
    assert result.out == (
        "--- a/a.md\n+++ b/a.md\n@@ -1,5 +1,5 @@\n ---\n title: A\n-supersedes: OLD\n+supersedes: old\n ---\n text\n"
        "--- a/docs/b.md\n+++ b/docs/b.md\n@@ -1,4 +1,4 @@\n ---\n-supersedes: Old\n+supersedes: old\n ---\n text\n"
    )
    assert corpus.snapshot() == before
    assert recall("lint", "--diff", "--exit-zero").status == 0


def test_diff_of_nothing_is_empty_and_exits_0(project, recall):
    project.memo("a.md", "supersedes: nowhere")  # an error, and nothing to write
    result = recall("lint", "--diff")
    assert (result.status, result.out) == (0, "")


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"---\nsupersedes: OLD\n---\ntext\n", id="LF"),
        pytest.param(b"---\r\nsupersedes: OLD\r\n---\r\ntext\r\n", id="CRLF"),
        pytest.param(b"---\nsupersedes: OLD\n---", id="no last line end"),
        pytest.param(b"---\nsupersedes: OLD\n---\n\n\n", id="several last line ends"),
        pytest.param("---\ntitle: größe\nsupersedes: OLD\n---\ntext\n".encode(), id="not ASCII"),
    ],
)
def test_git_takes_the_diff_for_a_patch(repository, recall, content):
    repository.write("a.md", content)
    repository.write("old.md")
    diff = recall("lint", "--diff").out.encode()
    done = subprocess.run(["git", "apply", "-"], input=diff, capture_output=True, check=False)
    assert done.stderr == b""
    assert repository.read("a.md") == content.replace(b"OLD", b"old")


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"---\r\ntitle: A\r\nsupersedes: OLD\r\n---\r\n\r\ntext\r\n", id="CRLF"),
        pytest.param(b"---\rtitle: A\rsupersedes: OLD\r---\rtext\r", id="CR"),
        pytest.param(b"\xef\xbb\xbf---\nsupersedes: OLD\n---\ntext\n", id="BOM"),
        pytest.param(b"\xef\xbb\xbf\xef\xbb\xbf---\r\nsupersedes: OLD\r\n---\r\n", id="two BOMs"),
        pytest.param(b"---\nsupersedes: OLD\n---", id="no last line end"),
        pytest.param(b"---\nsupersedes: OLD   # why\n---\n\n\n\n", id="comment, blank end"),
        pytest.param(
            b"---\nsupersedes:\n  - 'OLD'\n  -   \"[[Old]]\"\n---\nx\xc2\x85y\xe2\x80\xa8z\n", id="odd breaks"
        ),
        pytest.param(b"---\nx: |\n  OLD\n\n\nsupersedes: docs/OLD.md\ny: ~\n---\n--- \n", id="block scalar"),
    ],
)
def test_every_other_byte_stays(project, recall, content):
    project.write("a.md", content)
    project.write("docs/old.md")
    os.chmod("a.md", 0o640)
    assert recall.lint("--fix").status == 0
    fixed = project.read("a.md")
    assert fixed.lower() == content.lower()
    assert fixed != content
    assert os.stat("a.md").st_mode & 0o777 == 0o640
    assert recall.lint("--fix").err == ""


def test_unsafe_fixes_are_written_on_request_only(project, recall):
    project.memo("a.md", "supersedes: ADR-12")
    project.write("0012-limits.md", "# 12. Limits\n")
    (found,) = recall.lint("--fix").json["diagnostics"]
    assert found["fix"]["applicability"] == "unsafe"
    assert project.read("a.md") == b"---\nsupersedes: ADR-12\n---\ntext\n"
    assert "+supersedes: 0012-limits" in recall("lint", "--diff", "--unsafe-fixes").out
    assert recall.lint("--fix", "--unsafe-fixes").codes == []
    assert project.read("a.md") == b"---\nsupersedes: 0012-limits\n---\ntext\n"


def test_a_symbolic_link_is_never_written_through(project, recall, tmp_path):
    outside = tmp_path / "outside.md"
    outside.write_bytes(b"---\nsupersedes: OLD\n---\n")
    project.write("old.md")
    (project.path / "a.md").symlink_to(outside)
    recall.lint("--fix")
    assert outside.read_bytes() == b"---\nsupersedes: OLD\n---\n"


def test_a_folder_that_leads_out_of_the_root_is_never_written_through(repository, recall, tmp_path):
    repository.memo("docs/a.md", "supersedes: OLD")
    repository.write("old.md")
    repository.commit()
    outside = tmp_path / "outside"
    (repository.path / "docs").rename(outside)
    (repository.path / "docs").symlink_to(outside)
    recall.lint("--fix")
    assert (outside / "a.md").read_bytes() == b"---\nsupersedes: OLD\n---\ntext\n"


def swap_before_writing(monkeypatch: pytest.MonkeyPatch, action) -> None:
    """Do something after the plan was made and before the first memo is written."""
    write, done = fixes.write_atomically, []

    def hooked(full_path: str, data: bytes, **more: object) -> None:
        if not done:
            done.append(action())
        write(full_path, data, **more)

    monkeypatch.setattr(fixes, "write_atomically", hooked)


def test_a_memo_that_changed_since_it_was_read_is_left_and_the_others_are_written(corpus, recall, monkeypatch):
    edited = b"---\nsupersedes: OLD\n---\nedited meanwhile\n"
    swap_before_writing(monkeypatch, lambda: Path("a.md").write_bytes(edited))
    result = recall.lint("--fix")
    assert result.err == (
        "recall: a.md changed since it was read; nothing was written\nrecall: 1 fix written in 1 memo\n"
    )
    assert result.codes == ["a.md:2:13 RL201"]
    assert (result.status, corpus.read("a.md")) == (1, edited)
    assert corpus.read("docs/b.md") == b"---\nsupersedes: old\n---\ntext\n"


def test_a_memo_that_became_a_link_is_left(corpus, recall, monkeypatch, tmp_path):
    outside = tmp_path / "outside.md"

    def move() -> None:
        Path("a.md").rename(outside)
        Path("a.md").symlink_to(outside)

    before = corpus.read("a.md")
    swap_before_writing(monkeypatch, move)
    assert "a.md lies outside" in recall.lint("--fix").err
    assert outside.read_bytes() == before


def test_a_read_only_memo_is_said_and_the_others_are_written(corpus, recall, monkeypatch):
    access = os.access
    monkeypatch.setattr(files.os, "access", lambda path, mode: not path.endswith("/a.md") and access(path, mode))
    result = recall.lint("--fix")
    assert result.err == "recall: a.md is read-only; nothing was written\nrecall: 1 fix written in 1 memo\n"
    assert result.codes == ["a.md:3:13 RL201"]
    assert corpus.read("docs/b.md") == b"---\nsupersedes: old\n---\ntext\n"


def test_a_full_disk_leaves_the_memo_whole(corpus, recall, monkeypatch):
    def refuse(*_: object) -> int:
        raise OSError(28, "No space left on device")

    before = corpus.snapshot()
    monkeypatch.setattr(files.os, "write", refuse)
    result = recall.lint("--fix")
    monkeypatch.undo()
    assert "recall: a.md was not written: No space left on device\n" in result.err
    assert corpus.snapshot() == before  # nor is there a temporary file


def test_fix_with_standard_input_prints_the_memo_and_tells_on_stderr(corpus, recall):
    before = corpus.snapshot()
    text = b"\xef\xbb\xbf---\r\nsupersedes: [OLD, nowhere]\r\n---\r\n\xc3\xa9"
    result = recall("lint", "-", "--stdin-filename", "new.md", "--fix", stdin=text)
    assert result.out.encode() == text.replace(b"OLD", b"old")
    assert result.status == 1
    assert result.err.startswith("new.md:2:19: error RL201: `nowhere` names no memo\n")
    assert corpus.snapshot() == before


def test_what_cannot_be_fixed_on_standard_input_comes_back_as_it_was(project):
    project.write("a.md")
    for text in (b"", b"caf\xe9\r\r\n\x00", b"---\nsupersedes: nowhere\n---\n"):
        # As a process: the bytes must not pass through this one's idea of text.
        command = ["-c", "from recall_lint.cli.main import main; main()", "lint", "-", "--fix"]
        done = subprocess.run(
            [sys.executable, *command, "--stdin-filename", "x.md"], input=text, capture_output=True, check=False
        )
        assert done.stdout == text


def test_a_name_that_is_no_memo_still_gets_its_text_back(project, recall):
    result = recall("lint", "-", "--stdin-filename", "template.md", "--fix", stdin=b"---\nsupersedes: X\n---\n")
    assert (result.status, result.out) == (0, "---\nsupersedes: X\n---\n")


def test_diff_with_standard_input_compares_the_buffer(corpus, recall):
    result = recall("lint", "-", "--stdin-filename", "a.md", "--diff", stdin=b"---\nsupersedes: OLD\n---\n")
    assert result.status == 1
    assert result.out == "--- a/a.md\n+++ b/a.md\n@@ -1,3 +1,3 @@\n ---\n-supersedes: OLD\n+supersedes: old\n ---\n"


def test_after_a_fix_the_findings_are_those_of_what_is_written(corpus, recall):
    corpus.memo("c.md", "supersedes: nowhere")
    result = recall.lint("--fix")
    assert (result.status, result.codes) == (1, ["c.md:2:13 RL201", "docs/b.md:2:13 RL205"])
    assert recall.lint().json["diagnostics"] == result.json["diagnostics"]
