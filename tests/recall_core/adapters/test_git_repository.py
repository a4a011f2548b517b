import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from recall_core.adapters.git.program import unreadable_folders
from recall_core.adapters.git.repository import Git
from recall_core.errors import GitError


def test_a_repository_is_found_from_any_folder_in_it(repository) -> None:
    repository.add("docs/a.md")
    head = repository.commit()
    git = repository.find("docs")
    assert git.top == str(repository.path)
    assert git.git_dir == str(repository.path / ".git")
    assert git.head == head
    assert not git.is_shallow


def test_a_repository_without_a_commit_has_no_head(repository) -> None:
    assert repository.find().head is None


def test_a_detached_head_is_a_head(repository) -> None:
    first = repository.commit()
    repository.commit()
    repository.git("checkout", "-q", first)
    assert repository.find().head == first


def test_a_file_called_head_does_not_confuse(repository) -> None:
    repository.add("HEAD")
    head = repository.commit()
    assert repository.find().head == head


def test_a_shallow_clone_says_so(repository) -> None:
    repository.commit()
    repository.commit()
    assert repository.clone("shallow", "--depth=1").find().is_shallow


def test_sha256_repositories_are_read(tmp_path: Path, environment) -> None:
    subprocess.run(["git", "init", "-q", "--object-format=sha256", str(tmp_path / "new")], env=environment, check=True)
    git = Git.find(str(tmp_path / "new"), environment)
    assert git is not None
    assert git.id_length == 64
    assert git.empty_tree == git.run("hash-object", "-t", "tree", "/dev/null").decode().strip()
    assert git.empty_blob == git.run("hash-object", "/dev/null").decode().strip()


def test_outside_a_repository_there_is_none(tmp_path: Path, environment) -> None:
    assert Git.find(str(tmp_path), environment) is None
    assert Git.find(str(tmp_path / "absent"), environment) is None


def test_a_bare_repository_and_a_git_folder_are_no_work_trees(repository, tmp_path: Path, environment) -> None:
    bare = repository.clone("bare.git", "--bare")
    assert Git.find(str(bare.path), environment) is None
    assert Git.find(str(repository.path / ".git"), environment) is None


def test_one_process_is_enough(repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit()
    started = []
    popen = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda *arguments, **more: started.append(1) or popen(*arguments, **more))
    repository.find()
    assert len(started) == 1


@pytest.mark.parametrize("commits", [0, 1])
def test_line_breaks_in_the_folders_name_are_kept(tmp_path: Path, environment, commits: int) -> None:
    path = tmp_path / ("two\nlines\n" + "a" * 40)
    path.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=path, env=environment, check=True)
    for _ in range(commits):
        subprocess.run(["git", "commit", "-q", "--allow-empty", "-m", "x"], cwd=path, env=environment, check=True)
    git = Git.find(str(path), environment)
    assert git is not None
    assert (git.top, git.git_dir, git.head is None) == (str(path), str(path / ".git"), commits == 0)


class TestLinkedWorkTreesAndSubmodules:
    def test_a_linked_work_tree_has_its_own_git_folder(self, repository) -> None:
        repository.add("a.md")
        repository.commit()
        repository.git("worktree", "add", "-q", "../linked", "-b", "other")
        git = Git.find(str(repository.path.parent / "linked"), repository.environment)
        assert git is not None
        assert git.top == str(repository.path.parent / "linked")
        assert git.git_dir == str(repository.path / ".git" / "worktrees" / "linked")

    def test_a_submodule_is_a_repository_of_its_own(self, repository, tmp_path: Path, environment) -> None:
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
        git = Git.find(str(outer / "inner"), environment)
        assert git is not None
        assert git.top == str(outer / "inner")
        assert git.git_dir == str(outer / ".git" / "modules" / "inner")


