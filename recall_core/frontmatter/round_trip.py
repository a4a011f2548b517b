"""A second opinion on an edit that gives a value another shape: ruamel.yaml reads both texts, comments included."""

import warnings
from typing import Any


def explain_difference(before: str, after: str, added: int) -> str:
    """Why the block `after` is not `before` with `added` names more under `supersedes`; "" where it is.

    Another reader's view: every other key has the same value, no comment is lost, and the block survives a round trip.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _compare(_load(before), _load(after), added)
    except Exception as error:  # noqa: BLE001 - a reader of ours took the block, so whatever the other raises is a no
        said = str(error).strip().splitlines()
        return f"ruamel.yaml cannot read the block ({said[0][:80] if said else type(error).__name__})"


def _compare(old: Any, new: Any, added: int) -> str:
    if _comments(old) != _comments(new):
        return "a comment would be lost"
    was, now = old.get("supersedes"), new.get("supersedes")
    if not isinstance(now, list) or len(now) != added + 1 or not _is_same(now[0], was):
        return "the list would not hold the old name and the new one"
    if not _is_same(_load(_dump(new)), new):
        return "the block would not survive a round trip"
    old["supersedes"] = new["supersedes"] = None
    return "" if _is_same(old, new) else "another key would change"


def _is_same(one: Any, other: Any) -> bool:
    """Whether two loaded values are equal, order of keys and types included. What aliases share is compared once."""
    seen: set[tuple[int, int]] = set()
    pending = [(one, other)]
    while pending:
        first, second = pending.pop()
        if (id(first), id(second)) in seen:
            continue
        seen.add((id(first), id(second)))
        if type(first) is not type(second):
            return False
        if isinstance(first, dict):
            first, second = ([part for pair in each.items() for part in pair] for each in (first, second))
        if isinstance(first, list | tuple):
            if len(first) != len(second):
                return False
            pending += zip(first, second, strict=True)
        elif str(first) != str(second):  # not by `==`: a NaN is unlike itself
            return False
    return True


def _yaml() -> Any:
    from ruamel.yaml import YAML  # noqa: PLC0415 - costs more than a run of the linter

    yaml = YAML(typ="rt")
    yaml.preserve_quotes = True
    yaml.allow_duplicate_keys = True
    yaml.width = 1 << 20
    return yaml


def _load(text: str | bytes) -> Any:
    return _yaml().load(text)


class _Sink:
    """What a dump is written to."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def write(self, part: bytes) -> None:
        self.parts.append(part)


def _dump(root: Any) -> bytes:
    sink = _Sink()
    _yaml().dump(root, sink)
    return b"".join(sink.parts)


def _comments(root: Any) -> list[str]:
    """The lines of all comments, sorted: which node carries one depends on the shape of the value beside it."""
    lines: list[str] = []
    pending, seen = [root], set()
    while pending:
        item = pending.pop()
        if id(item) in seen or item is None or isinstance(item, str | bytes | int | float):
            continue
        seen.add(id(item))
        if hasattr(item, "start_mark"):  # a comment's token
            lines += [line.strip() for line in str(item.value).splitlines() if line.strip()]
        if hasattr(item, "ca"):
            pending += [item.ca.comment, item.ca.end, *item.ca.items.values()]
        if isinstance(item, dict):
            pending += item.values()
        elif isinstance(item, list | tuple):
            pending += item
    return sorted(lines)
