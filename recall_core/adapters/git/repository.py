"""One Git work tree: where it is, what HEAD is, and how it is asked."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from recall_core.adapters.files import lies_below
from recall_core.adapters.git.program import GitMissingError, ask, build_environment, refusal
from recall_core.errors import GitError

_EMPTY_TREE = {
    "sha1": "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "sha256": "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
_EMPTY_BLOB = {
    "sha1": "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "sha256": "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
}
_ID_LENGTH = {"sha1": 40, "sha256": 64}
_OBJECT_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
# What `git rev-parse --local-env-vars` prints, as far as it says which repository is meant.
_REPOSITORY_VARIABLES = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_GRAFT_FILE",
)
# These two say which tree is meant; the others only where its parts lie.
_TREE_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE")
# Git reads these from where it is started, and we always start it at the top.
_RELATIVE_TO_START = ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR")


@dataclass(frozen=True, slots=True)
class Git:
    """A Git work tree. `top` and `git_dir` are absolute; `head` is a commit id, None before the first commit.

    All are as they were when it was found. `object_format` is `sha1` or `sha256`.
    """

    top: str
    git_dir: str
    head: str | None
    is_shallow: bool
    object_format: str = "sha1"
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def find(cls, folder: str, environment: Mapping[str, str] | None = None) -> Self | None:
        """The work tree that a folder lies in, or None outside of one (a bare repository and a `.git` included).

        `environment` is the process's own unless given. Raises GitError when Git is missing although a `.git` is
        there, when Git refuses the repository (the owner is somebody else, a broken `.git` file), and when the
        environment names another work tree than the one around the working folder.
        """
        folder = os.path.abspath(folder)
        if not os.path.isdir(folder):
            return None
        given = dict(os.environ if environment is None else environment)
        if names := [name for name in _TREE_VARIABLES if name in given]:
            # A hook's repository. Without GIT_WORK_TREE Git takes the folder it is started in for the top, and that
            # is the top only where the hook itself was started.
            here = os.getcwd()
            found = cls._ask(here, build_environment(given))
            given = {name: value for name, value in given.items() if name not in _REPOSITORY_VARIABLES}
            if found is not None:
                found._refuse_elsewhere(here, names, build_environment(given))
                if _lies_in(folder, found.top):
                    return found
        return cls._ask(folder, build_environment(given))

    def _refuse_elsewhere(self, here: str, names: Sequence[str], plain: dict[str, str]) -> None:
        """Raise GitError unless this is the work tree around `here`; `plain` is an environment that names none."""
        try:
            around = self._ask(here, plain)
        except GitError:  # Git asks who owns a repository only where nobody names it
            around = None
        if around is None and _lies_in(here, self.top):
            return
        if around is not None and _is_same(around.top, self.top) and _is_same(around.git_dir, self.git_dir):
            return
        place = f"in {around.top}" if around is not None else "not in it"
        raise GitError(
            f"the environment names the work tree {self.top} of the repository {self.git_dir}, "
            f"and this folder is {place}",
            help=f"`unset {' '.join(names)}`",
        )

    @classmethod
    def _ask(cls, folder: str, environment: dict[str, str]) -> Self | None:
        arguments = (
            "rev-parse",
            "--is-shallow-repository",
            "--show-object-format",
            "--show-toplevel",
            "--absolute-git-dir",
            "--revs-only",  # no word about a HEAD without a commit
            "HEAD^{commit}",
        )
        try:
            answer = ask(arguments, folder=folder, environment=environment)
        except GitMissingError:
            if _has_git_above(folder):
                raise
            return None
        if answer.status:
            if _is_outside(answer.complaint):
                return None
            raise refusal(arguments, answer.complaint)
        shallow, object_format, *rest = os.fsdecode(answer.output).removesuffix("\n").split("\n")
        head = rest.pop() if len(rest) > 2 and _OBJECT_ID.fullmatch(rest[-1]) else None
        if len(rest) != 2:  # a line break in a folder's name
            top = os.fsdecode(ask(("rev-parse", "--show-toplevel"), folder=folder, environment=environment).output)[:-1]
            rest = [top, "\n".join(rest)[len(top) + 1 :]]
        top, git_dir = map(os.path.normpath, rest)
        for name in _RELATIVE_TO_START:
            if name in environment:
                environment[name] = os.path.abspath(os.path.join(folder, environment[name]))
        return cls(top, git_dir, head, shallow == "true", object_format, environment)

    @property
    def empty_tree(self) -> str:
        """The id of a tree with nothing in it; Git knows it without storing it."""
        return _EMPTY_TREE[self.object_format]

    @property
    def empty_blob(self) -> str:
        """The id of a file with nothing in it."""
        return _EMPTY_BLOB[self.object_format]

    @property
    def id_length(self) -> int:
        """How many hexadecimal digits an object id has."""
        return _ID_LENGTH[self.object_format]

    def run(self, *arguments: str) -> bytes:
        """What Git answers, started at the top with pathspecs taken literally. Raises GitError when it fails."""
        return self.run_heard(*arguments)[0]

    def run_heard(self, *arguments: str) -> tuple[bytes, str]:
        """The same, with what it said on stderr."""
        return self._run(("--literal-pathspecs", *arguments))

    def run_with_patterns(self, *arguments: str) -> bytes:
        """What Git answers, with pathspecs taken as patterns whose `*` crosses slashes. Raises GitError as `run`."""
        return self._run(arguments)[0]

    def _run(self, words: Sequence[str]) -> tuple[bytes, str]:
        answer = ask(words, folder=self.top, environment=self.environment)
        if answer.status:
            raise refusal(words, answer.complaint)
        return answer.output, answer.complaint

    def prefix_of(self, root: str) -> str:
        """Where a root lies below the top, with forward slashes: empty at the top, else ending in a slash.

        Raises GitError when it lies elsewhere.
        """
        top = os.path.realpath(self.top)
        real = os.path.realpath(root)
        if not lies_below(real, top):
            raise GitError(f"{root} lies outside the Git work tree {self.top}")
        relative = os.path.relpath(real, top)
        return "" if relative == os.curdir else relative.replace(os.sep, "/") + "/"

    def resolve(self, rev: str) -> str:
        """The commit id that a revision names. Raises GitError when it names none."""
        if rev == "HEAD" and self.head is not None:
            return self.head
        if rev.startswith("-"):
            raise GitError(f"`{rev}` is no revision")
        output = self.run("rev-parse", "--verify", "--quiet", f"{rev}^{{commit}}")
        return output.decode("ascii").strip()


def limited_to(prefix: str) -> tuple[str, ...]:
    """The last arguments of a call that is to see only what lies below a root."""
    return ("--", prefix) if prefix else ("--",)


def _lies_in(folder: str, top: str) -> bool:
    return lies_below(os.path.realpath(folder), os.path.realpath(top))


def _is_same(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _is_outside(complaint: str) -> bool:
    return "not a git repository (or any" in complaint or "must be run in a work tree" in complaint


def _has_git_above(folder: str) -> bool:
    while True:
        if os.path.lexists(os.path.join(folder, ".git")):
            return True
        parent = os.path.dirname(folder)
        if parent == folder:
            return False
        folder = parent
