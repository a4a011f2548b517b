"""Path patterns, read as in .gitignore: which paths a list of them names.

A pattern is compared with a path relative to the root, forward slashes on every system, letter case and Unicode
composition ignored (one answer on every file system). A pattern without a slash is looked for at any depth; one with a
slash starts at the root. `*`, `?` and `[…]` stay inside one name, `**` spans folders, `{a,b}` is either.

Matching goes folder by folder: what the patterns say of a folder is worked out once, and a path then costs one
look-up and one small expression. The expressions of the library for whole paths cost ten times as much.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from functools import lru_cache
from typing import NamedTuple, assert_never
from unicodedata import normalize


class Scope(Enum):
    """What a pattern that names a folder says."""

    MEMOS = "memos"
    """The Markdown files below it. So for `docs`, `docs/` and `docs/**`; `docs/*` is those that lie directly in it."""
    EVERYTHING = "everything"
    """Everything below it."""


class GlobError(ValueError):
    """A pattern that cannot mean anything; `str()` of it is the reason, `help` what to write instead."""

    def __init__(self, reason: str, help: str = "") -> None:  # noqa: A002 - the word of every message here
        super().__init__(reason)
        self.help = help


class _Part(NamedTuple):
    """One way to be named: `name` in a folder that `folder` names (None: in any)."""

    folder: str | None
    name: str
    folders_only: bool = False


class _Folder(NamedTuple):
    """What the patterns say of the files and of the folders that lie directly in one folder, by name."""

    names_file: Callable[[str], object]
    names_folder: Callable[[str], object]


# The patterns in daily use, translated by hand, so that a run with the defaults does without the library's import
# (8 ms). A test holds each to what the library makes of it.
_KNOWN = {
    "*": r".+",
    "*.md": r".*\.md",
    ".*": r"\..*",
    "*[-_]template.md": r".*[-_]template\.md",
    "*template-{bare,minimal,bare-minimal}.md": r".*template-(?:bare|minimal|bare-minimal)\.md",
}
_MAGIC = re.compile(r"[*?\[\]{}\\]")
_ODD_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\(?:\w|/|$)")
_FLAGS = re.IGNORECASE | re.DOTALL


class Globs:
    """A list of patterns, compiled together when first asked. Raises GlobError for one that cannot mean anything."""

    def __init__(self, patterns: Sequence[str], scope: Scope) -> None:
        self.patterns = tuple(patterns)
        self.scope = scope
        parts = [part for pattern in self.patterns for part in _parts(pattern, scope)]
        self._anywhere = tuple(part for part in parts if part.folder is None)
        self._placed = tuple(part for part in parts if part.folder is not None)
        self._alike: dict[tuple[_Part, ...], _Folder] = {}
        self._folders: dict[str, _Folder] = {}
        self._single: tuple[Globs, ...] = ()
        for text in {
            text for part in parts for text in (part.folder, part.name) if text and "{" in text
        } - _KNOWN.keys():
            _translate(text)  # braces may expand without end: said when the pattern is read, not when it is used

    def matches(self, path: str) -> bool:
        """Whether a pattern names the file at `path`, or (for `Scope.EVERYTHING`) a folder that it lies in."""
        path = composed(path)
        folder, _, name = path.rpartition("/")
        return bool(self.namer(folder)(name))

    def namer(self, folder: str) -> Callable[[str], object]:
        """A test of the names of the files that lie directly in `folder` ("" is the root); paths `composed`."""
        return (self._folders.get(folder) or self._enter(folder)).names_file

    def first(self, path: str) -> str | None:
        """The first pattern, as written, that names `path`; None when none does."""
        if not self.matches(path):
            return None
        return next((globs.patterns[0] for globs in self.singles() if globs.matches(path)), None)

    def singles(self) -> "tuple[Globs, ...]":
        """Every pattern by itself, in order."""
        if not self._single:
            self._single = tuple(Globs((pattern,), self.scope) for pattern in self.patterns)
        return self._single

    def _enter(self, folder: str) -> _Folder:
        """Work out what holds in `folder`, from its nearest known parent down; no recursion, paths may be deep."""
        known = self._folders
        if not known:
            known[""] = self._look("")
        unknown = []
        while folder not in known:
            unknown.append(folder)
            folder = folder.rpartition("/")[0]
        entry = known[folder]
        for path in reversed(unknown):
            covered = entry.names_folder(path.rpartition("/")[2])
            entry = known[path] = _COVERED if covered else self._look(path)
        return entry

    def _look(self, folder: str) -> _Folder:
        here = tuple([part for part in self._placed if _holds(part, folder)]) if self._placed else ()
        return self._alike.get(here) or self._alike.setdefault(here, self._combine(here))

    def _combine(self, placed: tuple[_Part, ...]) -> _Folder:
        parts = (*self._anywhere, *placed)
        as_file = _alternation(part for part in parts if not part.folders_only)
        return _Folder(as_file, _alternation(parts) if self.scope is Scope.EVERYTHING else _never)


def _never(_name: str) -> object:
    return None


def _always(_name: str) -> object:
    return True


_COVERED = _Folder(_always, _always)


def composed(path: str) -> str:
    """The path in the Unicode composition that patterns are compared in."""
    return path if path.isascii() else normalize("NFC", path)


def _holds(part: _Part, folder: str) -> bool:
    """Whether the folder of `part` names `folder`."""
    if not part.folder or not folder:
        return part.folder == folder
    return _folder_expression(part.folder).fullmatch(f"{folder}/") is not None


def _alternation(parts: Iterable[_Part]) -> Callable[[str], object]:
    expressions = [_expression(part) for part in parts]
    return re.compile("|".join(expressions), _FLAGS).fullmatch if expressions else _never


@lru_cache(maxsize=1024)
def _folder_expression(pattern: str) -> re.Pattern[str]:
    return re.compile(_translate(pattern) if _MAGIC.search(pattern) else f"{re.escape(pattern)}/", _FLAGS)


def _expression(part: _Part) -> str:
    known = _KNOWN.get(part.name)
    if known is not None:
        return known
    return _translate(part.name) if _MAGIC.search(part.name) else re.escape(part.name)


@lru_cache(maxsize=1024)
def _translate(pattern: str) -> str:
    from wcmatch import glob  # noqa: PLC0415 - 8 ms, and the defaults do without

    try:
        expressions, _ = glob.translate(pattern, flags=glob.GLOBSTAR | glob.BRACE | glob.DOTGLOB | glob.FORCEUNIX)
        expression = "|".join(f"(?:{one})" for one in expressions)
        re.compile(expression, _FLAGS)
    except Exception as error:  # the library's own error for too many braces has no public name
        reason = f"`{pattern}` cannot be used as a pattern: {error}"
        raise GlobError(reason, "write it more simply, with `*` in place of braces") from error
    return expression


def _parts(written: str, scope: Scope) -> list[_Part]:
    """What a pattern asks for."""
    pattern, folders_only = _normal(written)
    match scope:
        case Scope.MEMOS:
            return _memo_parts(pattern, folders_only)
        case Scope.EVERYTHING:
            if pattern.endswith("/**"):
                pattern, folders_only = pattern.removesuffix("/**"), True
            return [_part("**/*" if pattern in ("", "**") else pattern, folders_only)]
        case _:
            assert_never(scope)


def _memo_parts(pattern: str, folders_only: bool) -> list[_Part]:
    if pattern in ("", "**"):
        return [_Part(None, "*.md")]
    folder, _, last = pattern.rpartition("/")
    if last == "**":
        return [_part(f"{pattern}/*.md")]
    if last == "*" and not folders_only:
        return [_part(f"{folder}/*.md")]
    below = _part(f"{pattern}/**/*.md")
    if folders_only:
        return [below]
    return [_part(pattern)] if _MAGIC.search(last) else [_part(pattern), below]


def _part(pattern: str, folders_only: bool = False) -> _Part:
    folder, _, name = pattern.rpartition("/")
    return _Part(None if folder == "**" else folder, name, folders_only)


def _normal(written: str) -> tuple[str, bool]:
    """The pattern from the root down, without a slash at either end, and whether it asks for folders only."""
    if not written.strip():
        raise GlobError("a pattern is empty", "take it out, or write `**` for everything")
    if written.startswith("!"):
        raise GlobError(f"`{written}` begins with `!`, and no pattern takes back another", "name the others one by one")
    if _ODD_ESCAPE.search(written):
        raise GlobError(f"`{written}` holds a backslash", "separate folders by `/`, on every system")
    if "\0" in written:
        raise GlobError("a pattern holds a NUL, and no path does")
    pattern = normalize("NFC", written)
    folders_only = pattern.endswith("/")
    anchored = "/" in pattern.rstrip("/")
    segments: list[str] = []
    for segment in pattern.split("/"):
        if segment == "..":
            raise GlobError(f"`{written}` leaves the root", "patterns start at the root, the configuration's folder")
        if segment not in ("", ".") and not (segment == "**" and segments[-1:] == ["**"]):
            segments.append(segment)
    if segments and "}" in segments[-1] and _leaves_brace_open("/".join(segments[:-1])):
        raise GlobError(f"`{written}` separates folders inside its braces", "write one pattern for each")
    pattern = "/".join(segments)
    if pattern in ("", "**"):
        return pattern, folders_only and bool(pattern)
    return (pattern if anchored else f"**/{pattern}"), folders_only


def _leaves_brace_open(folder: str) -> bool:
    return folder.count("{") > folder.count("}")
