"""`extend`: a configuration file names others that it builds on, and says itself only what differs."""

import os
from collections.abc import Mapping

from recall_core.adapters.configured import Origin, Said, parse_said, refuse_unknown, wrong_type
from recall_core.adapters.toml_file import Read
from recall_core.errors import ConfigurationError

MOST_STEPS = 10
"""How many files may stand in one chain: a longer one is a slip, and nobody could say what holds in the end."""

KEY = "extend"
MERGED = frozenset({"severity", "per-file-ignores"})
"""The tables whose entries are taken one by one; any other key is replaced as a whole."""


class Extender:
    """Reads what files say together with all that they extend, each file once.

    `known` are the keys that may stand in them; messages name files relative to `working`.
    """

    def __init__(self, read: Read, known: frozenset[str], working: str) -> None:
        self._read, self._known, self._working = read, known, working
        self._bases: dict[str, Said] = {}

    def extend(self, path: str, own: Said) -> Said:
        """What the file at the absolute `path`, which says `own`, and its bases say. Raises ConfigurationError."""
        return self._extend(own, (path,))

    def _extend(self, own: Said, chain: tuple[str, ...]) -> Said:
        refuse_unknown(own, own.table, self._known)
        if KEY not in own.table:
            return own
        merged = Said()
        for name in _names(own):
            merged = _replace(merged, self._base(own, name, chain))
        return _replace(merged, own)

    def _base(self, own: Said, name: str, chain: tuple[str, ...]) -> Said:
        """What the file that `own` names, and its bases, say. `chain` leads to `own`."""
        path = self._locate(own, name, chain[-1])
        if path in chain:
            loop = " → ".join(shown_path(each, self._working) for each in (*chain[chain.index(path) :], path))
            raise _refusal(own, f"leads back to where it began: {loop}", "take one of them out")
        if path in self._bases:
            return self._bases[path]
        if len(chain) >= MOST_STEPS:
            raise _refusal(own, f"comes after {MOST_STEPS} files that extend one another", "build on fewer")
        data = self._content(own, path)
        if data is None:
            advice = "a path is relative to the file that says it; in a hook the file must be in the index (`git add`)"
            raise _refusal(own, f"names `{name}`, and there is no such file", advice)
        said = parse_said(data, path, shown_path(path, self._working))
        if said is None:
            raise _refusal(own, f"names `{name}`, which has no [tool.recall] table", "add one, or name another file")
        self._bases[path] = said = self._extend(said, (*chain, path))
        return said

    def _locate(self, own: Said, name: str, source: str) -> str:
        if not name or "\0" in name:
            raise _refusal(own, "holds a name that no file has", 'name a file: `extend = "../recall.toml"`')
        path = os.path.join(os.path.dirname(source), name)
        folder, base = os.path.split(path)
        return os.path.realpath(path) if base in ("", ".", "..") else os.path.join(os.path.realpath(folder), base)

    def _content(self, own: Said, path: str) -> bytes | None:
        try:
            return self._read(path)
        except ConfigurationError as error:
            raise _refusal(own, f"names a file that cannot be used: {error.message}", error.help) from error


def shown_path(path: str, working: str) -> str:
    """The absolute `path` as messages name it, relative to the working folder."""
    try:
        return os.path.relpath(path, working).replace(os.sep, "/")
    except ValueError:  # another drive
        return path


def _names(own: Said) -> list[str]:
    value = own.table[KEY]
    names: list[str] = []
    for name in value if isinstance(value, list) else [value]:
        if not isinstance(name, str):
            raise wrong_type(own, (KEY,), "a path or a list of paths", name, inside=name is not value)
        names.append(name)
    return names


def _refusal(own: Said, reason: str, advice: str) -> ConfigurationError:
    return ConfigurationError(f"{own.place(KEY)}: `{KEY}` {reason}", help=advice)


def _replace(base: Said, own: Said) -> Said:
    """What holds when `own` extends `base`."""
    table = dict(base.table)
    origins = dict(base.origins)
    for key, value in own.table.items():
        if key == KEY:
            continue
        if key in MERGED:
            value = _replace_entries(base, own, key, value, origins)  # noqa: PLW2901 - the merged one
        table[key] = value
        _name(origins, own, key)
    first = own.origin()
    return Said(table, origins if first is None else {**origins, (): first})


def _replace_entries(
    base: Said, own: Said, key: str, value: object, origins: dict[tuple[str, ...], Origin]
) -> dict[str, object]:
    """The entries of a merged table. Those of `own` come last: a rule set by its code and by its name has the later."""
    entries: dict[str, object] = {}
    for said, found in ((base, base.table.get(key, {})), (own, value)):
        if not isinstance(found, Mapping):
            raise wrong_type(said, (key,), "a table", found)
        for name, entry in found.items():
            entries.pop(name, None)
            entries[name] = entry
            _name(origins, said, key, name)
    return entries


def _name(origins: dict[tuple[str, ...], Origin], said: Said, *keys: str) -> None:
    origin = said.origin(*keys)
    if origin is not None:
        origins[keys] = origin
