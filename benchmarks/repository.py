"""A generated corpus on disk: a Git repository with everything committed, which can be looked at without its Git."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import IO

from benchmarks.corpus import GeneratedMemo
from benchmarks.processes import MeasuringError, call

_COMMITS = 200
_FEWEST_A_COMMIT = 50
_FIRST_COMMIT = 1_577_836_800
_DAY = 86_400
_IDENTITY = "Somebody <somebody@example.invalid>"


class Repository:
    """A Git work tree below `root`. `variables` is the environment that Git, and what is measured, runs in."""

    def __init__(self, root: str, variables: Mapping[str, str]) -> None:
        self.root, self._variables = root, variables
        self._git_folder = os.path.join(root, ".git")

    @classmethod
    def write(cls, root: str, memos: Iterable[GeneratedMemo], count: int, variables: Mapping[str, str]) -> "Repository":
        """A new repository with these memos, `count` in number, in at most 200 commits, a day apart."""
        repository = cls(root, variables)
        os.makedirs(root)
        repository.git("init", "--quiet", "--initial-branch=main")
        importer = subprocess.Popen(
            ["git", "fast-import", "--quiet", "--depth=0"],
            cwd=root,
            env=variables,
            stdin=subprocess.PIPE,
            bufsize=1 << 20,
        )
        assert importer.stdin is not None
        _feed(importer.stdin, memos, max(_FEWEST_A_COMMIT, count // _COMMITS))
        importer.stdin.close()
        if importer.wait():
            raise MeasuringError("git fast-import failed")
        repository.git("reset", "--quiet", "--hard")
        repository.settle()
        return repository

    def git(self, *arguments: str) -> None:
        """Run Git. Raises MeasuringError when it fails."""
        call(["git", *arguments], folder=self.root, variables=self._variables)

    def settle(self) -> None:
        """Make the index younger than every file. Git reads again what was written in the same second as its index."""
        time.sleep(1.1)
        self.git("status", "--porcelain")

    def commit(self, name: str, text: str) -> None:
        """Commit a file that is no memo."""
        with open(os.path.join(self.root, name), "w", encoding="utf-8") as file:
            file.write(text)
        self.git("add", "--", name)
        self.git("commit", "--quiet", "-m", name, "--", name)

    def first_memo(self) -> str:
        """The path of one memo: the first by name."""
        folder = self.root
        while not folder.endswith(".md"):
            folder = os.path.join(folder, min(name for name in os.listdir(folder) if not name.startswith(".")))
        return folder

    def memos(self) -> list[str]:
        """The paths of all committed memos, relative to the root, by name."""
        listed = call(["git", "ls-files", "-z", "--", "*.md"], folder=self.root, variables=self._variables)
        return sorted(filter(None, listed.split("\0")))

    def append(self, path: str, text: str) -> None:
        """Write at the end of a file, given relative to the root."""
        with open(os.path.join(self.root, path), "ab") as file:
            file.write(text.encode())

    def drop_cache(self) -> None:
        """Remove what recall keeps in the Git folder."""
        shutil.rmtree(os.path.join(self._git_folder, "recall"), ignore_errors=True)

    @contextmanager
    def without_git(self) -> Iterator[None]:
        """The same files, and no Git above them."""
        aside = f"{self.root}.git-aside"
        os.rename(self._git_folder, aside)
        try:
            yield
        finally:
            os.rename(aside, self._git_folder)


def _feed(stream: IO[bytes], memos: Iterable[GeneratedMemo], together: int) -> None:
    for number, memo in enumerate(memos):
        if number % together == 0:
            when = _FIRST_COMMIT + number // together * _DAY
            stream.write(f"commit refs/heads/main\ncommitter {_IDENTITY} {when} +0000\ndata 5\nMemos\n".encode())
        stream.write(f"M 100644 inline {memo.path}\ndata {len(memo.content)}\n".encode())
        stream.write(memo.content)
        stream.write(b"\n")
