"""Who turns text into vectors."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""Rows of float32; each row has the length 1, or is all zeros where a text holds nothing to embed."""


class Embedder(Protocol):
    """One embedding model. Vectors of different ids are never compared."""

    @property
    def id(self) -> str:
        """The model with its revision or file hash, such as `minilm-l6-v2-int8@sha256:8199be6f`."""
        ...

    @property
    def dimension(self) -> int:
        """The length of a vector; 0 for the embedder that makes none."""
        ...

    @property
    def max_tokens(self) -> int:
        """The tokens after which a text is cut."""
        ...

    @property
    def is_fused(self) -> bool:
        """Whether its dense leg is good enough to be fused with the lexical one; a weak model loses to BM25 alone."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """One row for each text. Raises EmbedderError where the model cannot be reached or answers nonsense."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """One row for each query: some models want another prefix for these. Raises as `embed_documents`."""
        ...
