"""A configuration that another extends, read from the index or a revision like the one that extends it."""

import os
import subprocess
from pathlib import Path

import pytest

from recall_core.adapters.workspace import Workspace, open_workspace
from recall_core.errors import ConfigurationError


@pytest.fixture
def top(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository in which `docs/recall.toml` extends a file that no search would find."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name, value in {"HOME": str(tmp_path), "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}.items():
        monkeypatch.setenv(name, value)
    path = Path(os.path.realpath(tmp_path)) / "repository"
    (path / "docs").mkdir(parents=True)
    (path / "shared").mkdir()
    git(path, "init", "-q")
    (path / "docs" / "recall.toml").write_text('extend = "../shared/base.toml"\n', encoding="utf-8")
    (path / "shared" / "base.toml").write_text('exclude = ["staged"]\n', encoding="utf-8")
    return path


def git(path: Path, *arguments: str) -> None:
    who = ("-c", "user.name=Someone", "-c", "user.email=someone@example.org")
    subprocess.run(["git", *who, *arguments], cwd=path, check=True, capture_output=True)


def exclude(workspace: Workspace) -> tuple[str, ...] | None:
    return workspace.configuration.exclude


def test_a_base_is_read_where_the_configuration_is(top: Path) -> None:
    base, docs = top / "shared" / "base.toml", str(top / "docs")
    base.write_text('exclude = ["committed"]\n', encoding="utf-8")
    git(top, "add", ".")
    git(top, "commit", "-qm", "one")
    base.write_text('exclude = ["staged"]\n', encoding="utf-8")
    git(top, "add", ".")
    base.write_text('exclude = ["disk"]\n', encoding="utf-8")
    assert exclude(open_workspace(docs)) == ("disk",)
    assert exclude(open_workspace(docs, staged=True)) == ("staged",)
    assert exclude(open_workspace(docs, rev="HEAD")) == ("committed",)
    assert open_workspace(docs, staged=True).root == docs


def test_a_base_that_lies_on_disk_alone_is_there_for_nobody_else(top: Path) -> None:
    git(top, "add", "docs")
    with pytest.raises(ConfigurationError) as caught:
        open_workspace(str(top / "docs"), staged=True)
    assert caught.value.message == "recall.toml:1: `extend` names `../shared/base.toml`, and there is no such file"
    assert "git add" in caught.value.help
    assert exclude(open_workspace(str(top / "docs"))) == ("staged",)


def test_a_base_outside_the_repository_is_read_from_disk(top: Path) -> None:
    (top.parent / "base.toml").write_text('exclude = ["outside"]\n', encoding="utf-8")
    (top / "docs" / "recall.toml").write_text('extend = "../../base.toml"\n', encoding="utf-8")
    git(top, "add", "docs")
    assert exclude(open_workspace(str(top / "docs"), staged=True)) == ("outside",)
