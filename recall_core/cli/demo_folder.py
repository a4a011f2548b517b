"""The folder of the demonstration: memos of an invented product, labelled questions, and a configuration."""

import os
from collections.abc import Iterator

TENANT = "demo"
LABELS = "labels.json"

_MEMOS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "demo_memos")
_CONFIGURATION = f'# The folder of this file is the root: `recall demo` made it.\ntenant = "{TENANT}"\n'


def lay_out(folder: str) -> None:
    """Write the memos and a configuration into a folder that is new, empty, or of an earlier demonstration.

    Raises UsageError for any other, and WriteError where the system refuses.
    """
    from recall_core.errors import UsageError, WriteError

    try:
        os.makedirs(folder, exist_ok=True)
        if os.listdir(folder) and _read(os.path.join(folder, "recall.toml")) != _CONFIGURATION:
            raise UsageError(f"{folder} is not empty", help="name a new folder")
        if not os.path.lexists(os.path.join(folder, "recall.toml")):  # first: a cut-off run can be taken up again
            _write(os.path.join(folder, "recall.toml"), _CONFIGURATION)
        for path in _paths():
            full = os.path.join(folder, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            if not os.path.lexists(full):
                _write(full, _read(os.path.join(_MEMOS, path)))
    except OSError as error:
        reason = error.strerror or str(error)
        raise WriteError(f"the memos cannot be written to {folder}: {reason}", help="name another FOLDER") from error


def _paths() -> Iterator[str]:
    for folder, _, names in os.walk(_MEMOS):
        yield from (
            os.path.relpath(os.path.join(folder, name), _MEMOS) for name in names if name.endswith((".md", ".json"))
        )


def _read(path: str) -> str:
    if not os.path.lexists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def _write(path: str, text: str) -> None:
    with open(path, "x", encoding="utf-8", newline="\n") as file:
        file.write(text)
