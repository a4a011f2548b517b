import os
import shutil
import subprocess
from pathlib import Path

import pytest

from recall_core.adapters.git import index, work_tree
from recall_core.adapters.git.blobs import read_blobs
from recall_core.adapters.git.index import IndexSource
from recall_core.adapters.git.repository import Git
from recall_core.adapters.git.revision import RevisionSource, contents_at
from recall_core.adapters.git.work_tree import WorkTreeSource
from recall_core.errors import GitError
from recall_core.ports.corpus import CorpusSource, Entry, ReadFailure

ODD_NAMES = [
    "plain.md",
    "with space.md",
    "with 'quotes' \"both\".md",
    "two\nlines.md",
    "tab\there.md",
    "*.md",
    "[a].md",
    ":colon.md",
    "-dash.md",
    "back\\slash.md",
    "überblick-\U0001f4dd.md",
    os.fsdecode(b"caf\xe9.md"),
]


def paths(source: CorpusSource) -> list[str]:
    return [entry.path for entry in source.listing().entries]


def contents(source: CorpusSource) -> dict[str, bytes | ReadFailure]:
    return {entry.path: content for entry, content in source.read(source.listing().entries)}


def index_of(repository, below: str = "", **more: str) -> IndexSource:
    return IndexSource(repository.find(below, **more), str(repository.path / below))


def tree_of(repository, below: str = "") -> WorkTreeSource:
    return WorkTreeSource(repository.find(below), str(repository.path / below))


def conflict(repository) -> None:
    """`both.md` changed on two sides, `theirs.md` deleted here, `ours.md` deleted there, `gone.md` renamed twice."""
    for path in ("both.md", "theirs.md", "ours.md", "gone.md"):
        repository.add(path, f"{path}\n" * 20)
    repository.commit()
    repository.git("checkout", "-q", "-b", "other")
    for path in ("both.md", "theirs.md"):
        repository.add(path, f"{path} as they have it\n")
    repository.git("rm", "-q", "ours.md")
    repository.git("mv", "gone.md", "there.md")
    repository.commit()
    repository.git("checkout", "-q", "main")
    for path in ("both.md", "ours.md"):
        repository.add(path, f"{path} as we have it\n")
    repository.git("rm", "-q", "theirs.md")
    repository.git("mv", "gone.md", "here.md")
    repository.commit()
    assert repository.try_git("merge", "other") != 0


@pytest.mark.parametrize("name", ODD_NAMES)
class TestOddNames:  # L5
    def test_the_index_lists_and_reads_it(self, repository, name: str) -> None:
        repository.add(name, "odd\n")
        assert contents(index_of(repository)) == {name: b"odd\n"}

    def test_a_revision_lists_and_reads_it(self, repository, name: str) -> None:
        repository.add(name, "odd\n")
        repository.commit()
        source = RevisionSource(repository.find(), str(repository.path), "HEAD")
        assert contents(source) == {name: b"odd\n"}
        assert contents_at(repository.find(), str(repository.path), "HEAD", [name]) == {name: b"odd\n"}

    @pytest.mark.parametrize("state", ["untracked", "staged", "changed"])
    def test_the_work_tree_lists_and_reads_it(self, repository, name: str, state: str) -> None:
        repository.write(name, "odd\n")
        if state != "untracked":
            repository.add(name, "odd\n")
        if state == "changed":
            repository.write(name, "odder\n")
        assert contents(tree_of(repository)) == {name: b"odder\n" if state == "changed" else b"odd\n"}


