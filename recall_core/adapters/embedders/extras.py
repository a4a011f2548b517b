"""Packages that are imported only when an embedder is chosen that needs them."""

from importlib import import_module
from typing import Any, Final

from recall_core.errors import MissingExtraError

SEARCH: Final = "pip install 'recall-lint[search]'"


def extra_missing(wanted: str, package: str, install: str) -> MissingExtraError:
    """The error to raise where `wanted` needs `package`, with the line that installs it."""
    return MissingExtraError(f"{wanted} needs the package `{package}`, which is not installed", help=install)


def import_extra(module: str, wanted: str, extra: str) -> Any:
    """The module. Raises MissingExtraError, saying to install `extra`, where it is not installed."""
    try:
        return import_module(module)
    except ImportError as error:
        raise extra_missing(wanted, module, f"pip install 'recall-lint[search,{extra}]'") from error
