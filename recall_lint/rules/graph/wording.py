"""How the messages of the rules show names: as written, on one line, cut where they are long."""

import shlex
from collections.abc import Sequence
from typing import Final

from recall_core.model.memo import Reference, Style

LONGEST_NAME: Final = 80
LONGEST_LIST: Final = 5


def shorten(text: str) -> str:
    """`text` on one line, its end cut off where it is long."""
    line = " ".join(text.split()) if "\n" in text or "\r" in text else text
    return line if len(line) <= LONGEST_NAME else f"{line[: LONGEST_NAME - 1]}…"


def as_written(reference: Reference) -> str:
    """The source text of a reference in backticks; of a block scalar its text."""
    return f"`{shorten(reference.value if reference.style is Style.BLOCK else reference.written)}`"


def list_names(names: Sequence[str], last: str = "or") -> str:
    """`a`, `b` or `c`, each in backticks; a long list ends in the number left out."""
    shown = [f"`{shorten(name)}`" for name in names[:LONGEST_LIST]]
    if len(names) > LONGEST_LIST:
        shown.append(f"{len(names) - LONGEST_LIST} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {last} {shown[-1]}"


def git_add(paths: Sequence[str]) -> str:
    """What to type so that Git knows the files, or words where a name cannot be typed."""
    if not all(path.isprintable() for path in paths):
        return "add it to Git" if len(paths) == 1 else "add one of them to Git"
    # A name that begins like an option or like pathspec magic is still a file.
    names = [f"./{path}" if path[0] in "-:" else path for path in paths]
    return f"`git add {shlex.quote(names[0])}`" if len(names) == 1 else f"`git add` one of {list_names(names)}"
