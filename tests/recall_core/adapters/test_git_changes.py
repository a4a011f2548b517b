import os
from pathlib import Path

import pytest

from recall_core.adapters.git.changes import Changes, revision_changes, staged_changes, work_tree_changes
from recall_core.errors import GitError


def changes(added=(), modified=(), deleted=(), renamed=None) -> Changes:
    return Changes(frozenset(added), frozenset(modified), frozenset(deleted), renamed or {})


def body(name: str) -> str:
    return "".join(f"{name} {number}\n" for number in range(20))


@pytest.fixture
def started(repository):
    """Three memos, committed."""
    for path in ("a.md", "docs/b.md", "docs/c.md"):
        repository.add(path, body(path))
    repository.commit()
    return repository


def staged(repository, below: str = "", **more: str | None) -> Changes:
    return staged_changes(repository.find(), str(repository.path / below), **more)


class TestStagedChanges:
    def test_nothing_staged_is_no_change(self, started) -> None:
        started.write("a.md", "on disk only\n")
        started.write("new.md")
        assert staged(started) == changes()

    def test_each_kind_of_change_is_told(self, started) -> None:  # L5
        started.add("new.md", "new\n")
        started.add("a.md", "changed\n")
        started.git("rm", "-q", "docs/b.md")
        started.git("mv", "docs/c.md", "docs/d.md")
        assert staged(started) == changes({"new.md"}, {"a.md"}, {"docs/b.md"}, {"docs/c.md": "docs/d.md"})

    def test_a_memo_renamed_and_edited_is_renamed(self, started) -> None:
        started.git("mv", "a.md", "z.md")
        started.add("z.md", body("a.md") + "one line more\n")
        assert staged(started) == changes(renamed={"a.md": "z.md"})

    def test_the_users_settings_for_diffs_change_nothing(self, started) -> None:
        for name, value in (("diff.renames", "false"), ("diff.relative", "true"), ("color.ui", "always")):
            started.git("config", name, value)
        started.git("config", "diff.external", "false")
        started.git("mv", "docs/c.md", "docs/d.md")
        assert staged(started) == changes(renamed={"docs/c.md": "docs/d.md"})

    def test_an_empty_memo_is_not_renamed_into_another(self, started) -> None:
        started.add("empty.md", "")
        started.commit()
        started.git("rm", "-q", "empty.md")
        started.add("other.md", "")
        assert staged(started) == changes(added={"other.md"}, deleted={"empty.md"})

    def test_before_the_first_commit_everything_is_added(self, repository) -> None:
        repository.add("a.md")
        repository.add("docs/b.md")
        assert staged(repository) == changes(added={"a.md", "docs/b.md"})

    def test_intent_alone_is_no_change(self, started) -> None:
        started.write("meant.md")
        started.git("add", "-N", "meant.md")
        assert staged(started) == changes()

    def test_a_root_below_the_top_sees_only_what_lies_below_it(self, started) -> None:
        started.add("a.md", "changed\n")
        started.add("docs-2/x.md")
        started.git("mv", "docs/b.md", "docs/d.md")
        assert staged(started, "docs") == changes(renamed={"b.md": "d.md"})

    def test_a_move_over_the_root_is_an_addition_or_a_deletion(self, started) -> None:
        started.git("mv", "a.md", "docs/a.md")
        started.git("mv", "docs/b.md", "b.md")
        assert staged(started, "docs") == changes(added={"a.md"}, deleted={"b.md"})

    def test_a_memo_that_becomes_a_symlink_is_deleted_and_back_again_added(self, started) -> None:
        (started.path / "a.md").unlink()
        (started.path / "a.md").symlink_to("docs/b.md")
        started.git("add", "a.md")
        assert staged(started) == changes(deleted={"a.md"})
        started.commit()
        (started.path / "a.md").unlink()
        started.add("a.md", "a file\n")
        assert staged(started) == changes(added={"a.md"})

    def test_a_submodule_is_no_change(self, started) -> None:
        commit = started.git("rev-parse", "HEAD").strip()
        started.git("update-index", "--add", "--cacheinfo", f"160000,{commit},inner.md")
        assert staged(started) == changes()

    def test_a_conflicted_memo_is_modified(self, started) -> None:
        started.git("checkout", "-q", "-b", "other")
        started.add("a.md", "theirs\n")
        started.commit()
        started.git("checkout", "-q", "main")
        started.add("a.md", "ours\n")
        started.commit()
        assert started.try_git("merge", "other") != 0
        assert staged(started) == changes(modified={"a.md"})

    @pytest.mark.parametrize("name", ["two\nlines.md", "q\"u'o te.md", ":M.md", os.fsdecode(b"caf\xe9.md")])
    def test_odd_names_come_back_as_they_are(self, started, name: str) -> None:
        started.git("mv", "a.md", "./" + name)
        started.add("b-" + name)
        assert staged(started) == changes(added={"b-" + name}, renamed={"a.md": name})

    def test_another_base_may_be_named(self, started) -> None:
        first = started.git("rev-parse", "HEAD").strip()
        started.add("second.md", "second\n")
        started.commit()
        started.add("third.md", "third\n")
        assert staged(started, base=first) == changes(added={"second.md", "third.md"})

    @pytest.mark.parametrize("base", ["none", "--stat", "-R"])
    def test_a_base_that_is_none_is_said(self, started, base: str) -> None:
        with pytest.raises(GitError):
            staged(started, base=base)

    def test_a_partial_clone_still_knows_what_was_moved_unchanged(self, started) -> None:
        partial = started.clone("partial", "--filter=blob:none", "--no-checkout")
        partial.git("reset", "-q")
        partial.git("rm", "-q", "--cached", "a.md")
        blob = partial.git("rev-parse", "HEAD:a.md").strip()
        partial.git("update-index", "--add", "--cacheinfo", f"100644,{blob},z.md")
        partial.git("rm", "-q", "--cached", "docs/b.md")
        partial.add("docs/new.md", "new\n")
        found = staged(partial)
        assert found == changes(added={"docs/new.md"}, deleted={"docs/b.md"}, renamed={"a.md": "z.md"})


