"""What configuration files say: a table of settings, the place of each, and the errors about a value that is none."""

import os
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol

from recall_core.adapters.toml_file import TomlFile, parse_toml
from recall_core.errors import ConfigurationError


class Configured(Protocol):
    """Settings that know where they are written."""

    @property
    def table(self) -> Mapping[str, object]:
        """The settings by key."""
        ...

    def place(self, *keys: str) -> str:
        """Where the key reached through `keys` stands, as `file:line` or `file`."""
        ...


class Origin(NamedTuple):
    """Who says a key: the file, and the keys that lead to our table in it."""

    file: TomlFile
    prefix: tuple[str, ...]


class Said(NamedTuple):
    """What one file says, or several of which one extends another.

    `origins` holds who says a key, by the keys that lead to it: `()` for the file that was asked first, and every key,
    and entry of a merged table, that another one says.
    """

    table: Mapping[str, object] = MappingProxyType({})
    origins: Mapping[tuple[str, ...], Origin] = MappingProxyType({})

    def place(self, *keys: str) -> str:
        """Where the key reached through `keys` stands, as `file:line` (or `file`), for a message."""
        origin = self.origin(*keys)
        return origin.file.place(*origin.prefix, *keys) if origin is not None else "the defaults"

    def origin(self, *keys: str) -> Origin | None:
        """Who says the key reached through `keys`; None where no file says anything."""
        for depth in range(len(keys), -1, -1):
            if (origin := self.origins.get(keys[:depth])) is not None:
                return origin
        return None


def parse_said(data: bytes, path: str, shown: str) -> Said | None:
    """What the file at `path` says to us; None for a pyproject.toml without our table. Raises ConfigurationError."""
    file = parse_toml(data, shown)
    if os.path.basename(path) != "pyproject.toml":
        if "tool" in file.table:
            reason = f"{file.place('tool')}: `[tool.recall]` is for pyproject.toml"
            raise ConfigurationError(reason, help="write the keys at the top of this file, under no table")
        return Said(file.table, {(): Origin(file, ())})
    tool = file.table.get("tool")
    table = tool.get("recall") if isinstance(tool, dict) else None
    if table is None:
        return None
    if not isinstance(table, dict):
        raise ConfigurationError(f"{file.place('tool', 'recall')}: `tool.recall` must be a table, not {kind(table)}")
    return Said(table, {(): Origin(file, ("tool", "recall"))})


def strings(said: Configured, *keys: str) -> tuple[str, ...] | None:
    """The list of strings reached through `keys`, None where it is not set. Raises ConfigurationError for another."""
    value: object = said.table
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    if value is None:
        return None
    if not isinstance(value, list):
        advice = f'write `{keys[-1]} = ["{value}"]`' if isinstance(value, str) and len(keys) == 1 else ""
        raise wrong_type(said, keys, "a list of strings", value, advice)
    for item in value:
        if not isinstance(item, str):
            raise wrong_type(said, keys, "a list of strings", item, "put the item in quotes", inside=True)
    return tuple(value)


def refuse_unknown(said: Configured, names: Collection[str], known: Collection[str], *keys: str) -> None:
    """Raise ConfigurationError for the first of `names`, found under `keys`, that is not `known`."""
    for name in names:
        if name not in known:
            from difflib import get_close_matches  # noqa: PLC0415 - only for a message

            close = get_close_matches(name.replace("_", "-").lower(), sorted(known), n=1)
            advice = f"did you mean `{close[0]}`?" if close else f"known are {', '.join(sorted(known))}"
            raise ConfigurationError(f"{said.place(*keys, name)}: unknown key `{name}`", help=advice)


def wrong_type(
    said: Configured, keys: tuple[str, ...], expected: str, found: object, advice: str = "", *, inside: bool = False
) -> ConfigurationError:
    """The error for a value of another type than `expected`; with `inside`, of an item in the list there."""
    what = f"holds {kind(found)}" if inside else f"is {kind(found)}"
    message = f"{said.place(*keys)}: `{'.'.join(keys)}` must be {expected}, and {what}"
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