class TestHooks:
    def test_a_hooks_git_dir_does_not_make_a_sub_folder_the_top(
        self, repository, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        repository.add("docs/a.md")
        repository.commit()
        monkeypatch.chdir(repository.path)
        git = repository.find("docs", GIT_DIR=".git", GIT_INDEX_FILE=".git/index")
        assert git.top == str(repository.path)
        assert git.prefix_of(str(repository.path / "docs")) == "docs/"

    def test_a_relative_git_dir_and_work_tree_count_from_where_we_were_started(
        self, repository, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        repository.add("docs/a.md")
        monkeypatch.chdir(repository.path / "docs")
        git = repository.find("docs", GIT_DIR="../.git", GIT_WORK_TREE="..")
        assert git.top == str(repository.path)
        assert git.run("ls-files") == b"docs/a.md\n"

    def test_a_hooks_variables_say_nothing_about_another_repository(
        self, repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        other = tmp_path / "other"
        subprocess.run(["git", "init", "-q", str(other)], env=repository.environment, check=True)
        monkeypatch.chdir(repository.path)
        git = Git.find(str(other), {**repository.environment, "GIT_DIR": str(repository.path / ".git")})
        assert git is not None
        assert git.top == str(other)

    @pytest.mark.parametrize(
        ("variables", "told"),
        [
            ({"GIT_WORK_TREE": "../other"}, "GIT_WORK_TREE"),
            ({"GIT_DIR": "../other/.git"}, "GIT_DIR"),
            ({"GIT_DIR": "../other/.git", "GIT_WORK_TREE": "../other"}, "GIT_DIR GIT_WORK_TREE"),
            ({"GIT_WORK_TREE": "docs"}, "GIT_WORK_TREE"),
        ],
    )
    def test_another_work_tree_than_the_one_around_us_is_refused(
        self, repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], told: str
    ) -> None:
        repository.add("docs/a.md")
        subprocess.run(["git", "init", "-q", str(tmp_path / "other")], env=repository.environment, check=True)
        monkeypatch.chdir(repository.path)
        with pytest.raises(GitError) as caught:
            repository.find(**variables)
        assert caught.value.help == f"`unset {told}`"
        assert caught.value.message.endswith(f"and this folder is in {repository.path}")

    def test_a_work_tree_elsewhere_is_refused_where_there_is_none_around_us(
        self, repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        repository.add("docs/a.md")
        plain = tmp_path / "plain"
        plain.mkdir()
        monkeypatch.chdir(plain)
        named = {"GIT_DIR": str(repository.path / ".git"), "GIT_WORK_TREE": str(repository.path)}
        with pytest.raises(GitError, match="this folder is not in it"):
            Git.find(str(plain), {**repository.environment, **named})

    def test_a_work_tree_that_only_the_environment_names_is_taken(
        self, repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # A home folder whose repository lies elsewhere: nothing around the folder says otherwise.
        repository.add("docs/a.md")
        home = tmp_path / "plain"
        home.mkdir()
        monkeypatch.chdir(home)
        named = {"GIT_DIR": str(repository.path / ".git"), "GIT_WORK_TREE": str(home)}
        git = Git.find(str(home), {**repository.environment, **named})
        assert git is not None
        assert git.top == str(home)
        assert git.run("ls-files") == b"docs/a.md\n"

    def test_the_variables_of_a_hook_in_a_submodule_agree_with_it(
        self, repository, tmp_path: Path, environment, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        repository.add("docs/a.md")
        repository.commit()
        outer = tmp_path / "outer"
        subprocess.run(["git", "init", "-q", str(outer)], env=environment, check=True)
        subprocess.run(
            ["git", "submodule", "--quiet", "add", str(repository.path), "inner"],
            cwd=outer,
            env=environment,
            check=True,
        )
        monkeypatch.chdir(outer / "inner")
        own = {"GIT_DIR": str(outer / ".git" / "modules" / "inner"), "GIT_INDEX_FILE": "../.git/modules/inner/index"}
        git = Git.find(str(outer / "inner" / "docs"), {**environment, **own})
        assert git is not None
        assert git.top == str(outer / "inner")
        assert git.run("ls-files") == b"docs/a.md\n"

    def test_inside_a_real_hook_the_sub_folder_has_the_right_top(self, repository, tmp_path: Path) -> None:
        # In a linked work tree Git exports GIT_DIR, and GIT_INDEX_FILE names the index that becomes the commit.
        repository.add("docs/a.md")
        repository.commit()
        repository.git("worktree", "add", "-q", "../linked", "-b", "other")
        linked = repository.path.parent / "linked"
        hook = repository.path / ".git" / "hooks" / "pre-commit"
        project = Path(__file__).resolve().parents[3]
        hook.write_text(
            "#!/bin/sh\n"
            f"PYTHONPATH={project} exec {sys.executable} - > {tmp_path}/seen <<'END'\n"
            "from recall_core.adapters.git.repository import Git\n"
            "from recall_core.adapters.git.index import IndexSource\n"
            "git = Git.find('docs')\n"
            "print(git.top, [entry.path for entry in IndexSource(git, 'docs').listing().entries])\n"
            "END\n"
        )
        hook.chmod(0o755)
        (linked / "docs" / "b.md").write_text("b\n")
        (linked / "docs" / "c.md").write_text("c\n")
        subprocess.run(["git", "add", "docs"], cwd=linked, env=repository.environment, check=True)
        subprocess.run(
            ["git", "commit", "-q", "-m", "x", "-o", "docs/b.md"], cwd=linked, env=repository.environment, check=True
        )
        assert (tmp_path / "seen").read_text() == f"{linked} ['a.md', 'b.md']\n"


class TestRefusals:
    def test_git_missing_in_a_repository_is_said(self, repository) -> None:
        (repository.path / "docs").mkdir()
        with pytest.raises(GitError) as caught:
            repository.find("docs", PATH="/nonexistent")
        assert "no `git` program" in caught.value.message
        assert "install Git" in caught.value.help

    def test_git_missing_outside_a_repository_is_no_matter(self, tmp_path: Path, environment) -> None:
        assert Git.find(str(tmp_path), {**environment, "PATH": "/nonexistent"}) is None

    def test_a_repository_of_somebody_else_quotes_gits_advice(self, repository) -> None:
        with pytest.raises(GitError) as caught:
            repository.find(GIT_TEST_ASSUME_DIFFERENT_OWNER="1")
        assert "dubious ownership" in caught.value.message
        assert caught.value.help == f"git config --global --add safe.directory {repository.path}"

    def test_a_broken_git_file_is_said_and_not_taken_for_no_repository(self, tmp_path: Path, environment) -> None:
        (tmp_path / ".git").write_text("gitdir: /nonexistent/place\n")
        with pytest.raises(GitError, match="not a git repository"):
            Git.find(str(tmp_path), environment)

    def test_a_failure_is_gits_first_line_without_control_characters(self, repository) -> None:
        repository.commit()
        with pytest.raises(GitError) as caught:
            repository.find().run("cat-file", "-e", "no\x1b[31m\u202esuch")
        assert caught.value.message == "git cat-file: Not a valid object name no?[31msuch"  # the ? is Git's own

    def test_the_language_of_the_user_does_not_matter(self, tmp_path: Path, environment) -> None:
        assert (
            Git.find(str(tmp_path), {**environment, "LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de"})
            is None
        )

    @pytest.mark.parametrize("rev", ["none", "-q", "--all", ""])
    def test_what_names_no_commit_is_refused(self, repository, rev: str) -> None:
        repository.commit()
        with pytest.raises(GitError):
            repository.find().resolve(rev)

    def test_a_root_outside_the_work_tree_is_refused(self, repository, tmp_path: Path) -> None:
        with pytest.raises(GitError, match="lies outside"):
            repository.find().prefix_of(str(tmp_path))


def test_the_folders_that_git_could_not_open_are_read_from_its_warnings() -> None:
    complaint = "warning: could not open directory 'docs/it's/': Permission denied\nwarning: something else\n"
    assert unreadable_folders(complaint) == [("docs/it's", "Permission denied")]


def test_git_runs_without_a_monitor_or_locks(repository, tmp_path: Path) -> None:
    repository.add("a.md")
    repository.commit()
    called = tmp_path / "called"
    monitor = tmp_path / "monitor"
    monitor.write_text(f"#!/bin/sh\ntouch {called}\n")
    monitor.chmod(monitor.stat().st_mode | stat.S_IXUSR)
    repository.git("config", "core.fsmonitor", str(monitor))
    git = repository.find()
    os.utime(repository.path / "a.md", (1, 1))
    before = (repository.path / ".git" / "index").stat().st_mtime_ns
    git.run("status")
    assert not called.exists()
    assert (repository.path / ".git" / "index").stat().st_mtime_ns == before


def test_a_root_is_given_relative_to_the_top(repository) -> None:
    (repository.path / "docs" / "inner").mkdir(parents=True)
    (repository.path / "short").symlink_to("docs/inner")
    git = repository.find()
    assert git.prefix_of(str(repository.path)) == ""
    assert git.prefix_of(str(repository.path / "docs" / "inner")) == "docs/inner/"
    assert git.prefix_of(str(repository.path / "short")) == "docs/inner/"