class TestWorkTreeChanges:
    def test_it_is_what_lies_on_disk_against_head(self, started) -> None:
        started.add("a.md", "staged\n")
        started.write("docs/b.md", "on disk\n")
        (started.path / "docs" / "c.md").unlink()
        started.write("untracked.md")
        started.add("new.md")
        found = work_tree_changes(started.find(), str(started.path))
        assert found == changes({"new.md"}, {"a.md", "docs/b.md"}, {"docs/c.md"})

    def test_a_memo_that_was_only_touched_is_not_changed(self, started) -> None:
        os.utime(started.path / "a.md", (1_000_000_000, 1_000_000_000))
        assert work_tree_changes(started.find(), str(started.path)) == changes()

    def test_it_works_before_the_first_commit(self, repository) -> None:
        repository.add("docs/a.md")
        assert work_tree_changes(repository.find(), str(repository.path / "docs")) == changes(added={"a.md"})


class TestRevisionChanges:
    def test_it_is_the_commit_against_its_first_parent(self, started) -> None:
        started.git("mv", "a.md", "z.md")
        started.commit()
        started.add("later.md")
        found = revision_changes(started.find(), str(started.path), "HEAD")
        assert found == changes(renamed={"a.md": "z.md"})

    def test_a_merge_brings_what_its_branch_wrote(self, started) -> None:
        started.git("checkout", "-q", "-b", "other")
        started.add("theirs.md", "theirs\n")
        started.commit()
        started.git("checkout", "-q", "main")
        started.add("ours.md", "ours\n")
        started.commit()
        started.git("merge", "-q", "--no-edit", "other", **started.dated(9))
        found = revision_changes(started.find(), str(started.path), "HEAD")
        assert found == changes(added={"theirs.md"})

    def test_in_the_first_commit_everything_is_added(self, started) -> None:
        found = revision_changes(started.find(), str(started.path / "docs"), "HEAD")
        assert found == changes(added={"b.md", "c.md"})

    def test_a_pushed_range_has_a_base(self, started) -> None:
        first = started.git("rev-parse", "HEAD").strip()
        for name in ("b.md", "c.md"):
            started.add(name, f"{name} is new\n")
            started.commit()
        found = revision_changes(started.find(), str(started.path), "HEAD", base=first)
        assert found == changes(added={"b.md", "c.md"})


def test_a_root_that_is_elsewhere_is_refused(started, tmp_path: Path) -> None:
    with pytest.raises(GitError, match="lies outside"):
        staged_changes(started.find(), str(tmp_path))
