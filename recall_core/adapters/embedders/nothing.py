"""The embedder that makes no vectors: retrieval is lexical alone."""

from collections.abc import Sequence
from dataclasses import dataclass

from recall_core.adapters.embedders.rows import no_rows
from recall_core.ports.embedder import Vectors


@dataclass(frozen=True, slots=True)
class NoEmbedder:
    """Rows without columns for every text. A generation that it built has no cosine and cannot be calibrated."""

    id: str = "none"
    dimension: int = 0
    max_tokens: int = 256
    is_fused: bool = False
    is_cheap: bool = True

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """An array of the shape (number of texts, 0)."""
        return no_rows(len(texts), 0)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """An array of the shape (number of texts, 0)."""
        return no_rows(len(texts), 0)
