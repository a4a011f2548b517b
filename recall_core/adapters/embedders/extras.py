"""Packages that are imported only when an embedder is chosen that needs them."""

import os
from importlib import import_module
from typing import Any, Final

from recall_core.errors import MissingExtraError

SEARCH: Final = "pip install 'recall-lint[search]'"


_REPORTS_NOTHING: Final = {
    "ORT_DISABLE_TELEMETRY": "1",
    "ORT_TELEMETRY_DISABLED": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
}
"""What keeps packages that run models from reporting home. onnxruntime does so, from the moment it is imported: it
writes an identifier into the user's cache folder and sends what it runs to its maker."""


def extra_missing(wanted: str, package: str, install: str) -> MissingExtraError:
    """The error to raise where `wanted` needs `package`, with the line that installs it."""
    return MissingExtraError(f"{wanted} needs the package `{package}`, which is not installed", help=install)


def import_extra(module: str, wanted: str, extra: str) -> Any:
    """The module. Raises MissingExtraError, saying to install `extra`, where it is not installed."""
    try:
        return import_silently(module)
    except ImportError as error:
        raise extra_missing(wanted, module, f"pip install 'recall-lint[search,{extra}]'") from error


def import_silently(module: str) -> Any:
    """The module, told to report nothing to anybody. Raises ImportError where it is not installed."""
    os.environ.update(_REPORTS_NOTHING)
    return import_module(module)
