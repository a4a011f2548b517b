"""PATH chooses whose findings are shown; the corpus is always the whole."""

import os

import pytest

from recall_core.ports.corpus import Listing, ReadFailure


@pytest.fixture
def corpus(project):
    project.memo("a.md", "supersedes: nowhere")
    project.memo("docs/b.md", "supersedes: nowhere")
    project.memo("docs/deep/c.md", "supersedes: nowhere")
    project.memo("docs-2/d.md", "supersedes: nowhere")
    project.write("notes.txt")
    return project


@pytest.mark.parametrize(
    ("paths", "shown"),
    [
        ([], ["a.md", "docs-2/d.md", "docs/b.md", "docs/deep/c.md"]),
        (["."], ["a.md", "docs-2/d.md", "docs/b.md", "docs/deep/c.md"]),
        (["a.md"], ["a.md"]),
        (["./a.md", "docs/deep"], ["a.md", "docs/deep/c.md"]),
        (["docs"], ["docs/b.md", "docs/deep/c.md"]),
        (["docs/"], ["docs/b.md", "docs/deep/c.md"]),
        (["docs/deep/../b.md"], ["docs/b.md"]),
        (["docs", "docs/b.md"], ["docs/b.md", "docs/deep/c.md"]),
    ],
)
def test_a_file_or_a_folder_chooses(corpus, recall, paths, shown):
    found = recall.lint(*paths).json
    assert [each["path"] for each in found["diagnostics"]] == shown
    assert found["summary"]["memos"] == 4  # the corpus is the same
    assert found["summary"]["errors"] == len(shown)


def test_paths_are_relative_to_the_working_folder_and_shown_from_the_root(repository, recall, monkeypatch):
    repository.memo("docs/b.md", "supersedes: nowhere")
    repository.memo("a.md", "supersedes: nowhere")
    monkeypatch.chdir(repository.path / "docs")
    assert recall.lint("b.md").codes == ["docs/b.md:2:13 RL201"]
    assert recall.lint("../a.md").codes == ["a.md:2:13 RL201"]
    assert recall.lint(".").codes == ["docs/b.md:2:13 RL201"]
    assert recall.lint("..").codes == recall.lint().codes == ["a.md:2:13 RL201", "docs/b.md:2:13 RL201"]


def test_an_absolute_path_chooses(corpus, recall):
    assert recall.lint(str(corpus.path / "docs/b.md")).codes == ["docs/b.md:2:13 RL201"]


def test_a_path_through_a_linked_folder_is_the_memo_itself(corpus, recall, tmp_path):
    (tmp_path / "link").symlink_to(corpus.path)
    assert recall.lint(str(tmp_path / "link/a.md")).codes == ["a.md:2:13 RL201"]


def test_a_clean_choice_exits_0_though_the_corpus_has_errors(corpus, recall):
    corpus.write("fine.md")
    assert recall.lint("fine.md").status == 0


def test_what_exists_and_is_no_memo_is_said_and_skipped(corpus, recall, tmp_path):
    corpus.write("docs/template.md")
    corpus.write("images/a.png")
    (corpus.path / "link.md").symlink_to("a.md")
    os.mkfifo(corpus.path / "pipe.md")
    (tmp_path / "elsewhere.md").write_text("text\n")
    result = recall.lint("notes.txt", "docs/template.md", "images", "link.md", "pipe.md", "../elsewhere.md")
    assert (result.status, result.codes) == (0, [])
    assert result.err == (
        "recall: `notes.txt` is no memo: not matched by the default `include` (`**/*.md`); skipped\n"
        "recall: `docs/template.md` is no memo: excluded by the default pattern `**/template.md`; skipped\n"
        "recall: `images` holds no memo; skipped\n"
        "recall: `link.md` is a symbolic link, and no memo; skipped\n"
        "recall: `pipe.md` is no regular file; skipped\n"
        f"recall: `../elsewhere.md` lies outside the root {corpus.path}; skipped\n"
    )


def test_what_git_leaves_out_is_said(repository, recall):
    repository.write(".gitignore", "ignored.md\n")
    repository.write("ignored.md")
    repository.write("a.md")
    repository.commit()
    repository.git("rm", "-q", "--cached", "ignored.md")
    repository.write("new.md")
    assert "`ignored.md` is no memo: Git leaves it out" in recall("lint", "ignored.md").err
    result = recall("lint", "--staged", "new.md")
    assert (result.status, result.err) == (
        0,
        "recall: `new.md` is no memo: it is not in the index (`git add` it); skipped\n",
    )
    assert "`new.md` is no memo: it is not in that revision" in recall("lint", "--rev", "HEAD", "new.md").err


