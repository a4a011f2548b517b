"""A cross-encoder in a folder: `model.onnx`, `tokenizer.json`, and `config.json` where it has several labels."""

import json
import os
import threading
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from recall_core.adapters.embedders.extras import import_extra
from recall_core.adapters.embedders.loaded import digest_files
from recall_core.adapters.entailers.failing import failing
from recall_core.adapters.entailers.logits import decide, find_positive, make_pairs
from recall_core.errors import UsageError
from recall_core.model.escape import visible
from recall_core.trust.entail import Decision

_MODELS: Final = ("model.onnx", os.path.join("onnx", "model.onnx"))
_MOST_TOKENS: Final = 512
_MOST_CHARACTERS: Final = 20_000
_BATCH: Final = 8


class OnnxEntailer:
    """A loaded model. `id` holds a hash of its files: the folder is its own revision."""

    def __init__(self, id_: str, session: Any, tokenizer: Any, positive: int | None) -> None:
        self.id = id_
        self._session = session
        self._tokenizer = tokenizer
        self._positive = positive
        self._lock = threading.Lock()

    def entail(self, query: str, texts: Sequence[str]) -> list[Decision]:
        """One decision for each text. Raises EntailerError where the model fails or puts out nonsense."""
        pairs = make_pairs(query, texts, _MOST_CHARACTERS)
        decisions: list[Decision] = []
        for start in range(0, len(pairs), _BATCH):
            some = pairs[start : start + _BATCH]
            with failing(f"the model `{visible(self.id)}` fails"), self._lock:
                logits = self._run(some)
            decisions += decide(
                logits, pairs=len(some), positive=self._positive, source=f"the model `{visible(self.id)}`"
            )
        return decisions

    def _run(self, pairs: list[tuple[str, str]]) -> Any:
        encodings = self._tokenizer.encode_batch(pairs)
        longest = max(len(encoding.ids) for encoding in encodings)
        columns = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
        inputs = {}
        for wanted in (each.name for each in self._session.get_inputs()):
            table = np.zeros((len(pairs), longest), np.int64)
            for row, encoding in zip(table, encodings, strict=True):
                numbers = getattr(encoding, columns[wanted])
                row[: len(numbers)] = numbers
            inputs[wanted] = table
        return self._session.run(None, inputs)[0]


def open_onnx_entailer(folder: str) -> OnnxEntailer:
    """The model in a folder.

    Raises UsageError where there is none, MissingExtraError without the runtime, EntailerError where it does not load.
    """
    model = next((path for name in _MODELS if os.path.isfile(path := os.path.join(folder, name))), None)
    tokens = os.path.join(folder, "tokenizer.json")
    if model is None or not os.path.isfile(tokens):
        raise UsageError(
            f"`{visible(folder)}` holds no model", help="name a folder with `model.onnx` and `tokenizer.json` in it"
        )
    wanted = f"the entailer `onnx:{visible(folder)}`"
    runtime = import_extra("onnxruntime", wanted, "search")
    tokenizers = import_extra("tokenizers", wanted, "search")
    with failing(f"the model in `{visible(folder)}` cannot be loaded"):
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # sums come in one order
        options.log_severity_level = 3
        session = runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        tokenizer = tokenizers.Tokenizer.from_file(tokens)
        tokenizer.no_padding()
        tokenizer.enable_truncation(_MOST_TOKENS, strategy="only_second")
        return OnnxEntailer(f"onnx:{folder}@{digest_files([model, tokens])}", session, tokenizer, _read_label(folder))


def _read_label(folder: str) -> int | None:
    try:
        with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
            labels = json.load(file).get("id2label")
    except (OSError, ValueError, AttributeError):
        return None
    return find_positive(labels) if isinstance(labels, dict) else None
