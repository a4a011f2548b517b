"""The repository that is measured: all committed, settled, and the same without its Git."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from benchmarks.corpus import build_memos
from benchmarks.environment import Environment
from benchmarks.processes import MeasuringError
from benchmarks.repository import Repository


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    return Environment("python", str(tmp_path_factory.mktemp("scratch"))).variables


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory, variables: Mapping[str, str]) -> Repository:
    return Repository.write(str(tmp_path_factory.mktemp("made") / "corpus"), build_memos(120), 120, variables)


def ask(repository: Repository, variables: Mapping[str, str], *arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=repository.root, env=variables, capture_output=True, check=True)
    return done.stdout.decode().splitlines()


def test_every_memo_is_committed_and_on_disk(repository: Repository, variables: Mapping[str, str]) -> None:
    assert len(ask(repository, variables, "ls-files")) == 120
    assert ask(repository, variables, "status", "--porcelain") == []
    assert len(ask(repository, variables, "log", "--format=%H")) == 3
    for memo in build_memos(120):
        assert Path(repository.root, memo.path).read_bytes() == memo.content


def test_the_same_memos_give_the_same_commits(
    tmp_path: Path, repository: Repository, variables: Mapping[str, str]
) -> None:
    other = Repository.write(str(tmp_path / "again"), build_memos(120), 120, variables)
    assert ask(other, variables, "rev-parse", "HEAD") == ask(repository, variables, "rev-parse", "HEAD")


def test_no_file_is_as_young_as_the_index(repository: Repository) -> None:
    index = int(os.stat(os.path.join(repository.root, ".git", "index")).st_mtime)
    assert all(
        int(os.stat(os.path.join(folder, name)).st_mtime) < index
        for folder, folders, names in os.walk(repository.root)
        if ".git" not in folder
        for name in names
        if not folders
    )


def test_git_can_be_put_aside_and_comes_back(repository: Repository, variables: Mapping[str, str]) -> None:
    with repository.without_git():
        assert not os.path.exists(os.path.join(repository.root, ".git"))
        with pytest.raises(MeasuringError, match="not a git repository"):
            repository.git("status")
    assert ask(repository, variables, "status", "--porcelain") == []


def test_one_memo_can_be_had_for_a_change(repository: Repository) -> None:
    assert repository.first_memo().endswith(".md")
    assert os.path.isfile(repository.first_memo())


def test_memos_are_listed_by_name_and_one_can_be_written_on(tmp_path: Path, variables: Mapping[str, str]) -> None:
    repository = Repository.write(str(tmp_path / "corpus"), build_memos(5), 5, variables)
    assert repository.memos() == sorted(memo.path for memo in build_memos(5))
    path = repository.memos()[0]
    before = Path(repository.root, path).read_bytes()
    repository.append(path, "é\n")
    assert Path(repository.root, path).read_bytes() == before + "é\n".encode()
    assert ask(repository, variables, "status", "--porcelain") == [f" M {path}"]
