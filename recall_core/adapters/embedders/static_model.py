"""Static models by the package `model2vec`: a vector for each token, averaged."""

import numpy as np

from recall_core.adapters.embedders.extras import import_extra
from recall_core.adapters.embedders.loaded import FETCHING, LoadedEmbedder, digest_parts, failing
from recall_core.adapters.embedders.prefixes import Prefixes, identify
from recall_core.model.escape import visible


def open_static_model(name: str) -> LoadedEmbedder:
    """The model of a name on the hub, or in a folder. Its id holds a hash of its vectors and its tokenizer.

    It is not fused: on the sets that we measured, static vectors fused with BM25 lose to BM25 alone.
    Raises MissingExtraError without the package, EmbedderError where the model cannot be loaded.
    """
    package = import_extra("model2vec", f"the embedder `model2vec:{visible(name)}`", "model2vec")
    with failing(f"the model `{visible(name)}` cannot be loaded", FETCHING):
        model = package.StaticModel.from_pretrained(name, force_download=False)
        tables = (model.embedding, getattr(model, "weights", None), getattr(model, "token_mapping", None))
        digest = digest_parts(
            [
                model.tokenizer.to_str().encode(),
                *(b"" if table is None else np.ascontiguousarray(table).data.cast("B") for table in tables),
            ]
        )

    def encode(texts: list[str]) -> object:
        return model.encode(texts, use_multiprocessing=False)

    return LoadedEmbedder(
        identify("model2vec", name, digest, Prefixes()),
        encode_documents=encode,
        encode_queries=encode,
        prefixes=Prefixes(),
        max_tokens=512,
        is_fused=False,
        is_cheap=True,
    )