class TestIndexSource:
    def test_what_is_staged_counts_and_not_what_lies_on_disk(self, repository) -> None:
        repository.add("a.md", "staged\n")
        repository.write("a.md", "on disk\n")
        repository.write("untracked.md")
        assert contents(index_of(repository)) == {"a.md": b"staged\n"}

    def test_the_identity_is_the_blob_id(self, repository) -> None:
        repository.add("a.md")
        [entry] = index_of(repository).listing().entries
        assert entry == Entry("a.md", repository.git("rev-parse", ":a.md").strip(), tracked=True)

    def test_symlinks_and_submodules_are_no_entries(self, repository) -> None:
        repository.add("a.md")
        commit = repository.commit()
        (repository.path / "link.md").symlink_to("a.md")
        repository.git("add", "link.md")
        repository.git("update-index", "--add", "--cacheinfo", f"160000,{commit},inner.md")
        assert paths(index_of(repository)) == ["a.md"]

    def test_an_executable_file_is_a_regular_one(self, repository) -> None:
        repository.add("a.md")
        repository.git("update-index", "--chmod=+x", "a.md")
        assert paths(index_of(repository)) == ["a.md"]

    def test_entries_come_sorted_by_path(self, repository) -> None:
        # By bytes, as Git sorts, the lone byte comes last; by code points the emoji does.
        for name in ("z.md", os.fsdecode(b"\xe9.md"), "\U0001f4dd.md", "a/b.md", "a.md"):
            repository.add(name)
        listed = paths(index_of(repository))
        assert listed == sorted(listed)
        assert len(listed) == 5

    def test_a_root_below_the_top_sees_only_what_lies_below_it(self, repository) -> None:
        for path in ("a.md", "docs/b.md", "docs/in/c.md", "docs-2/d.md", "do*/e.md"):
            repository.add(path, path)
        assert contents(index_of(repository, "docs")) == {"b.md": b"docs/b.md", "in/c.md": b"docs/in/c.md"}
        assert paths(index_of(repository, "do*")) == ["e.md"]

    @pytest.mark.parametrize("spelling", ["GIT_LITERAL_PATHSPECS", "GIT_ICASE_PATHSPECS", "GIT_NOGLOB_PATHSPECS"])
    def test_the_users_way_with_pathspecs_changes_nothing(self, repository, spelling: str) -> None:
        repository.add("docs/a.md")
        repository.add("Docs/b.md")
        assert paths(index_of(repository, "docs", **{spelling: "1"})) == ["a.md"]

    def test_an_empty_index_is_an_empty_listing(self, repository) -> None:
        source = index_of(repository)
        assert paths(source) == []
        assert list(source.read([])) == []

    def test_a_repository_without_a_commit_has_an_index(self, repository) -> None:
        repository.add("a.md")
        assert paths(index_of(repository)) == ["a.md"]

    def test_a_sha256_repository_is_read(self, tmp_path: Path, environment) -> None:
        subprocess.run(["git", "init", "-q", "--object-format=sha256", "."], cwd=tmp_path, env=environment, check=True)
        (tmp_path / "a.md").write_text("a\n")
        (tmp_path / "empty.md").write_text("")
        (tmp_path / "meant.md").write_text("")
        subprocess.run(["git", "add", "a.md", "empty.md"], cwd=tmp_path, env=environment, check=True)
        subprocess.run(["git", "add", "-N", "meant.md"], cwd=tmp_path, env=environment, check=True)
        git = Git.find(str(tmp_path), environment)
        assert git is not None
        assert contents(IndexSource(git, str(tmp_path))) == {"a.md": b"a\n", "empty.md": b""}
        assert [
            (entry.path, entry.tracked)
            for entry in WorkTreeSource(git, str(tmp_path)).listing().entries
            if "home" not in entry.path
        ] == [
            ("a.md", True),
            ("empty.md", True),
            ("meant.md", False),
        ]


