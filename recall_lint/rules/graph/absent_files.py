"""The files that a reference without a memo seems to name."""

from collections.abc import Sequence
from typing import NamedTuple

from recall_core.model.memo import Reference
from recall_lint.inspection import Absence, Absent, Inspection


class Named(NamedTuple):
    """Files that are no memos, and whether the whole value of the reference names them, `|` and `#` included."""

    files: tuple[Absent, ...]
    whole: bool


def possible_keys(reference: Reference) -> list[str]:
    """The keys that a reference may name: that of the whole value first, then that without alias and anchor.

    The tail of an alias or anchor with a slash in it (`[[a|docs/b]]`) is no name.
    """
    if reference.name == reference.key and not reference.part:
        return [reference.key] if reference.key else []
    keys = []
    if reference.key and ("|" in reference.key or "#" in reference.key):
        keys.append(reference.key)
    if reference.name:
        keys.append(reference.name)
    return keys


def find_absent(inspection: Inspection, reference: Reference) -> Named:
    """The files with the first key of the reference that any file has."""
    for key in possible_keys(reference):
        if files := inspection.surroundings.find_absent(key):
            return Named(files, key == reference.key)
    return Named((), whole=False)


def of_kind(files: Sequence[Absent], absence: Absence) -> tuple[Absent, ...]:
    """Those of the files that are absent for this reason."""
    return tuple(file for file in files if file.absence is absence)
