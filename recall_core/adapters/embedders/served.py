"""Models behind a server: any that speaks OpenAI's embeddings API, and Ollama."""

import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final

from recall_core.adapters.embedders.endpoint import Endpoint
from recall_core.adapters.embedders.prefixes import Prefixes, identify, prefixes_of
from recall_core.adapters.embedders.rows import embed_texts
from recall_core.adapters.embedders.server import ModelServer
from recall_core.errors import EmbedderError, UsageError
from recall_core.model.escape import visible
from recall_core.ports.embedder import Vectors

OLLAMA_URL: Final = "http://127.0.0.1:11434"
"""Where Ollama listens where nobody says otherwise: on this machine."""

_BATCH: Final = 32
"""Texts in one request."""
_MOST_CHARACTERS: Final = 6_000
"""What is sent of a text: servers refuse what is longer than the model reads."""


class ServedEmbedder(ABC):
    """A model that a server runs. The server is first asked when the id, the dimension or a row is wanted.

    Each of these raises EmbedderError where the server cannot be reached or answers nonsense.
    """

    max_tokens = 512
    is_fused = True

    def __init__(self, model: str, server: ModelServer) -> None:
        self.model = model
        self.server = server
        self._prefixes = prefixes_of(model)
        self._dimension: int | None = None
        self._id: str | None = None
        self._lock = threading.RLock()

    @property
    def id(self) -> str:
        """The model with what tells its revision."""
        with self._lock:
            if self._id is None:
                self._id = self.fetch_id(self._prefixes)
            return self._id

    @property
    def dimension(self) -> int:
        """The length of the vectors, learnt from the first answer."""
        with self._lock:
            if self._dimension is None:
                self._dimension = self._learn_dimension()
            return self._dimension

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """One row for each text."""
        return self._embed(texts, self._prefixes.document)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """One row for each query."""
        return self._embed(texts, self._prefixes.query)

    @abstractmethod
    def fetch_id(self, prefixes: Prefixes) -> str:
        """The id, by asking the server if it knows more than the name."""

    @abstractmethod
    def fetch_rows(self, texts: Sequence[str]) -> list[Any]:
        """What the server answers for `texts`, in their order; nothing about it is known but its number."""

    def nonsense(self, what: str) -> EmbedderError:
        """The error for an answer that is not what was asked for."""
        return EmbedderError(f"{self._source} answered {what}")

    @property
    def _source(self) -> str:
        return f"the model `{visible(self.model)}` at {visible(self.server.place)}"

    def _embed(self, texts: Sequence[str], prefix: str) -> Vectors:
        return embed_texts(
            self._encode,
            texts,
            prefix=prefix,
            limit=_MOST_CHARACTERS,
            dimension=self.dimension,
            source=self._source,
        )

    def _encode(self, texts: list[str]) -> list[Any]:
        rows = []
        for start in range(0, len(texts), _BATCH):
            some = texts[start : start + _BATCH]
            answer = self.fetch_rows(some)
            if len(answer) != len(some):
                raise self.nonsense(f"{len(answer)} vectors where {len(some)} were asked for")
            rows += answer
        return rows

    def _learn_dimension(self) -> int:
        row = self._encode(["dimension"])[0]
        if not isinstance(row, list) or not row:
            raise self.nonsense("no vector")
        return len(row)


class OpenAIEmbedder(ServedEmbedder):
    """A model behind `POST {url}/embeddings`. Its id names the place: nothing tells its revision."""

    def __init__(self, model: str, endpoint: Endpoint) -> None:
        if endpoint.url is None:
            raise UsageError(
                f"the embedder `openai:{visible(model)}` needs the URL of a server",
                help="set RECALL_EMBEDDER_URL (`https://api.openai.com/v1`) and RECALL_EMBEDDER_KEY to its key",
            )
        super().__init__(model, ModelServer(endpoint))

    def fetch_id(self, prefixes: Prefixes) -> str:
        """The id, without asking."""
        return identify("openai", self.model, self.server.place, prefixes)

    def fetch_rows(self, texts: Sequence[str]) -> list[Any]:
        """The vectors in the order of their `index`."""
        answer = self.server.post(
            "/embeddings", {"model": self.model, "input": list(texts), "encoding_format": "float"}
        )
        items = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(items, list):
            raise self.nonsense("no list of vectors")
        rows: dict[object, Any] = {}
        for item in items:
            index = item.get("index") if isinstance(item, dict) else None
            if type(index) is not int or index in rows:
                raise self.nonsense("vectors without an index of their own")
            rows[index] = item.get("embedding")
        if sorted(rows, key=repr) != sorted(range(len(texts)), key=repr):
            raise self.nonsense(f"{len(rows)} vectors that are not the {len(texts)} asked for")
        return [rows[place] for place in range(len(texts))]


class OllamaEmbedder(ServedEmbedder):
    """A model of an Ollama server, by default that of this machine. Its id holds the digest of the model's files."""

    def __init__(self, model: str, endpoint: Endpoint) -> None:
        super().__init__(model, ModelServer(Endpoint(endpoint.url or OLLAMA_URL, endpoint.key)))

    def fetch_id(self, prefixes: Prefixes) -> str:
        """The id, with the digest that the server's list of models says."""
        answer = self.server.get("/api/tags")
        models = answer.get("models") if isinstance(answer, dict) else None
        if not isinstance(models, list):
            raise self.nonsense("no list of models")
        for model in models:
            if isinstance(model, dict) and model.get("name") in (self.model, f"{self.model}:latest"):
                digest = model.get("digest")
                if not isinstance(digest, str) or len(digest.removeprefix("sha256:")) < 8:
                    raise self.nonsense("a model without a digest")
                return identify("ollama", self.model, f"sha256:{digest.removeprefix('sha256:')[:12]}", prefixes)
        raise EmbedderError(
            f"the Ollama server at {visible(self.server.place)} has no model `{visible(self.model)}`",
            help=f"ollama pull {visible(self.model)}",
        )

    def fetch_rows(self, texts: Sequence[str]) -> list[Any]:
        """The vectors in the order of the texts."""
        answer = self.server.post("/api/embed", {"model": self.model, "input": list(texts), "truncate": True})
        rows = answer.get("embeddings") if isinstance(answer, dict) else None
        if not isinstance(rows, list):
            raise self.nonsense("no list of vectors")
        return rows
