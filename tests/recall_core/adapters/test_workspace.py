"""Where a run works, and which path a path of the command line is."""

import os
import subprocess
from pathlib import Path

import pytest

from recall_core.adapters.corpus_config import Configuration
from recall_core.adapters.files import FolderSource
from recall_core.adapters.workspace import Workspace, open_source_again, open_workspace
from recall_core.errors import GitError, UsageError


@pytest.fixture(autouse=True)
def no_git_variables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    surroundings = {
        "HOME": str(tmp_path),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(tmp_path),
    }
    for name, value in surroundings.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = Path(os.path.realpath(tmp_path)) / "folder"
    (path / "docs").mkdir(parents=True)
    (path / "docs/a.md").write_text("text\n")
    return path


@pytest.fixture
def top(folder: Path) -> Path:
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    return folder


def git(path: Path, *arguments: str) -> None:
    who = ("-c", "user.name=Someone", "-c", "user.email=someone@example.org")
    subprocess.run(["git", *who, *arguments], cwd=path, check=True, capture_output=True)


def test_the_source_is_what_was_asked_for(top, tmp_path):
    assert open_workspace(str(top)).source.kind == "work-tree"
    assert open_workspace(str(top), staged=True).source.kind == "index"
    assert open_workspace(str(top), rev="HEAD").source.kind == "revision"
    outside = tmp_path / "outside"
    outside.mkdir()
    assert open_workspace(str(outside)).source.kind == "folder"


def test_a_revision_is_resolved_once(top):
    workspace = open_workspace(str(top), rev="HEAD")
    assert workspace.git is not None
    assert workspace.rev == workspace.git.head


@pytest.mark.parametrize("rev", ["nowhere", "-x", "HEAD~5", "HEAD:docs"])
def test_a_revision_that_is_none_is_a_usage_error(top, rev):
    with pytest.raises(UsageError) as caught:
        open_workspace(str(top), rev=rev)
    assert caught.value.message == f"`{rev}` names no commit of this repository"


def test_git_is_needed_for_the_index_and_for_revisions(folder):
    for more in ({"staged": True}, {"rev": "HEAD"}):
        with pytest.raises(UsageError, match="needs a Git work tree, and this folder is in none"):
            open_workspace(str(folder), **more)


def test_a_root_in_another_repository_is_read_by_that_one(top, tmp_path):
    other = Path(os.path.realpath(tmp_path)) / "other"
    other.mkdir()
    (other / "recall.toml").write_text("")
    (other / "x.md").write_text("text\n")
    configuration = str(other / "recall.toml")
    workspace = open_workspace(str(top), configuration=configuration)
    assert (workspace.git, workspace.source.kind, workspace.prefix) == (None, "folder", "")
    git(other, "init", "-q")
    workspace = open_workspace(str(top), configuration=configuration)
    assert workspace.git is not None
    assert (workspace.git.top, workspace.source.kind) == (str(other), "work-tree")
    for more in ({"staged": True}, {"rev": "HEAD"}):
        with pytest.raises(UsageError, match="lies outside the Git work tree"):
            open_workspace(str(top), configuration=configuration, **more)


def test_the_prefix_leads_from_the_top_to_the_root(top):
    (top / "docs/recall.toml").write_text("")
    assert open_workspace(str(top / "docs")).prefix == "docs/"
    assert open_workspace(str(top)).prefix == ""


@pytest.mark.parametrize(
    ("path", "below", "relative"),
    [
        ("a.md", "docs", "docs/a.md"),
        ("./a.md", "docs", "docs/a.md"),
        ("../docs/a.md", "docs", "docs/a.md"),
        ("docs/", "", "docs"),
        ("docs//a.md", "", "docs/a.md"),
        (".", "", ""),
        (".", "docs", "docs"),
        ("..", "docs", ""),
        ("../..", "docs", None),
        ("../other", "", None),
        ("../folder-2/a.md", "", None),
        ("not-there.md", "", "not-there.md"),
    ],
)
def test_a_path_of_the_command_line_is_relative_to_the_root(folder, path, below, relative):
    workspace = Workspace(Configuration(str(folder)), FolderSource(str(folder)), None)
    assert workspace.relative(path, str(folder / below)) == relative
    if relative is not None:
        assert workspace.relative(str(folder / below / path), "/") == relative


def test_links_on_the_way_are_followed_and_the_last_name_is_not(folder, tmp_path):
    workspace = Workspace(Configuration(str(folder)), FolderSource(str(folder)), None)
    (tmp_path / "way").symlink_to(folder / "docs")
    (folder / "docs/link.md").symlink_to("/nowhere")
    assert workspace.relative("way/a.md", str(tmp_path)) == "docs/a.md"
    assert workspace.relative("way/link.md", str(tmp_path)) == "docs/link.md"
    (tmp_path / "another").symlink_to(folder)
    linked = Workspace(Configuration(str(tmp_path / "another")), FolderSource(str(folder)), None)
    assert linked.relative("docs/a.md", str(folder)) == "docs/a.md"


def test_a_source_is_asked_once_and_opened_again_for_a_new_state(top):
    workspace = open_workspace(str(top))
    assert [entry.path for entry in workspace.source.listing().entries] == ["docs/a.md"]
    (top / "b.md").write_text("text\n")
    assert [entry.path for entry in workspace.source.listing().entries] == ["docs/a.md"]
    again = open_source_again(workspace)
    assert [entry.path for entry in again.source.listing().entries] == ["b.md", "docs/a.md"]


def test_a_configuration_is_searched_up_to_the_top_in_one_question(top):
    deep = top / "docs/one/two/three"
    deep.mkdir(parents=True)
    (deep / "x.md").write_text("text\n")
    (top / "recall.toml").write_text('ignore = ["RL2"]\n')
    git(top, "add", "-A")
    assert open_workspace(str(deep), staged=True).root == str(top)
    assert open_workspace(str(deep)).root == str(top)
    assert open_workspace(str(deep), rev="HEAD").configuration.source is None


def test_a_broken_repository_is_gits_own_error(tmp_path):
    (tmp_path / ".git").write_text("gitdir: /nowhere/at/all\n")
    with pytest.raises(GitError, match="not a git repository"):
        open_workspace(str(tmp_path))
