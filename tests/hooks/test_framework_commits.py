"""What a commit would hold is judged, by real pre-commit and prek runs in `git commit`."""

import os

import pytest


@pytest.fixture
def corpus(hooked):
    """`next.md` supersedes `base.md`, both committed."""
    hooked.memo("base.md")
    hooked.write("next.md", "---\ntitle: Next\nsupersedes: base.md\n---\n")
    hooked.add("base.md", "next.md")
    hooked.commit_unchecked()
    return hooked


def test_a_commit_that_only_deletes_a_memo_is_stopped(corpus):  # L5, case 18
    corpus.git("rm", "-q", "base.md")
    done = corpus.commit()
    assert done.status == 1
    assert "next.md:3:13: error RL201" in done.said
    assert "base.md is not in this commit; it was deleted" in done.said


def test_a_commit_that_only_renames_a_memo_is_stopped_and_the_fix_mends_it(corpus):  # L5, case 18
    corpus.git("mv", "base.md", "base-2.md")
    done = corpus.commit()
    assert done.status == 1
    assert "next.md:3:13: error RL201" in done.said
    assert "renamed to base-2.md" in done.said
    assert corpus.recall("lint", "--fix").status == 0
    assert (corpus.path / "next.md").read_text() == "---\ntitle: Next\nsupersedes: base-2.md\n---\n"
    assert corpus.git("diff", "--cached", "--name-only").split() == ["base-2.md"], "a fix is never staged"
    corpus.add("next.md")
    assert corpus.commit().status == 0


def test_a_clean_commit_passes(corpus):
    corpus.stage("latest.md", "next")
    assert corpus.commit().status == 0


def test_a_deletion_together_with_its_reference_passes(corpus):
    corpus.git("rm", "-q", "base.md")
    corpus.stage("next.md")
    assert corpus.commit().status == 0


def test_a_fix_that_is_not_staged_does_not_count(corpus):  # L5
    corpus.stage("latest.md", "nowhere")
    corpus.memo("latest.md", "next")
    done = corpus.commit()
    assert done.status == 1
    assert "latest.md:3:5: error RL201: `nowhere`" in done.said
    corpus.add("latest.md")
    assert corpus.commit().status == 0


def test_a_memo_that_is_broken_in_the_work_tree_alone_does_not_stop_a_commit(corpus):  # L5
    corpus.stage("latest.md", "next")
    corpus.memo("latest.md", "nowhere")
    assert corpus.commit().status == 0
    assert "nowhere" in (corpus.path / "latest.md").read_text(), "the author's edit is still there"


def test_a_file_added_by_intent_only_does_not_count(corpus):  # L5
    corpus.memo("latest.md", "nowhere")
    corpus.git("add", "-N", "latest.md")
    corpus.write("plain.txt", "text\n")
    corpus.add("plain.txt")
    assert corpus.commit().status == 0


def test_a_target_added_by_intent_only_heals_nothing(corpus):  # L5
    corpus.memo("old.md")
    corpus.git("add", "-N", "old.md")
    corpus.stage("latest.md", "old")
    done = corpus.commit()
    assert done.status == 1
    assert "latest.md:3:5: error RL" in done.said


def test_an_untracked_target_heals_nothing(corpus):  # L5
    corpus.memo("old.md")
    corpus.stage("latest.md", "old")
    done = corpus.commit()
    assert done.status == 1
    assert "latest.md:3:5: error RL002" in done.said
    assert "git add old.md" in done.said


def test_an_untracked_memo_is_nobody_elses_business(corpus):
    corpus.memo("latest.md", "nowhere")
    corpus.write("plain.txt", "text\n")
    corpus.add("plain.txt")
    assert corpus.commit().status == 0


def test_commit_only_judges_the_paths_it_names(corpus):  # L5: GIT_INDEX_FILE is another file then
    corpus.stage("broken.md", "nowhere")
    corpus.write("base.md", "Other text.\n")
    assert corpus.commit("-o", "base.md").status == 0
    corpus.memo("next.md", "base", "gone")
    done = corpus.commit("-o", "next.md")
    assert done.status == 1
    assert "`gone`" in done.said
    assert "broken.md" not in done.said


def test_commit_all_judges_what_it_takes_along(corpus):  # L5
    corpus.memo("next.md", "nowhere")
    done = corpus.commit("-a")
    assert done.status == 1
    assert "next.md:3:5: error RL201" in done.said
    os.unlink(corpus.path / "base.md")
    corpus.write("next.md", "---\nsupersedes: base\n---\n")
    done = corpus.commit("-a")
    assert done.status == 1
    assert "it was deleted" in done.said


def test_an_amended_commit_is_judged_as_it_will_be(corpus):
    corpus.stage("latest.md", "nowhere")
    done = corpus.commit("--amend")
    assert done.status == 1
    assert "latest.md" in done.said
    corpus.stage("latest.md", "next")
    assert corpus.commit("--amend").status == 0


