"""A model that somebody else's package has loaded into this process."""

import hashlib
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from recall_core.adapters.embedders.prefixes import Prefixes
from recall_core.adapters.embedders.rows import embed_texts
from recall_core.errors import EmbedderError, RecallError
from recall_core.model.escape import visible
from recall_core.ports.embedder import Vectors

if TYPE_CHECKING:
    from collections.abc import Iterator

Encode = Callable[[list[str]], Any]
"""Texts to a table of numbers, a row for each."""

_MOST_CHARACTERS: Final = 65_536
_DIGITS: Final = 12
"""Of a SHA-256, in an id."""


class LoadedEmbedder:
    """What encodes documents and queries, as an embedder.

    The dimension is that of the first row it makes. Raises EmbedderError where it makes none.
    """

    def __init__(
        self,
        id_: str,
        *,
        encode_documents: Encode,
        encode_queries: Encode,
        prefixes: Prefixes,
        max_tokens: int,
        is_fused: bool = True,
        is_cheap: bool = False,
    ) -> None:
        self.id = id_
        self.max_tokens = max_tokens
        self.is_fused = is_fused
        self.is_cheap = is_cheap
        self._prefixes = prefixes
        self._source = f"the model `{visible(id_)}`"
        self._encode_documents = self._guarded(encode_documents)
        self._encode_queries = self._guarded(encode_queries)
        self.dimension = self._measure()

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """One row for each text. Raises EmbedderError where the model fails or makes no vectors."""
        return self._embed(self._encode_documents, texts, self._prefixes.document)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """One row for each query. Raises as `embed_documents`."""
        return self._embed(self._encode_queries, texts, self._prefixes.query)

    def _embed(self, encode: Encode, texts: Sequence[str], prefix: str) -> Vectors:
        return embed_texts(
            encode, texts, prefix=prefix, limit=_MOST_CHARACTERS, dimension=self.dimension, source=self._source
        )

    def _guarded(self, encode: Encode) -> Encode:
        def guarded(texts: list[str]) -> Any:
            with failing(f"{self._source} fails"):
                return encode(texts)

        return guarded

    def _measure(self) -> int:
        shape = np.shape(self._encode_documents(["dimension"]))
        if len(shape) != 2 or shape[0] != 1 or not shape[1]:
            raise EmbedderError(f"{self._source} makes no vectors")
        return int(shape[1])


@contextmanager
def failing(what: str, advice: str = "") -> "Iterator[None]":
    """Whatever somebody else's package raises becomes EmbedderError, saying `what` and giving `advice`."""
    try:
        yield
    except RecallError:
        raise
    except Exception as error:
        words = visible(str(error) or type(error).__name__, limit=300)
        raise EmbedderError(f"{what}: {words}", help=advice) from error


FETCHING: Final = "check the name; weights are fetched from their hub once, which needs the network"


def digest_files(paths: Iterable[str]) -> str:
    """The beginning of a SHA-256 over the names and contents of files. Raises OSError."""
    state = hashlib.sha256()
    for path in sorted(paths, key=os.path.basename):
        with open(path, "rb") as file:
            state.update(os.path.basename(path).encode() + b"\0")
            state.update(hashlib.file_digest(file, "sha256").digest())
    return f"sha256:{state.hexdigest()[:_DIGITS]}"


def digest_parts(parts: Iterable[bytes | memoryview]) -> str:
    """The beginning of a SHA-256 over some contents, each told from the next."""
    state = hashlib.sha256()
    for part in parts:
        state.update(hashlib.sha256(part).digest())
    return f"sha256:{state.hexdigest()[:_DIGITS]}"


def find_weights(folder: str) -> list[str]:
    """The files under `folder` that decide what a model makes of a text."""
    return [
        os.path.join(parent, name)
        for parent, _, names in os.walk(folder)
        for name in names
        if name.endswith(_WEIGHTS) or name in _TOKENIZERS
    ]


_WEIGHTS: Final = (".onnx", ".onnx_data", ".safetensors", ".npy", ".bin")
_TOKENIZERS: Final = frozenset({"tokenizer.json", "vocab.txt"})
