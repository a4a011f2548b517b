"""Cross-encoders by the package `sentence-transformers`, on torch."""

import os
from collections.abc import Sequence
from typing import Any, Final

from recall_core.adapters.embedders.extras import import_extra
from recall_core.adapters.embedders.loaded import FETCHING, digest_files, find_weights
from recall_core.adapters.entailers.failing import failing
from recall_core.adapters.entailers.logits import decide, find_positive, make_pairs
from recall_core.errors import UsageError
from recall_core.model.escape import visible
from recall_core.trust.entail import Decision

_MOST_CHARACTERS: Final = 20_000
_BATCH: Final = 8


class CrossEncoderEntailer:
    """A loaded model. `id` holds its commit, or a hash of the files in its folder."""

    def __init__(self, id_: str, model: Any, identity: Any) -> None:
        self.id = id_
        self._model = model
        self._identity = identity
        config = getattr(getattr(model, "model", None), "config", None)
        self._positive = find_positive(getattr(config, "id2label", None) or {})

    def entail(self, query: str, texts: Sequence[str]) -> list[Decision]:
        """One decision for each text. Raises EntailerError where the model fails or puts out nonsense."""
        pairs = make_pairs(query, texts, _MOST_CHARACTERS)
        if not pairs:
            return []
        with failing(f"the model `{visible(self.id)}` fails"):
            # Without the activation that the model itself brings: some bring one, some none, and both would be scores.
            logits = self._model.predict(
                pairs, batch_size=_BATCH, show_progress_bar=False, activation_fn=self._identity, convert_to_numpy=True
            )
        source = f"the model `{visible(self.id)}`"
        return decide(logits, pairs=len(pairs), positive=self._positive, source=source)


def open_cross_encoder(text: str) -> CrossEncoderEntailer:
    """The model of `NAME@COMMIT` on the hub, or in a folder. Code that comes with a model is not run.

    Raises UsageError where neither a commit nor a folder pins it, MissingExtraError without the package, EntailerError
    where the model cannot be loaded.
    """
    name, _, commit = text.partition("@")
    is_folder = os.path.isdir(text)
    if not is_folder and not commit:
        raise UsageError(
            f"which revision of `{visible(name)}` decides is not said",
            help=f"write `st:{visible(name)}@` and the commit on its hub",
        )
    wanted = f"the entailer `st:{visible(text)}`"
    package = import_extra("sentence_transformers", wanted, "sentence-transformers")
    torch = import_extra("torch", wanted, "sentence-transformers")
    with failing(f"the model `{visible(text)}` cannot be loaded", FETCHING):
        if is_folder:
            model = package.CrossEncoder(text, trust_remote_code=False, local_files_only=True)
            return CrossEncoderEntailer(f"st:{text}@{digest_files(find_weights(text))}", model, torch.nn.Identity())
        model = package.CrossEncoder(name, revision=commit, trust_remote_code=False)
        return CrossEncoderEntailer(f"st:{name}@{commit}", model, torch.nn.Identity())
