"""Models by the package `fastembed`: ONNX weights, no torch."""

import os
from typing import Any

from recall_core.adapters.embedders.extras import import_extra
from recall_core.adapters.embedders.loaded import FETCHING, LoadedEmbedder, digest_files, failing, find_weights
from recall_core.adapters.embedders.prefixes import identify, prefixes_of
from recall_core.errors import EmbedderError, UsageError
from recall_core.model.escape import visible

_BATCH = 8


def open_fastembed(name: str, folder: str) -> LoadedEmbedder:
    """The model of a name that the package knows; its weights are kept in a folder of its own under `folder`.

    Its id holds the revision that was fetched from the hub, or a hash of the weights where they came from elsewhere.
    Raises MissingExtraError without the package, UsageError for a name that it does not know, EmbedderError where the
    model cannot be loaded.
    """
    package = import_extra("fastembed", f"the embedder `fastembed:{visible(name)}`", "fastembed")
    _demand_known(name, [each["model"] for each in package.TextEmbedding.list_supported_models()])
    place = os.path.join(folder, "fastembed", name.lower().replace("/", "--"))
    with failing(f"the model `{visible(name)}` cannot be loaded", FETCHING):
        os.makedirs(place, mode=0o700, exist_ok=True)
        model: Any = package.TextEmbedding(model_name=name, cache_dir=place)
        revision = _revision(place)
    if revision is None:
        raise EmbedderError(f"the weights of `{visible(name)}` are not where they were to be kept, in {visible(place)}")
    prefixes = prefixes_of(name)
    return LoadedEmbedder(
        identify("fastembed", name, revision, prefixes),
        encode_documents=lambda texts: list(model.passage_embed(texts, batch_size=_BATCH)),
        encode_queries=lambda texts: list(model.query_embed(texts)),
        prefixes=prefixes,
        max_tokens=512,
    )


def _demand_known(name: str, known: list[str]) -> None:
    if name.lower() in (each.lower() for each in known):
        return
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=1, cutoff=0.5)
    raise UsageError(
        f"fastembed knows no model `{visible(name)}`",
        help=f"did you mean `fastembed:{close[0]}`?" if close else "try `fastembed:BAAI/bge-small-en-v1.5`",
    )


def _revision(place: str) -> str | None:
    """The commit that the hub's folder refers to, else a hash of the weights; None where there are none."""
    for each in sorted(os.listdir(place)):
        reference = os.path.join(place, each, "refs", "main")
        if os.path.isfile(reference):
            with open(reference, encoding="ascii") as file:
                return file.read().strip()[:12]
    weights = find_weights(place)
    return digest_files(weights) if weights else None