class TestIntentToAdd:
    def test_what_is_added_by_intent_only_is_not_in_the_index(self, repository) -> None:
        repository.add("a.md")
        repository.add("empty.md", "")
        repository.write("meant.md", "later\n")
        repository.git("add", "-N", "meant.md")
        assert paths(index_of(repository)) == ["a.md", "empty.md"]

    def test_an_intent_whose_file_is_gone_is_still_not_in_the_index(self, repository) -> None:
        repository.write("meant.md", "later\n")
        repository.git("add", "-N", "meant.md")
        (repository.path / "meant.md").unlink()
        assert paths(index_of(repository)) == []

    def test_an_intent_below_a_sub_folder_is_told_by_its_path_from_the_top(self, repository) -> None:
        repository.add("docs/meant.md", "")
        repository.add("meant.md", "")
        repository.git("rm", "-q", "--cached", "docs/meant.md")
        repository.git("add", "-N", "docs/meant.md")
        assert paths(index_of(repository, "docs")) == []
        assert paths(index_of(repository)) == ["meant.md"]

    def test_more_intents_than_a_command_line_holds(self, repository, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(index, "_NAMES_ON_A_COMMAND_LINE", 3)
        for number in range(5):
            repository.add(f"empty-{number}.md", "")
            repository.write(f"meant-{number}.md")
            repository.git("add", "-N", f"meant-{number}.md")
        assert paths(index_of(repository)) == [f"empty-{number}.md" for number in range(5)]

    def test_the_empty_files_of_every_repository_cost_no_process(
        self, repository, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        repository.add("package/__init__.py", "")
        repository.add("notes/.gitkeep", "")
        repository.add("a.md")
        source = index_of(repository)
        asked = []
        run = Git.run
        monkeypatch.setattr(Git, "run", lambda git, *words: asked.append(words) or run(git, *words))
        assert len(paths(source)) == 3
        assert len(source.raw_state()) > 0
        assert len(asked) == 1

    def test_truly_adding_it_changes_the_state(self, repository) -> None:
        # The index names both with the id of an empty file.
        repository.write("meant.md", "")
        repository.git("add", "-N", "meant.md")
        before = index_of(repository).raw_state()
        repository.git("add", "meant.md")
        after = index_of(repository)
        assert after.raw_state() != before
        assert paths(after) == ["meant.md"]

    def test_in_the_work_tree_it_counts_as_untracked(self, repository) -> None:
        repository.add("empty.md", "")
        repository.write("meant.md", "later\n")
        repository.git("add", "-N", "meant.md")
        source = tree_of(repository)
        assert [(entry.path, entry.tracked) for entry in source.listing().entries] == [
            ("empty.md", True),
            ("meant.md", False),
        ]
        assert contents(source)["meant.md"] == b"later\n"


class TestPartialCommits:
    def test_the_index_of_commit_o_is_read_and_not_the_usual_one(self, repository, tmp_path: Path) -> None:
        repository.add("a.md", "one\n")
        repository.commit()
        repository.add("a.md", "staged, but not for this commit\n")
        repository.write("b.md", "only this\n")
        other = str(tmp_path / "next-index.lock")
        repository.git("read-tree", "HEAD", GIT_INDEX_FILE=other)
        repository.git("add", "b.md", GIT_INDEX_FILE=other)
        source = index_of(repository, GIT_INDEX_FILE=other)
        assert contents(source) == {"a.md": b"one\n", "b.md": b"only this\n"}

    def test_a_relative_index_file_counts_from_the_top(self, repository) -> None:
        repository.add("docs/a.md")
        shutil.copy(repository.path / ".git" / "index", repository.path / ".git" / "other")
        repository.add("docs/b.md")
        assert paths(index_of(repository, "docs", GIT_INDEX_FILE=".git/other")) == ["a.md"]


class TestConflicts:
    def test_a_conflicted_file_is_listed_once_as_ours_else_as_theirs(self, repository) -> None:
        conflict(repository)
        source = index_of(repository)
        assert contents(source) == {
            "both.md": b"both.md as we have it\n",
            "here.md": b"gone.md\n" * 20,
            "ours.md": b"ours.md as we have it\n",
            "theirs.md": b"theirs.md as they have it\n",
            "there.md": b"gone.md\n" * 20,
        }

    def test_the_work_tree_has_the_file_with_its_markers(self, repository) -> None:
        conflict(repository)
        source = tree_of(repository)
        listing = source.listing()
        assert [entry.path for entry in listing.entries] == ["both.md", "here.md", "ours.md", "theirs.md", "there.md"]
        assert all("-" in entry.identity and entry.tracked for entry in listing.entries)
        assert b"<<<<<<<" in contents(source)["both.md"]


class TestRevisionSource:
    def test_it_is_the_tree_of_that_revision(self, repository) -> None:
        repository.add("a.md", "one\n")
        first = repository.commit()
        repository.add("a.md", "two\n")
        repository.add("docs/b.md")
        repository.commit()
        git, root = repository.find(), str(repository.path)
        assert contents(RevisionSource(git, root, first)) == {"a.md": b"one\n"}
        assert contents(RevisionSource(git, root, "HEAD")) == {"a.md": b"two\n", "docs/b.md": b"text\n"}
        assert contents(RevisionSource(git, root, "HEAD^{tree}"))["a.md"] == b"two\n"
        assert paths(RevisionSource(git, str(repository.path / "docs"), "HEAD")) == ["b.md"]
        assert paths(RevisionSource(git, str(repository.path / "docs"), first)) == []
        assert RevisionSource(git, root, first).raw_state() != RevisionSource(git, root, "HEAD").raw_state()

    def test_the_identity_is_the_one_that_the_index_gives(self, repository) -> None:
        repository.add("a.md")
        repository.commit()
        source = RevisionSource(repository.find(), str(repository.path), "HEAD")
        assert source.listing().entries == index_of(repository).listing().entries

    @pytest.mark.parametrize("rev", ["none", "HEAD", "--all", "-r"])
    def test_a_revision_that_is_none_is_said(self, repository, rev: str) -> None:
        with pytest.raises(GitError):
            RevisionSource(repository.find(), str(repository.path), rev).listing()


class TestContentsAt:
    def test_it_is_what_the_memo_said_there(self, repository) -> None:
        repository.add("docs/a.md", "one\n")
        repository.add("docs/a.md.d/x.md", "other\n")
        repository.commit()
        repository.add("docs/a.md", "two\n")
        git = repository.find()
        said = contents_at(git, str(repository.path / "docs"), "HEAD", ["a.md", "a.md.d"])
        assert said == {"a.md": b"one\n", "a.md.d": None}
        assert contents_at(git, str(repository.path), "HEAD", ["none.md"]) == {"none.md": None}

    def test_before_the_first_commit_nothing_was_said(self, repository) -> None:
        repository.add("a.md")
        assert contents_at(repository.find(), str(repository.path), "HEAD", ["a.md"]) == {"a.md": None}

    def test_many_paths_are_asked_for_at_once(self, repository) -> None:
        for number in range(120):
            repository.write(f"docs/{number}.md", f"{number}\n")
        repository.git("add", "docs")
        repository.commit()
        wanted = [f"{number}.md" for number in range(150)]
        said = contents_at(repository.find(), str(repository.path / "docs"), "HEAD", wanted)
        assert said == {f"{n}.md": f"{n}\n".encode() if n < 120 else None for n in range(150)}

    def test_a_revision_that_is_none_is_said(self, repository) -> None:
        repository.commit()
        with pytest.raises(GitError):
            contents_at(repository.find(), str(repository.path), "none", ["a.md"])


class TestWorkTreeSource:
    def test_a_file_as_the_index_has_it_carries_the_blob_id(self, repository) -> None:
        repository.add("a.md")
        repository.commit()
        assert tree_of(repository).listing().entries == index_of(repository).listing().entries

    def test_changed_and_untracked_files_carry_size_time_and_inode(self, repository) -> None:
        repository.add("changed.md")
        repository.write("changed.md", "changed\n")
        repository.write("new.md", "new\n")
        found = {entry.path: entry for entry in tree_of(repository).listing().entries}
        for name, tracked in (("changed.md", True), ("new.md", False)):
            status = (repository.path / name).stat()
            assert found[name] == Entry(name, f"{status.st_size}-{status.st_mtime_ns}-{status.st_ino}", tracked)
        assert contents(tree_of(repository)) == {"changed.md": b"changed\n", "new.md": b"new\n"}

    def test_a_file_that_was_only_touched_is_as_the_index_has_it(self, repository) -> None:
        repository.add("a.md")
        os.utime(repository.path / "a.md", (1_000_000_000, 1_000_000_000))
        assert tree_of(repository).listing().entries == index_of(repository).listing().entries

    def test_files_deleted_on_disk_are_absent(self, repository) -> None:
        repository.add("a.md")
        repository.add("docs/b.md")
        shutil.rmtree(repository.path / "docs")
        listing = tree_of(repository).listing()
        assert [entry.path for entry in listing.entries] == ["a.md"]
        assert listing.failures == []

    def test_a_folder_that_became_a_file_holds_no_memos(self, repository) -> None:
        repository.add("docs/b.md")
        shutil.rmtree(repository.path / "docs")
        repository.write("docs", "a file\n")
        assert paths(tree_of(repository)) == ["docs"]

    def test_ignored_files_are_absent_unless_tracked(self, repository) -> None:
        repository.add(".gitignore", "drafts/\n*.tmp.md\n")
        repository.add("kept.tmp.md")
        repository.write("drafts/a.md")
        repository.write("b.tmp.md")
        repository.write("c.md")
        assert paths(tree_of(repository)) == [".gitignore", "c.md", "kept.tmp.md"]

    def test_untracked_symlinks_pipes_and_embedded_repositories_are_no_entries(self, repository) -> None:
        repository.add("a.md")
        (repository.path / "link.md").symlink_to("a.md")
        (repository.path / "loop").symlink_to(".")
        os.mkfifo(repository.path / "pipe.md")
        repository.git("init", "-q", "inner")
        repository.write("inner/b.md")
        assert paths(tree_of(repository)) == ["a.md"]

    def test_a_tracked_file_that_became_a_symlink_or_pipe_is_no_entry(self, repository) -> None:
        for name in ("a.md", "b.md", "c.md"):
            repository.add(name)
        for name in ("b.md", "c.md"):
            (repository.path / name).unlink()
        (repository.path / "b.md").symlink_to("a.md")
        os.mkfifo(repository.path / "c.md")
        assert paths(tree_of(repository)) == ["a.md"]

    def test_a_tracked_symlink_that_became_a_file_is_one(self, repository) -> None:
        (repository.path / "a.md").symlink_to("elsewhere")
        repository.git("add", "a.md")
        (repository.path / "a.md").unlink()
        repository.write("a.md", "a file\n")
        assert contents(tree_of(repository)) == {"a.md": b"a file\n"}

    def test_a_folder_that_became_a_symlink_is_not_looked_through(self, repository) -> None:
        repository.add("docs/in/a.md")
        repository.add("docs/in/changed.md")
        repository.write("docs/in/changed.md", "changed\n")
        (repository.path / "docs").rename(repository.path / "moved")
        (repository.path / "docs").symlink_to("moved")
        assert paths(tree_of(repository)) == ["moved/in/a.md", "moved/in/changed.md"]

    def test_a_submodule_is_not_looked_into(self, repository, tmp_path: Path, environment) -> None:
        repository.add("a.md")
        repository.commit()
        outer = tmp_path / "outer"
        subprocess.run(["git", "init", "-q", str(outer)], env=environment, check=True)
        subprocess.run(
            ["git", "submodule", "--quiet", "add", str(repository.path), "inner"],
            cwd=outer,
            env=environment,
            check=True,
        )
        (outer / "inner" / "a.md").write_text("changed\n")
        git = Git.find(str(outer), environment)
        assert git is not None
        assert paths(WorkTreeSource(git, str(outer))) == [".gitmodules"]
        inner = Git.find(str(outer / "inner"), environment)
        assert inner is not None
        assert contents(WorkTreeSource(inner, str(outer / "inner"))) == {"a.md": b"changed\n"}

    def test_hidden_folders_and_node_modules_are_not_searched_for_untracked_files(self, repository) -> None:
        for path in (".venv/a.md", "node_modules/p/b.md", "docs/node_modules/c.md", "docs/.cache/d.md", "docs/e.md"):
            repository.write(path)
        repository.add(".github/f.md")
        assert paths(tree_of(repository)) == [".github/f.md", "docs/e.md"]

    @pytest.mark.parametrize("root", [".notes", "node_modules/p"])
    def test_a_root_in_such_a_folder_is_searched(self, repository, root: str) -> None:
        repository.write(f"{root}/in/a.md")
        assert paths(tree_of(repository, root)) == ["in/a.md"]

    def test_a_root_below_the_top_sees_only_what_lies_below_it(self, repository) -> None:
        repository.add("docs/a.md", "a\n")
        repository.add("b.md")
        repository.write("docs/in/c.md", "c\n")
        repository.write("docs-2/d.md")
        repository.add("docs/e.md")
        repository.write("docs/e.md", "e\n")
        repository.write(".gitignore", "ignored.md\n")
        repository.write("docs/ignored.md")
        assert contents(tree_of(repository, "docs")) == {"a.md": b"a\n", "e.md": b"e\n", "in/c.md": b"c\n"}

    def test_a_file_assumed_unchanged_has_the_identity_of_what_lies_on_disk(self, repository) -> None:
        repository.add("a.md")
        repository.git("update-index", "--assume-unchanged", "a.md")
        repository.write("a.md", "changed all the same\n")
        source = tree_of(repository)
        assert "-" in source.listing().entries[0].identity
        assert contents(source) == {"a.md": b"changed all the same\n"}

    def test_what_a_sparse_checkout_leaves_out_is_read_from_the_index(self, repository) -> None:
        for number in range(5):
            repository.add(f"in/{number}.md", f"in {number}\n")
            repository.add(f"out/{number}.md", f"out {number}\n")
        repository.commit()
        repository.git("sparse-checkout", "set", "in")
        assert not (repository.path / "out").exists()
        source = tree_of(repository)
        assert source.listing().entries == index_of(repository).listing().entries
        assert contents(source) == contents(index_of(repository))

    def test_linked_work_trees_have_their_own_files(self, repository) -> None:
        repository.add("a.md", "one\n")
        repository.commit()
        repository.git("worktree", "add", "-q", "../linked", "-b", "other")
        linked = repository.path.parent / "linked"
        (linked / "a.md").write_text("two\n")
        git = Git.find(str(linked), repository.environment)
        assert git is not None
        assert contents(WorkTreeSource(git, str(linked))) == {"a.md": b"two\n"}
        assert contents(IndexSource(git, str(linked))) == {"a.md": b"one\n"}

    def test_a_file_whose_status_is_refused_is_a_failure(self, repository, monkeypatch: pytest.MonkeyPatch) -> None:
        repository.add("a.md")
        repository.write("docs/b.md")
        lstat = os.lstat

        def refuse(path: str, **more: object) -> os.stat_result:
            if str(path).endswith("b.md"):
                raise PermissionError(13, "Permission denied")
            return lstat(path, **more)

        monkeypatch.setattr(os, "lstat", refuse)
        listing = tree_of(repository, "").listing()
        assert [entry.path for entry in listing.entries] == ["a.md"]
        assert listing.failures == [("docs/b.md", ReadFailure("Permission denied"))]

    def test_a_folder_that_git_cannot_open_is_a_failure(self, repository, monkeypatch: pytest.MonkeyPatch) -> None:
        repository.add("docs/a.md")
        run = Git.run_heard
        warning = "warning: could not open directory 'docs/closed/': Permission denied\n"
        monkeypatch.setattr(Git, "run_heard", lambda git, *words: (run(git, *words)[0], warning))
        assert tree_of(repository, "docs").listing().failures == [("closed", ReadFailure("Permission denied"))]

    def test_a_file_written_after_git_looked_is_read_as_its_identity_says(self, repository) -> None:
        # Else a cache would keep what the new text says under the id of the old one.
        repository.add("a.md", "as listed\n")
        source = tree_of(repository)
        entries = source.listing().entries
        repository.write("a.md", "written since\n")
        assert list(source.read(entries)) == [(entries[0], b"as listed\n")]

    def test_a_file_that_rests_is_read_from_disk(self, repository, monkeypatch: pytest.MonkeyPatch) -> None:
        repository.add("a.md", "as listed\n")
        monkeypatch.setattr(work_tree.time, "time_ns", lambda: 1 << 62)
        monkeypatch.setattr(work_tree, "read_blobs", lambda *_: iter(()))
        assert contents(tree_of(repository)) == {"a.md": b"as listed\n"}

    def test_a_file_that_vanished_since_is_a_failure(self, repository) -> None:
        repository.add("a.md")
        source = tree_of(repository)
        entries = source.listing().entries
        (repository.path / "a.md").unlink()
        assert list(source.read(entries)) == [(entries[0], ReadFailure("No such file or directory"))]

    def test_one_process_is_enough(self, repository, monkeypatch: pytest.MonkeyPatch) -> None:
        repository.add("a.md")
        repository.write("b.md")
        source = tree_of(repository)
        started = []
        popen = subprocess.Popen
        monkeypatch.setattr(subprocess, "Popen", lambda *words, **more: started.append(1) or popen(*words, **more))
        source.raw_state()
        source.listing()
        assert len(started) == 1


CHANGES = {
    "a-changed-file": lambda repository: repository.write("a.md", "longer than before\n"),
    "changed-once-more": lambda repository: repository.write("changed.md", "changed once more\n"),
    "an-untracked-file-changed": lambda repository: repository.write("new.md", "newer\n"),
    "a-new-file": lambda repository: repository.write("newer.md"),
    "a-deletion": lambda repository: (repository.path / "a.md").unlink(),
    "staging": lambda repository: repository.git("add", "changed.md"),
    "adding": lambda repository: repository.git("add", "new.md"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_the_state_of_the_work_tree_changes_with_the_listing(repository, change) -> None:
    repository.add("a.md")
    repository.add("changed.md")
    repository.write("changed.md", "changed\n")
    repository.write("new.md", "new\n")
    before = tree_of(repository).raw_state()
    assert tree_of(repository).raw_state() == before
    change(repository)
    assert tree_of(repository).raw_state() != before


def test_the_state_of_the_index_changes_with_the_listing_alone(repository) -> None:
    repository.add("a.md")
    before = index_of(repository).raw_state()
    repository.write("a.md", "on disk only\n")
    assert index_of(repository).raw_state() == before
    repository.git("add", "a.md")
    assert index_of(repository).raw_state() != before


class TestReadBlobs:
    def test_100000_ids_do_not_dead_lock(self, repository) -> None:
        repository.add("a.md", "x" * 100)
        repository.commit()
        repository.git("repack", "-adq")
        blob = repository.git("rev-parse", ":a.md").strip()
        assert sum(map(len, read_blobs(repository.find(), [blob] * 100_000))) == 100 * 100_000

    def test_large_and_binary_contents_come_back_whole(self, repository) -> None:
        expected = {"a.md": os.urandom(3_000_000), "b.md": b"", "c.md": b"\0\n\r\n\xff"}
        for name, content in expected.items():
            repository.add(name, content)
        assert contents(index_of(repository)) == expected

    def test_what_is_absent_or_no_blob_is_a_failure_in_its_place(self, repository) -> None:
        repository.add("docs/a.md", "a\n")
        commit = repository.commit()
        blob = repository.git("rev-parse", ":docs/a.md").strip()
        answers = list(read_blobs(repository.find(), [blob, "1" * 40, commit, blob]))
        assert answers[0] == answers[3] == b"a\n"
        assert isinstance(answers[1], ReadFailure)
        assert "not in this clone" in answers[1].reason
        assert isinstance(answers[2], ReadFailure)

    def test_a_damaged_object_is_a_failure_and_the_rest_is_read(self, repository) -> None:
        blobs = []
        for number in range(4):
            repository.add(f"{number}.md", f"{number}\n")
            blobs.append(repository.git("rev-parse", f":{number}.md").strip())
        for blob in blobs[1:3]:
            damaged = repository.path / ".git" / "objects" / blob[:2] / blob[2:]
            damaged.chmod(0o644)
            damaged.write_bytes(b"not zlib")
        answers = list(read_blobs(repository.find(), blobs))
        assert (answers[0], answers[3]) == (b"0\n", b"3\n")
        assert all(isinstance(answer, ReadFailure) for answer in answers[1:3])

    def test_a_partial_clone_fetches_nothing(self, repository) -> None:
        for number in range(20):
            repository.add(f"{number}.md", f"{number}\n")
        repository.commit()
        partial = repository.clone("partial", "--filter=blob:none", "--no-checkout")
        partial.git("reset", "-q")
        there = partial.git("rev-parse", ":3.md").strip()
        partial.git("cat-file", "-e", there)  # this one is fetched, by Git as it usually runs
        said = contents(index_of(partial))
        assert said.pop("3.md") == b"3\n"
        assert len(said) == 19
        assert set(said.values()) == {ReadFailure("its content is not in this clone of the repository")}

    def test_a_reader_that_stops_early_leaves_no_process_behind(
        self, repository, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        repository.add("a.md", "x" * 1000)
        blob = repository.git("rev-parse", ":a.md").strip()
        started = []
        popen = subprocess.Popen

        def remember(*words, **more):
            started.append(popen(*words, **more))
            return started[-1]

        git = repository.find()
        monkeypatch.setattr(subprocess, "Popen", remember)
        answers = read_blobs(git, [blob] * 50_000)
        assert next(answers) == b"x" * 1000
        answers.close()
        assert [process.poll() is None for process in started] == [False]


@pytest.mark.parametrize("kind", ["index", "work-tree", "revision"])
def test_each_kind_has_its_name(repository, kind: str) -> None:
    repository.add("a.md")
    repository.commit()
    git, root = repository.find(), str(repository.path)
    sources: list[CorpusSource] = [IndexSource(git, root), WorkTreeSource(git, root), RevisionSource(git, root, "HEAD")]
    [source] = [source for source in sources if source.kind == kind]
    assert contents(source) == {"a.md": b"text\n"}
