"""A path that opens a line of output."""

from recall_core.model.escape import visible


def leading_path(path: str) -> str:
    """`path` fit to be shown at the start of a line.

    A build log obeys a line that starts with `::`, blanks before it or not; such a name is written from `./`, which
    names the same file.
    """
    shown = visible(path)
    return f"./{shown}" if shown.lstrip().startswith("::") else shown
