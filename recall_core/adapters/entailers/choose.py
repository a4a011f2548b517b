"""One string names the entailer: `lexical`, or a kind with a model, a folder or a file.

Nothing of a model is imported before it is chosen.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from recall_core.adapters.embedders.endpoint import Endpoint
from recall_core.errors import UsageError
from recall_core.model.escape import visible
from recall_core.trust.entail import Entailer

_LONGEST_NAME: Final = 1_000


@dataclass(frozen=True, slots=True)
class _Kind:
    """`example` is what a user may type; `build` takes what follows the colon."""

    example: str
    build: Callable[[str, Endpoint], Entailer]
    takes_name: bool = True


def choose_entailer(text: str, *, endpoint: Endpoint | None = None) -> Entailer:
    """The entailer that `text` names; `endpoint` serves the kind that asks a server.

    Raises UsageError for a name that nothing has, MissingExtraError where its package is not installed, EntailerError
    where its model cannot be loaded.
    """
    name, colon, rest = text.strip().partition(":")
    kind = _KINDS.get(name)
    if kind is None:
        raise _unknown(name)
    if bool(rest) != kind.takes_name or bool(colon) != kind.takes_name or len(rest) > _LONGEST_NAME:
        raise UsageError(f"`{visible(text[:_LONGEST_NAME])}` names no entailer", help=f"write it as `{kind.example}`")
    return kind.build(rest, endpoint or Endpoint())


def _lexical(_rest: str, _endpoint: Endpoint) -> Entailer:
    from recall_core.trust.lexical_span import LexicalSpanEntailer

    return LexicalSpanEntailer()


def _onnx(rest: str, _endpoint: Endpoint) -> Entailer:
    from recall_core.adapters.entailers.onnx_model import open_onnx_entailer

    return open_onnx_entailer(rest)


def _sentence_transformer(rest: str, _endpoint: Endpoint) -> Entailer:
    from recall_core.adapters.entailers.sentence_transformer import open_cross_encoder

    return open_cross_encoder(rest)


def _openai(rest: str, endpoint: Endpoint) -> Entailer:
    from recall_core.adapters.entailers.served import ServedEntailer

    return ServedEntailer(rest, endpoint)


def _recorded(rest: str, _endpoint: Endpoint) -> Entailer:
    from recall_core.adapters.entailers.recorded import load_recorded

    return load_recorded(rest)


_KINDS: Final[Mapping[str, _Kind]] = {
    "lexical": _Kind("lexical", _lexical, takes_name=False),
    "onnx": _Kind("onnx:FOLDER", _onnx),
    "st": _Kind("st:NAME@COMMIT", _sentence_transformer),
    "openai": _Kind("openai:MODEL", _openai),
    "recorded": _Kind("recorded:FILE", _recorded),
}


def _unknown(name: str) -> UsageError:
    from difflib import get_close_matches

    close = get_close_matches(name[:_LONGEST_NAME].lower(), sorted(_KINDS), n=1)
    known = ", ".join(f"`{kind.example}`" for kind in _KINDS.values())
    advice = f"did you mean `{_KINDS[close[0]].example}`?" if close else f"known are {known}"
    return UsageError(f"no entailer is called `{visible(name[:_LONGEST_NAME])}`", help=advice)
