"""The configuration of a corpus: where its root is, which files are memos, and the table that every command reads.

One file for both tools: `recall.toml`, `.recall.toml`, or `pyproject.toml` with a `[tool.recall]` table; where one
folder holds several, the first of these. The nearest from the working folder upward counts, never one above the Git
top level.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from recall_core.adapters.configured import Origin, Said, parse_said, strings
from recall_core.adapters.extend import KEY as EXTEND
from recall_core.adapters.extend import Extender, shown_path
from recall_core.adapters.globs import GlobError, Globs, Scope
from recall_core.adapters.selection import Selection
from recall_core.adapters.toml_file import Read, read_regular_file
from recall_core.errors import ConfigurationError

NAMES = ("recall.toml", ".recall.toml", "pyproject.toml")

# Every key that a tool reads, by the package that owns it, so that both tools call the same keys unknown.
CORPUS_KEYS = frozenset({"include", "exclude", "extend-exclude", EXTEND})
RULE_KEYS = frozenset(
    {"select", "ignore", "severity", "per-file-ignores", "index-files", "fail-on", "expiring-within-days"}
)
SEARCH_KEYS = frozenset({"tenant", "search"})


@dataclass(frozen=True, slots=True)
class Configuration:
    """A configuration that was found and read, or the defaults.

    `root` is absolute; `source` the absolute path of the file, None without one; `table` what it says with all that it
    extends, every key known, `extend` itself left out. `include` and `exclude` are None where nobody sets them.
    """

    root: str
    source: str | None = None
    table: Mapping[str, object] = field(default_factory=dict)
    include: tuple[str, ...] | None = None
    exclude: tuple[str, ...] | None = None
    extend_exclude: tuple[str, ...] = ()
    _said: Said = field(default_factory=Said, repr=False, compare=False)

    def selection(self) -> Selection:
        """Which files are memos."""
        return Selection(self.include, self.exclude, self.extend_exclude)

    def place(self, *keys: str) -> str:
        """Where the key reached through `keys` stands, as `file:line` (or `file`), for a message."""
        return self._said.place(*keys)

    def origin(self, *keys: str) -> Origin | None:
        """Which file says the key reached through `keys`; None where no file says anything."""
        return self._said.origin(*keys)

    def fingerprint(self) -> str:
        """A digest of what decides which files are memos and how that is said."""
        import hashlib  # noqa: PLC0415 - only a cache asks

        settings = repr((self.include, self.exclude, self.extend_exclude))
        return hashlib.blake2b(settings.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    def demand_memos(self, selection: Selection, paths: list[str]) -> str:
        """The sentence that says why none of `paths` is a memo, for a run without memos.

        Raises ConfigurationError where `include` is written in the configuration: then somebody expected memos.
        """
        reason = f"no memo: {selection.why_nothing(paths)}"
        if self.include is not None:
            advice = "patterns are relative to the root; `include` is compared first, `exclude` then takes away"
            raise ConfigurationError(f"{self.place('include')}: {reason}", help=advice)
        return reason


def load_configuration(
    working_folder: str, *, top_level: str | None = None, read: Read = read_regular_file, explicit: str | None = None
) -> Configuration:
    """The configuration that holds in `working_folder`.

    `top_level` is that of the Git work tree, `explicit` the file that the user named, relative to the working folder:
    it wins, and must exist. Raises ConfigurationError for a file that cannot be read or says what nothing knows.
    """
    working = os.path.realpath(working_folder)
    if explicit is not None:
        folder, name = os.path.split(os.path.join(working, explicit))
        return _load_explicit(os.path.join(os.path.realpath(folder), name), explicit, read, working)
    top = os.path.realpath(top_level) if top_level is not None else None
    for folder in _upward(working, top):
        for name in NAMES:
            path = os.path.join(folder, name)
            data = read(path)
            # Most pyproject.toml are somebody else's: those are not even parsed.
            if data is None or (name == "pyproject.toml" and b"recall" not in data):
                continue
            said = parse_said(data, path, shown_path(path, working))
            if said is not None:
                return _build(path, said, read, working)
    return Configuration(root=top or working)


def _load_explicit(path: str, shown: str, read: Read, working: str) -> Configuration:
    data = read(path)
    if data is None:
        raise ConfigurationError(f"{shown}: there is no such file", help="name an existing file with --config")
    said = parse_said(data, path, shown)
    if said is None:
        raise ConfigurationError(f"{shown}: has no [tool.recall] table", help="add one, or name another file")
    return _build(path, said, read, working)


def _upward(folder: str, top: str | None) -> Iterator[str]:
    """`folder` and those around it, up to `top`; to the file system's root where `top` is none of them."""
    while True:
        yield folder
        parent = os.path.dirname(folder)
        if folder in (parent, top):
            return
        folder = parent


def _build(path: str, own: Said, read: Read, working: str) -> Configuration:
    said = Extender(read, CORPUS_KEYS | RULE_KEYS | SEARCH_KEYS, working).extend(path, own)
    include = _globs(said, "include", Scope.MEMOS)
    if include == ():
        raise ConfigurationError(
            f"{said.place('include')}: `include` is empty, so nothing is a memo", help="leave it out for `**/*.md`"
        )
    exclude = _globs(said, "exclude", Scope.EVERYTHING)
    extend_exclude = _globs(said, "extend-exclude", Scope.EVERYTHING) or ()
    return Configuration(os.path.dirname(path), path, said.table, include, exclude, extend_exclude, said)


def _globs(said: Said, key: str, scope: Scope) -> tuple[str, ...] | None:
    patterns = strings(said, key)
    try:
        Globs(patterns or (), scope)
    except GlobError as error:
        raise ConfigurationError(f"{said.place(key)}: `{key}`: {error}", help=error.help) from None
    return patterns