def test_what_is_not_there_exits_2(corpus, recall):
    for path in ("nope.md", "docs/nope.md", "nope/", "../nope.md", str(corpus.path / "nope.md")):
        result = recall("lint", "a.md", path)
        assert (result.status, result.out) == (2, "")
        assert f"`{path}` does not exist" in result.err


def test_a_staged_path_need_not_be_on_disk(repository, recall):
    repository.memo("a.md", "supersedes: nowhere")
    repository.git("add", "a.md")
    (repository.path / "a.md").unlink()
    assert recall.lint("--staged", "a.md").codes == ["a.md:2:13 RL201"]


def test_a_finding_is_shown_when_a_related_place_is_selected(project, recall):
    project.memo("limits.md", "supersedes: new")
    project.memo("new.md", "supersedes: limits")
    project.write("other.md")
    assert recall.lint("limits.md").codes == recall.lint("new.md").codes == ["limits.md:2:13 RL204"]
    assert recall.lint("other.md").codes == []


def test_a_new_name_shows_the_memo_that_it_makes_ambiguous(project, recall):
    project.memo("new.md", "supersedes: limits")
    project.write("a/limits.md")
    project.write("b/limits.md")
    assert recall.lint("b/limits.md").codes == ["new.md:2:13 RL202"]


def test_a_name_that_begins_with_a_dash_comes_after_two(project, recall):
    project.memo("-x.md", "supersedes: nowhere")
    assert recall.lint("--", "-x.md").codes == ["-x.md:2:13 RL201"]
    assert recall.lint("./-x.md").codes == ["-x.md:2:13 RL201"]
    assert recall("lint", "-x.md").status == 2


@pytest.mark.parametrize("name", ["with blank.md", 'quote".md', "new\nline.md", "ü.md", "tab\t.md", "*.md", "[x].md"])
def test_an_odd_name_is_a_name(repository, recall, name):
    repository.memo(name, "supersedes: nowhere")
    repository.write("other.md")
    repository.commit()
    for arguments in ([], ["--staged"], ["--rev", "HEAD"]):
        (found,) = recall.lint(*arguments, name).json["diagnostics"]
        assert (found["path"], found["code"]) == (name, "RL201")


def test_a_name_that_is_not_utf_8_is_shown_by_its_bytes(repository, recall):
    raw = os.fsdecode(b"caf\xe9.md")
    repository.memo(raw, "supersedes: nowhere")
    repository.commit()
    for arguments in ([], ["--staged"]):
        (found,) = recall.lint(*arguments, raw).json["diagnostics"]
        assert found["path"] == "caf\\xe9.md"


def test_hooks_may_pass_10_000_names(project, recall, rounds):
    number = 10_000 if rounds > 1 else 1_000
    names = [f"f{each}.txt" for each in range(number)]
    for name in names:
        project.write(name, b"")
    project.memo("a.md", "supersedes: nowhere")
    result = recall.lint(*names, "a.md")
    assert result.codes == ["a.md:2:13 RL201"]
    assert len(result.err.splitlines()) == number


def test_a_folder_that_cannot_be_listed_is_shown_when_it_is_selected(project, recall, monkeypatch):
    from recall_core.adapters import files

    project.write("docs/a.md")
    project.write("other.md")
    (project.path / "docs/private").mkdir()
    listing = files.FolderSource.listing

    def without_private(self: files.FolderSource) -> Listing:
        return Listing(listing(self).entries, [("docs/private", ReadFailure("Permission denied"))])

    monkeypatch.setattr(files.FolderSource, "listing", without_private)
    for path in ("docs", ".", "docs/private"):
        assert recall.lint(path).codes == ["docs/private/:1:1 RL001"]
    assert recall.lint("other.md").codes == []
    assert recall.lint().json["summary"]["memos"] == 2
    assert recall.verdicts() == {"docs/a.md": "ok", "other.md": "ok"}
    assert recall("status").err == "recall: docs/private cannot be listed: Permission denied\n"


def test_an_empty_path_is_a_slip_and_not_the_root(project, recall):
    project.write("a.md")
    result = recall("lint", "")
    assert result.status == 2
    assert "an empty PATH names nothing" in result.err
