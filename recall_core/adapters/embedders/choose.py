"""One string names the embedder: `local`, `none`, `hash:512`, or a kind with the name of a model.

Nothing of a model is imported before it is chosen.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Final

from recall_core.adapters.cache import user_cache_folder
from recall_core.adapters.embedders.endpoint import Endpoint
from recall_core.adapters.embedders.extras import SEARCH, extra_missing
from recall_core.errors import EmbedderError, RecallError, UsageError
from recall_core.model.escape import visible

if TYPE_CHECKING:
    from recall_core.ports.embedder import Embedder

GROUP: Final = "recall.embedders"
"""The entry points by which an installed package adds a kind: each a callable that takes what follows the colon."""

_LONGEST_NAME: Final = 300


@dataclass(frozen=True, slots=True)
class _Kind:
    """`example` is what a user may type; `build` takes what follows the colon."""

    example: str
    build: Callable[[str, "_Means"], "Embedder"]
    takes_name: bool = True


@dataclass(frozen=True, slots=True)
class _Means:
    endpoint: Endpoint
    models_folder: str | None


def choose_embedder(text: str, *, endpoint: Endpoint | None = None, models_folder: str | None = None) -> "Embedder":
    """The embedder that `text` names.

    `endpoint` serves the kinds that ask a server. `models_folder` is where weights that have to be fetched are kept.
    Raises UsageError for a name that nothing has, MissingExtraError where its package is not installed, EmbedderError
    where it cannot be made.
    """
    name, colon, rest = text.strip().partition(":")
    kind = _KINDS.get(name)
    if kind is None:
        return _plugged(name, rest)
    if bool(rest) != kind.takes_name or bool(colon) != kind.takes_name or len(rest) > _LONGEST_NAME:
        raise UsageError(f"`{visible(text[:_LONGEST_NAME])}` names no embedder", help=f"write it as `{kind.example}`")
    try:
        return kind.build(rest, _Means(endpoint or Endpoint(), models_folder))
    except ModuleNotFoundError as error:
        raise extra_missing(f"the embedder `{name}`", error.name or "numpy", SEARCH) from error


def _local(_rest: str, _means: _Means) -> "Embedder":
    from recall_core.adapters.embedders.local import LocalEmbedder

    return LocalEmbedder()


def _none(_rest: str, _means: _Means) -> "Embedder":
    from recall_core.adapters.embedders.nothing import NoEmbedder

    return NoEmbedder()


def _hash(rest: str, _means: _Means) -> "Embedder":
    from recall_core.adapters.embedders.hashing import HashingEmbedder

    try:
        return HashingEmbedder(int(rest) if rest.isascii() and rest.isdigit() else 0)
    except ValueError as error:
        raise UsageError(f"`hash:{visible(rest)}`: {error}", help="write it as `hash:512`") from error


def _openai(rest: str, means: _Means) -> "Embedder":
    from recall_core.adapters.embedders.served import OpenAIEmbedder

    return OpenAIEmbedder(rest, means.endpoint)


def _ollama(rest: str, means: _Means) -> "Embedder":
    from recall_core.adapters.embedders.served import OllamaEmbedder

    return OllamaEmbedder(rest, means.endpoint)


def _fastembed(rest: str, means: _Means) -> "Embedder":
    from recall_core.adapters.embedders.fastembed_model import open_fastembed

    return open_fastembed(rest, means.models_folder or os.path.join(user_cache_folder({}), "models"))


def _sentence_transformer(rest: str, _means: _Means) -> "Embedder":
    from recall_core.adapters.embedders.sentence_transformer import open_sentence_transformer

    return open_sentence_transformer(rest)


def _static(rest: str, _means: _Means) -> "Embedder":
    from recall_core.adapters.embedders.static_model import open_static_model

    return open_static_model(rest)


_KINDS: Final[Mapping[str, _Kind]] = {
    "local": _Kind("local", _local, takes_name=False),
    "none": _Kind("none", _none, takes_name=False),
    "hash": _Kind("hash:512", _hash),
    "fastembed": _Kind("fastembed:NAME", _fastembed),
    "st": _Kind("st:NAME", _sentence_transformer),
    "model2vec": _Kind("model2vec:NAME", _static),
    "openai": _Kind("openai:MODEL", _openai),
    "ollama": _Kind("ollama:MODEL", _ollama),
}


def _plugged(name: str, rest: str) -> "Embedder":
    """The embedder of an installed package. What it raises is an error of its package, not of ours."""
    found = {point.name: point for point in entry_points(group=GROUP)}
    if name not in found:
        raise _unknown(name, found)
    try:
        embedder: Embedder = found[name].load()(rest)
        missing = [part for part in _PARTS if part not in dir(embedder)]  # a part may be made when it is asked for
    except RecallError:
        raise
    except Exception as error:
        raise EmbedderError(f"{_package(found[name])} cannot make the embedder `{name}`: {error}") from error
    if missing:
        raise EmbedderError(f"{_package(found[name])} made an embedder without {' and '.join(missing)}")
    return embedder


_PARTS: Final = ("id", "dimension", "max_tokens", "is_fused", "embed_documents", "embed_queries")


def _package(point: EntryPoint) -> str:
    return f"the package `{point.dist.name}`" if point.dist else f"the entry point `{point.value}`"


def _unknown(name: str, plugged: Mapping[str, EntryPoint]) -> UsageError:
    from difflib import get_close_matches

    known = {each: kind.example for each, kind in _KINDS.items()} | {each: f"{each}:NAME" for each in plugged}
    close = get_close_matches(name[:_LONGEST_NAME].lower(), sorted(known), n=1)
    advice = f"did you mean `{known[close[0]]}`?" if close else f"known are {', '.join(known.values())}"
    return UsageError(f"no embedder is called `{visible(name[:_LONGEST_NAME])}`", help=advice)
