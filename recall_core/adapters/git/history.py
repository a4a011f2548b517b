"""When each memo was recorded: the commit on the first-parent line that brought it in.

The line is read once, oldest commit first, each commit compared with its first parent, so that a merge brings in at its
own date what its branch wrote. Along the way a path keeps the time of the memo that it holds:

- added where no memo was before: the commit's time, whatever the clocks of its neighbours say;
- deleted: the time is kept, so that a memo brought in again under its path has its first time;
- renamed: the time goes with the memo. The old path is free, and a memo written there later is a new one. Where an
  older, deleted memo once had the new path, the renamed memo's own time takes its place: it is the memo there now;
- a symlink or submodule that gives way to a file is an addition.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import NamedTuple, Self

from recall_core.adapters.git.changes import DIFF_OPTIONS, LIKE_ENOUGH, MOVED_UNCHANGED, RawChange, parse_raw
from recall_core.adapters.git.repository import Git
from recall_core.errors import GitError

MARKDOWN = (".md", ".markdown", ".mdx", ".mdown", ".mkd")

_VERSION = 1
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_SECOND = 253_402_300_799  # of the year 9999, where datetime ends
_LOG = (
    "log",
    "--first-parent",
    "-m",
    "--reverse",
    "--root",
    "--no-follow",
    "--no-show-signature",
    "--format=%H %ct %P",
    *DIFF_OPTIONS,
)


@dataclass(frozen=True, slots=True)
class History:
    """What was recorded up to the commit `head`, in aware UTC datetimes by path relative to the root.

    Paths whose memo is gone are among them: it keeps its time. `head` is empty where nothing can be known: before the
    first commit and in a shallow clone. `scope` says which root and names were read; another scope is another history.
    """

    head: str
    recorded: Mapping[str, datetime] = field(default_factory=dict)
    scope: str = ""

    def to_json(self) -> dict[str, object]:
        """Plain data for a cache; times are whole seconds since 1970."""
        instants = set(self.recorded.values())  # one for each commit, shared by all that it brought
        seconds = {at: (at - _EPOCH) // timedelta(seconds=1) for at in instants}
        recorded = {path: seconds[at] for path, at in self.recorded.items()}
        return {"version": _VERSION, "head": self.head, "scope": self.scope, "recorded": recorded}

    @classmethod
    def from_json(cls, data: object) -> Self:
        """The history that `to_json` gave. Raises ValueError when it is anything else."""
        if not isinstance(data, dict) or data.get("version") != _VERSION:
            raise ValueError("no history of this version")
        head, scope, recorded = data.get("head"), data.get("scope"), data.get("recorded")
        if not (isinstance(head, str) and isinstance(scope, str) and isinstance(recorded, dict)):
            raise ValueError("not a history")  # noqa: TRY004 - one error for a cache that cannot be used
        if not all(isinstance(path, str) and type(seconds) is int for path, seconds in recorded.items()):
            raise ValueError("not a table of times")
        if not all(0 <= seconds <= _LAST_SECOND for seconds in recorded.values()):
            raise ValueError("a time out of range")
        instants = {seconds: _instant(seconds) for seconds in set(recorded.values())}
        return cls(head, {path: instants[seconds] for path, seconds in recorded.items()}, scope)


class _Scope(NamedTuple):
    """Which names are read: those below a prefix, in its letter case, with one of the suffixes, in any."""

    prefix: str
    suffixes: tuple[str, ...]

    def holds(self, path: str) -> bool:
        return path.startswith(self.prefix) and path.lower().endswith(self.suffixes)

    def __str__(self) -> str:
        return "\0".join((self.prefix, *self.suffixes))


class _Commit(NamedTuple):
    id: str
    at: datetime
    first_parent: str
    changes: Sequence[RawChange]


def read_history(
    git: Git, root: str, rev: str = "HEAD", known: History | None = None, *, suffixes: Sequence[str] = MARKDOWN
) -> History:
    """The history up to `rev`, for names with one of the suffixes in any letter case.

    `known` is extended when its head lies on the first-parent line of `rev`, so that only newer commits are read.
    A memo moved in from outside the root is recorded when it came into the root. Raises GitError when there is no such
    revision, or when Git lacks what it needs (a clone without trees).
    """
    scope = _Scope(git.prefix_of(root), tuple(suffix.lower() for suffix in suffixes))
    if git.is_shallow or (rev == "HEAD" and git.head is None):
        return History("", {}, str(scope))
    head = git.resolve(rev)
    pattern = _pattern(scope.prefix, scope.suffixes)
    if known is not None and known.scope == str(scope) and known.head:
        if known.head == head:
            return known
        newer = _commits_since(git, known.head, head, pattern)
        if newer is not None:
            return History(head, _replay(known.recorded, newer, scope), str(scope))
    return History(head, _replay({}, _commits(git, (head,), pattern), scope), str(scope))


def _commits_since(git: Git, known: str, head: str, pattern: str) -> list[_Commit] | None:
    """The commits after `known` on the first-parent line of `head`, oldest first; None when it is not on that line."""
    try:
        # --sparse: those that touch no memo too, to see that the line is whole.
        newer = list(_commits(git, ("--sparse", f"{known}..{head}"), pattern))
    except GitError:  # the known head was cleared away
        return None
    return newer if newer and newer[0].first_parent == known else None


def _commits(git: Git, what: Sequence[str], pattern: str) -> Iterator[_Commit]:
    # With --first-parent, -m compares with the first parent alone, unless this setting says otherwise.
    setting = ("-c", "log.diffMerges=first-parent")
    try:
        output = git.run_with_patterns(*setting, *_LOG, LIKE_ENOUGH, *what, "--", pattern)
    except GitError:
        output = git.run_with_patterns(*setting, *_LOG, MOVED_UNCHANGED, *what, "--", pattern)
    return _parse(os.fsdecode(output).split("\0")[:-1])


def _parse(fields: Iterable[str]) -> Iterator[_Commit]:
    """Commits from `ID TIME PARENTS`, each followed by its changes, the first of which begins with a line feed."""
    rest = iter(fields)
    header = ""
    changes: list[RawChange] = []
    for item in rest:
        if item.startswith((":", "\n:")):
            changes.append(parse_raw(item.lstrip("\n"), rest))
            continue
        if header:
            yield _commit(header, changes)
        header, changes = item, []
    if header:
        yield _commit(header, changes)


def _commit(header: str, changes: Sequence[RawChange]) -> _Commit:
    name, seconds, *parents = header.split()
    return _Commit(name, _instant(min(int(seconds), _LAST_SECOND)), parents[0] if parents else "", changes)


def _replay(known: Mapping[str, datetime], commits: Iterable[_Commit], scope: _Scope) -> dict[str, datetime]:
    recorded = dict(known)
    cut = len(scope.prefix)
    for commit in commits:
        brought = [change for change in commit.changes if change.is_regular and scope.holds(change.new)]
        renamed = [
            change for change in brought if change.was_regular and change.status == "R" and scope.holds(change.old)
        ]
        # All at once: a name that is freed and taken in one commit must not lend its time.
        moved = {change.new[cut:]: recorded.pop(change.old[cut:], commit.at) for change in renamed}
        for change in brought:
            recorded.setdefault(change.new[cut:], commit.at)
        recorded.update(moved)
    return recorded


def _instant(seconds: int) -> datetime:
    return _EPOCH + timedelta(seconds=seconds)


def _pattern(prefix: str, suffixes: Sequence[str]) -> str:
    """One pattern for all names below a root with one of the suffixes, in any letter case, and for a few more.

    Git tries each pattern on each name of each tree that changed: five of them take five times as long as one.
    """
    choices = [
        "".join(sorted({case for letter in column for case in (letter.lower(), letter.upper())}))
        for column in zip(*suffixes, strict=False)
    ]
    # A letter that stands for itself, without brackets, is what Git looks for behind a star.
    ending = "".join(_literal(letters) if len(letters) == 1 else f"[{_literal(letters)}]" for letters in choices)
    return f"{_literal(prefix)}*{ending}{'*' if len(set(map(len, suffixes))) > 1 else ''}"


def _literal(text: str) -> str:
    # A colon would begin a word of Git's own.
    return "".join(f"\\{character}" if character in "*?[]\\:-!^" else character for character in text)
