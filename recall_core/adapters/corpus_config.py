"""The configuration of a corpus: where its root is, which files are memos, and the table that every command reads.

One file for both tools: `recall.toml`, `.recall.toml`, or `pyproject.toml` with a `[tool.recall]` table; where one
folder holds several, the first of these. The nearest from the working folder upward counts, never one above the Git
top level.
"""

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field

from recall_core.adapters.globs import GlobError, Globs, Scope
from recall_core.adapters.selection import Selection
from recall_core.adapters.toml_file import TomlFile, parse_toml, read_regular_file
from recall_core.errors import ConfigurationError

Read = Callable[[str], bytes | None]
"""The content of the file at an absolute path, None where there is none: from the disk, the index, or a revision."""

NAMES = ("recall.toml", ".recall.toml", "pyproject.toml")

# Every key that a tool reads, by the package that owns it, so that both tools call the same keys unknown.
CORPUS_KEYS = frozenset({"include", "exclude", "extend-exclude"})
RULE_KEYS = frozenset({"select", "ignore", "severity", "per-file-ignores", "fail-on", "expiring-within-days"})


@dataclass(frozen=True, slots=True)
class Configuration:
    """A configuration that was found and read, or the defaults.

    `root` is absolute; `source` the absolute path of the file, None without one; `table` what it says, every key known.
    `include` and `exclude` are None where the file does not set them.
    """

    root: str
    source: str | None = None
    table: Mapping[str, object] = field(default_factory=dict)
    include: tuple[str, ...] | None = None
    exclude: tuple[str, ...] | None = None
    extend_exclude: tuple[str, ...] = ()
    _file: TomlFile | None = field(default=None, repr=False, compare=False)
    _prefix: tuple[str, ...] = field(default=(), repr=False)

    def selection(self) -> Selection:
        """Which files are memos."""
        return Selection(self.include, self.exclude, self.extend_exclude)

    def place(self, *keys: str) -> str:
        """Where the key reached through `keys` stands, as `file:line` (or `file`), for a message."""
        return self._file.place(*self._prefix, *keys) if self._file is not None else "the defaults"

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
        return _load_explicit(os.path.join(os.path.realpath(folder), name), explicit, read)
    top = os.path.realpath(top_level) if top_level is not None else None
    for folder in _upward(working, top):
        for name in NAMES:
            path = os.path.join(folder, name)
            data = read(path)
            # Most pyproject.toml are somebody else's: those are not even parsed.
            if data is None or (name == "pyproject.toml" and b"recall" not in data):
                continue
            file = parse_toml(data, _shown(path, working))
            prefix, table = _own_table(file, path)
            if table is not None:
                return _build(folder, path, file, prefix, table)
    return Configuration(root=top or working)


def _load_explicit(path: str, shown: str, read: Read) -> Configuration:
    data = read(path)
    if data is None:
        raise ConfigurationError(f"{shown}: there is no such file", help="name an existing file with --config")
    file = parse_toml(data, shown)
    prefix, table = _own_table(file, path)
    if table is None:
        raise ConfigurationError(f"{shown}: has no [tool.recall] table", help="add one, or name another file")
    return _build(os.path.dirname(path), path, file, prefix, table)


def _upward(folder: str, top: str | None) -> Iterator[str]:
    """`folder` and those around it, up to `top`; to the file system's root where `top` is none of them."""
    while True:
        yield folder
        parent = os.path.dirname(folder)
        if folder in (parent, top):
            return
        folder = parent


def _shown(path: str, working: str) -> str:
    try:
        return os.path.relpath(path, working).replace(os.sep, "/")
    except ValueError:  # another drive
        return path


def _own_table(file: TomlFile, path: str) -> tuple[tuple[str, ...], Mapping[str, object] | None]:
    """The keys that lead to our table, and the table; None where a pyproject.toml has none."""
    if os.path.basename(path) != "pyproject.toml":
        if "tool" in file.table:
            reason = f"{file.place('tool')}: `[tool.recall]` is for pyproject.toml"
            raise ConfigurationError(reason, help="write the keys at the top of this file, under no table")
        return (), file.table
    tool = file.table.get("tool")
    table = tool.get("recall") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigurationError(f"{file.place('tool', 'recall')}: `tool.recall` must be a table, not {kind(table)}")
    return ("tool", "recall"), table


def _build(
    root: str, source: str, file: TomlFile, prefix: tuple[str, ...], table: Mapping[str, object]
) -> Configuration:
    bare = Configuration(root, source, table, _file=file, _prefix=prefix)
    refuse_unknown(bare, table, CORPUS_KEYS | RULE_KEYS)
    include = _globs(bare, "include", Scope.MEMOS)
    if include == ():
        raise ConfigurationError(
            f"{bare.place('include')}: `include` is empty, so nothing is a memo", help="leave it out for `**/*.md`"
        )
    exclude = _globs(bare, "exclude", Scope.EVERYTHING)
    extend_exclude = _globs(bare, "extend-exclude", Scope.EVERYTHING) or ()
    return Configuration(root, source, table, include, exclude, extend_exclude, file, prefix)


def _globs(configuration: Configuration, key: str, scope: Scope) -> tuple[str, ...] | None:
    patterns = strings(configuration, key)
    try:
        Globs(patterns or (), scope)
    except GlobError as error:
        raise ConfigurationError(f"{configuration.place(key)}: `{key}`: {error}", help=error.help) from None
    return patterns


def strings(configuration: Configuration, *keys: str) -> tuple[str, ...] | None:
    """The list of strings reached through `keys`, None where it is not set. Raises ConfigurationError for another."""
    value: object = configuration.table
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    if value is None:
        return None
    if not isinstance(value, list):
        advice = f'write `{keys[-1]} = ["{value}"]`' if isinstance(value, str) and len(keys) == 1 else ""
        raise wrong_type(configuration, keys, "a list of strings", value, advice)
    for item in value:
        if not isinstance(item, str):
            raise wrong_type(configuration, keys, "a list of strings", item, "put the item in quotes", inside=True)
    return tuple(value)


def refuse_unknown(configuration: Configuration, names: Collection[str], known: Collection[str], *keys: str) -> None:
    """Raise ConfigurationError for the first of `names`, found under `keys`, that is not `known`."""
    for name in names:
        if name not in known:
            from difflib import get_close_matches  # noqa: PLC0415 - only for a message

            close = get_close_matches(name.replace("_", "-").lower(), sorted(known), n=1)
            advice = f"did you mean `{close[0]}`?" if close else f"known are {', '.join(sorted(known))}"
            raise ConfigurationError(f"{configuration.place(*keys, name)}: unknown key `{name}`", help=advice)


def wrong_type(
    configuration: Configuration,
    keys: tuple[str, ...],
    expected: str,
    found: object,
    advice: str = "",
    *,
    inside: bool = False,
) -> ConfigurationError:
    """The error for a value of another type than `expected`; with `inside`, of an item in the list there."""
    what = f"holds {kind(found)}" if inside else f"is {kind(found)}"
    message = f"{configuration.place(*keys)}: `{'.'.join(keys)}` must be {expected}, and {what}"
    return ConfigurationError(message, help=advice)


def kind(value: object) -> str:
    """What TOML calls a value, with its article."""
    match value:
        case bool():
            return "a boolean"
        case str():
            return "a string"
        case int():
            return "an integer"
        case float():
            return "a float"
        case list():
            return "a list"
        case dict():
            return "a table"
        case _:
            return "a date or time"
