"""`git merge` and `git push` through real pre-commit and prek: what the merge would hold, and what is pushed."""

import os

import pytest


@pytest.fixture
def remote(hooked, tmp_path):
    """An empty remote called origin, with a clean main branch in it."""
    hooked.git("init", "-q", "--bare", os.fspath(tmp_path / "remote.git"))
    hooked.git("remote", "add", "origin", os.fspath(tmp_path / "remote.git"))
    hooked.stage("base.md")
    hooked.commit_unchecked()
    hooked.git("push", "-q", "origin", "main")
    return hooked


def two_branches(repository) -> None:
    """Each branch is clean: one has a `limits`, the other another `limits` and a memo that supersedes its own."""
    repository.commit_unchecked()
    repository.git("checkout", "-q", "-b", "side")
    repository.stage("api/limits.md")
    assert repository.commit().status == 0
    repository.git("checkout", "-q", "main")
    repository.stage("billing/limits.md")
    repository.stage("new-limits.md", "limits")
    assert repository.commit().status == 0


def test_a_merge_of_two_clean_branches_that_is_ambiguous_is_stopped(hooked):
    two_branches(hooked)
    done = hooked.attempt("git", "merge", "-q", "--no-edit", "side")
    assert done.status == 1
    assert "new-limits.md:3:5: error RL202" in done.said
    assert "api/limits.md" in done.said
    assert "billing/limits.md" in done.said
    hooked.git("mv", "api/limits.md", "api/api-limits.md")
    assert hooked.commit().status == 0, "once it is mended the merge can be committed"
    assert len(hooked.git("log", "-1", "--format=%P").split()) == 2


def test_a_merge_that_is_clean_passes(hooked):
    hooked.commit_unchecked()
    hooked.git("checkout", "-q", "-b", "side")
    hooked.stage("one.md")
    assert hooked.commit().status == 0
    hooked.git("checkout", "-q", "main")
    hooked.stage("two.md")
    assert hooked.commit().status == 0
    hooked.git("merge", "-q", "--no-edit", "side")


def test_a_conflict_is_judged_once_it_is_resolved(hooked):
    hooked.stage("base.md")
    hooked.commit_unchecked()
    hooked.git("checkout", "-q", "-b", "side")
    hooked.stage("next.md", "base")
    hooked.commit_unchecked()
    hooked.git("checkout", "-q", "main")
    hooked.stage("next.md", "nowhere")
    hooked.commit_unchecked()
    assert hooked.attempt("git", "merge", "-q", "side").status == 1
    done = hooked.recall("lint", "--staged", "--skip-clean")
    assert done.status == 1, "while it is open, ours is judged"
    assert "`nowhere`" in done.said
    hooked.add("next.md")
    assert hooked.commit().status == 1, "with the markers of the conflict in it"
    hooked.stage("next.md", "base")
    assert hooked.commit().status == 0


def test_a_pushed_revision_is_read_and_not_the_work_tree(remote):
    broken = remote.memo("next.md", "nowhere")
    remote.add("next.md")
    remote.commit_unchecked()
    broken.unlink()
    remote.git("rm", "-q", "--cached", "next.md")
    done = remote.attempt("git", "push", "-q", "origin", "main")
    assert done.status == 1
    assert "next.md:3:5: error RL201" in done.said


def test_a_work_tree_that_is_broken_does_not_stop_a_clean_push(remote):
    remote.stage("next.md", "base")
    remote.commit_unchecked()
    remote.memo("next.md", "nowhere")
    remote.memo("untracked.md", "nowhere")
    remote.stage("staged.md", "nowhere")
    remote.git("push", "-q", "origin", "main")


def test_an_older_revision_is_judged_as_it_was(remote):
    remote.stage("next.md", "nowhere")
    broken = remote.commit_unchecked()
    remote.stage("next.md", "base")
    remote.commit_unchecked()
    done = remote.attempt("git", "push", "-q", "origin", f"{broken}:refs/heads/older")
    assert done.status == 1
    assert "next.md:3:5: error RL201" in done.said
    remote.git("push", "-q", "origin", "main")


def test_a_clean_older_revision_passes_while_the_newer_one_is_broken(remote):
    remote.stage("next.md", "base")
    clean = remote.commit_unchecked()
    remote.stage("next.md", "nowhere")
    remote.commit_unchecked()
    remote.git("push", "-q", "origin", f"{clean}:refs/heads/older")


def test_deleting_a_remote_branch_passes(remote):
    remote.git("push", "-q", "origin", "main:refs/heads/side")
    remote.stage("next.md", "nowhere")
    remote.commit_unchecked()
    remote.git("push", "-q", "origin", ":side")


def test_a_push_from_a_linked_work_tree_reads_what_is_pushed(remote, tmp_path):
    linked = remote.at(tmp_path / "linked tree")
    remote.git("worktree", "add", "-q", "-b", "side", os.fspath(linked.path))
    linked.stage("next.md", "nowhere")
    linked.commit_unchecked()
    linked.git("rm", "-q", "next.md")
    done = linked.attempt("git", "push", "-q", "origin", "side")
    assert done.status == 1
    assert "next.md:3:5: error RL201" in done.said


def test_the_push_stage_by_hand_reads_head(framework, remote):
    remote.stage("next.md", "nowhere")
    assert framework.run(remote, "--hook-stage", "pre-push", "--all-files").status == 0
    remote.commit_unchecked()
    assert framework.run(remote, "--hook-stage", "pre-push", "--all-files").status == 1


def test_what_is_pushed_is_the_revision_that_the_framework_names_and_else_head(repository):
    repository.stage("next.md", "nowhere")
    older = repository.commit_unchecked()
    repository.stage("next.md")
    repository.commit_unchecked()
    repository.stage("next.md", "nowhere")
    assert repository.recall("lint", "--pushed").status == 0
    done = repository.recall("lint", "--pushed", PRE_COMMIT_TO_REF=older)
    assert done.status == 1
    assert "next.md:3:5: error RL201" in done.said
