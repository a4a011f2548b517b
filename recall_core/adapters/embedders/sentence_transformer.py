"""Models by the package `sentence-transformers`, on torch."""

import os
from functools import partial
from typing import Any

from recall_core.adapters.embedders.extras import import_extra
from recall_core.adapters.embedders.loaded import FETCHING, LoadedEmbedder, digest_files, failing, find_weights
from recall_core.adapters.embedders.prefixes import Prefixes, identify, prefixes_of
from recall_core.errors import EmbedderError
from recall_core.model.escape import visible

_BATCH = 8


def open_sentence_transformer(text: str) -> LoadedEmbedder:
    """The model of `NAME` or `NAME@REVISION` on the hub, or in a folder. Code that comes with a model is not run.

    Prefixes are those that the model itself brings, else those of our table. Its id holds the commit that was fetched,
    or a hash of the weights in the folder. Raises MissingExtraError without the package, EmbedderError where the model
    cannot be loaded or nothing tells its revision.
    """
    package = import_extra("sentence_transformers", f"the embedder `st:{visible(text)}`", "sentence-transformers")
    name, _, asked = text.partition("@")
    with failing(f"the model `{visible(text)}` cannot be loaded", FETCHING):
        model: Any = package.SentenceTransformer(name, revision=asked or None, trust_remote_code=False)
        revision = _revision(model, name) or asked
        brings_prompts = any((getattr(model, "prompts", None) or {}).values())
        max_tokens = int(getattr(model, "max_seq_length", None) or 512)
    if not revision:
        raise EmbedderError(
            f"nothing tells which revision of `{visible(name)}` this is",
            help=f"write `st:{visible(name)}@` and the commit on its hub",
        )
    prefixes = Prefixes() if brings_prompts else prefixes_of(name)
    options = {
        "batch_size": _BATCH, "show_progress_bar": False, "convert_to_numpy": True, "normalize_embeddings": True,
    }  # fmt: skip
    return LoadedEmbedder(
        identify("st", name, revision, prefixes),
        encode_documents=partial(model.encode_document, **options),
        encode_queries=partial(model.encode_query, **options),
        prefixes=prefixes,
        max_tokens=max_tokens,
    )


def _revision(model: Any, name: str) -> str | None:
    """A hash of the weights in a folder; of a model on the hub the commit that was fetched; None where nobody knows."""
    if os.path.isdir(name):
        weights = find_weights(name)
        return digest_files(weights) if weights else None
    try:
        commit = model[0].auto_model.config._commit_hash
    except (AttributeError, IndexError, KeyError, TypeError):
        return None
    return commit[:12] if isinstance(commit, str) else None