def test_the_first_commit_of_a_repository_is_judged(framework, repository):
    repository.write(".pre-commit-config.yaml", framework.configuration)
    repository.add(".pre-commit-config.yaml")
    repository.run(framework.program, "install")
    repository.stage("next.md", "base")
    done = repository.commit()
    assert done.status == 1
    assert "next.md:3:5: error RL201" in done.said
    repository.stage("base.md")
    assert repository.commit().status == 0


def test_an_edge_that_a_new_name_makes_ambiguous_is_found(corpus):  # L6
    corpus.stage("archive/base.md")
    done = corpus.commit()
    assert done.status == 1
    assert "next.md:3:13: error RL202" in done.said


def test_names_of_any_kind_are_judged(corpus):
    names = ["with blank.md", 'it\'s "quoted".md', "two\nlines.md", "-dash.md", "*.md", "überblick.md"]
    for name in names:
        corpus.stage(name)
    assert corpus.commit().status == 0
    for name in names:
        corpus.stage(name, "nowhere")
    done = corpus.commit()
    assert done.status == 1
    for shown in ("with blank.md", 'it\'s "quoted".md', r"two\nlines.md", "-dash.md", "*.md", "überblick.md"):
        assert f"{shown}:3:5: error RL201" in done.said


@pytest.mark.parametrize("framework", ["prek"], indirect=True)
def test_a_name_that_is_not_utf8_is_judged(corpus):  # pre-commit 4.7 itself ends in a UnicodeDecodeError on such a name
    name = os.fsdecode(b"caf\xe9.md")
    corpus.stage(name)
    assert corpus.commit().status == 0
    corpus.stage(name, "nowhere")
    done = corpus.commit()
    assert done.status == 1
    assert r"caf\xe9.md:3:5: error RL201" in done.said


def test_a_deleted_memo_with_a_line_break_in_its_name_is_missed(corpus):
    corpus.stage("two\nlines.md")
    corpus.write("next.md", '---\nsupersedes: "two\\nlines"\n---\n')
    corpus.add("next.md")
    assert corpus.commit().status == 0
    corpus.git("rm", "-q", "two\nlines.md")
    done = corpus.commit()
    assert done.status == 1
    assert r'next.md:2:13: error RL201: `"two\nlines"`' in done.said
    assert "it was deleted" in done.said


def test_a_linked_work_tree_is_judged_by_its_own_index(corpus, tmp_path):
    linked = corpus.at(tmp_path / "linked tree")
    corpus.git("worktree", "add", "-q", "-b", "side", os.fspath(linked.path))
    corpus.stage("broken.md", "nowhere")
    linked.stage("latest.md", "next")
    assert linked.commit().status == 0
    linked.git("rm", "-q", "base.md")
    done = linked.commit()
    assert done.status == 1
    assert "it was deleted" in done.said
    assert "broken.md" not in done.said


def test_a_submodule_is_judged_by_its_own_index(framework, corpus, tmp_path):
    outer = corpus.at(tmp_path / "outer")
    outer.path.mkdir()
    outer.git("init", "-q")
    outer.git("submodule", "--quiet", "add", os.fspath(corpus.path), "memos")
    inner = outer.at(outer.path / "memos")
    inner.run(framework.program, "install")
    inner.git("rm", "-q", "base.md")
    done = inner.commit()
    assert done.status == 1
    assert "it was deleted" in done.said
    # The outer repository holds a commit of the inner one, and none of its memos.
    assert outer.recall("lint", "--staged").status == 0
    outer.stage("mine.md", "base")
    assert "error RL" in outer.recall("lint", "--staged").said


def test_all_files_on_a_fresh_clone_of_a_broken_corpus_fails(framework, corpus, tmp_path):
    corpus.git("rm", "-q", "base.md")
    corpus.commit_unchecked()
    corpus.git("clone", "-q", os.fspath(corpus.path), os.fspath(tmp_path / "clone"))
    clone = corpus.at(tmp_path / "clone")
    for more in ({}, {"CI": "true"}):
        done = framework.run(clone, "--all-files", **more)
        assert done.status == 1
        assert "next.md:3:13: error RL201" in done.said
    assert framework.run(clone, "--all-files", "--hook-stage", "manual").status == 1


def test_a_hook_that_fails_once_fails_again(framework, corpus):
    corpus.git("rm", "-q", "base.md")
    assert [framework.run(corpus).status for _ in range(3)] == [1, 1, 1]


def test_a_control_sequence_in_a_name_is_spelt_out(corpus):
    corpus.stage("\x1b[31mred.md", "nowhere")
    done = corpus.commit()
    assert done.status == 1
    assert "\x1b[31m" not in done.said
    assert r"\x1b[31mred.md" in done.said
