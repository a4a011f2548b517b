"""Models of other packages: a tiny one made here for model2vec, stand-ins for those that want torch or a network."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from recall_core.adapters.embedders.choose import choose_embedder
from recall_core.errors import EmbedderError, MissingExtraError, UsageError
from recall_core.ports.embedder import Embedder

COMMIT = "0123456789abcdef0123456789abcdef01234567"
TEXTS = ["limits of the gateway", "", "a\ud800b", "x" * 1_000_000, "\0"]


class Model:
    """Encodes a text by its length, and remembers it with its role."""

    def __init__(self, **made: Any) -> None:
        self.made = made
        self.seen: list[tuple[str, str]] = []
        self.answer: Callable[[list[str]], Any] = lambda texts: np.array([[len(text), 2.0] for text in texts])

    def encode(self, role: str, texts: list[str]) -> Any:
        self.seen += [(role, text) for text in texts]
        return self.answer(texts)


def _check(embedder: Embedder) -> None:
    for embed in (embedder.embed_documents, embedder.embed_queries):
        rows = embed(TEXTS)
        assert rows.shape == (len(TEXTS), embedder.dimension)
        assert rows.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(rows, axis=1), [1, 0, 1, 1, 0], atol=1e-5)
        assert embed([]).shape == (0, embedder.dimension)


@pytest.mark.parametrize(
    ("text", "package", "extra"),
    [
        ("fastembed:BAAI/bge-small-en-v1.5", "fastembed", "fastembed"),
        ("st:all-MiniLM-L6-v2", "sentence_transformers", "sentence-transformers"),
        ("model2vec:minishlab/potion-base-8M", "model2vec", "model2vec"),
    ],
)
def test_a_package_that_is_not_installed_is_one_line(
    monkeypatch: pytest.MonkeyPatch, text: str, package: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)  # type: ignore[arg-type]  # what makes an import fail
    with pytest.raises(MissingExtraError, match=f"`{text}` needs the package `{package}`") as caught:
        choose_embedder(text)
    assert caught.value.help == f"pip install 'recall-lint[search,{extra}]'"


# fastembed


@pytest.fixture
def fastembed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Model]:
    model = Model()

    class TextEmbedding:
        def __init__(self, model_name: str, cache_dir: str) -> None:
            model.made = {"model_name": model_name, "cache_dir": cache_dir}
            model.fetch(Path(cache_dir))  # type: ignore[attr-defined]

        @staticmethod
        def list_supported_models() -> list[dict[str, Any]]:
            return [{"model": "BAAI/bge-small-en-v1.5"}, {"model": "jinaai/jina-embeddings-v3"}]

        def passage_embed(self, texts: list[str], batch_size: int) -> Iterator[Any]:
            assert 4 <= batch_size <= 8  # more needs memory and gains no speed
            return iter(model.encode("document", texts))

        def query_embed(self, texts: list[str]) -> Iterator[Any]:
            return iter(model.encode("query", texts))

    def fetch(folder: Path) -> None:
        reference = folder / "models--qdrant--bge" / "refs" / "main"
        reference.parent.mkdir(parents=True, exist_ok=True)
        reference.write_text(COMMIT)

    model.fetch = fetch  # type: ignore[attr-defined]
    _stand_in(monkeypatch, "fastembed", TextEmbedding=TextEmbedding)
    return model


def _stand_in(monkeypatch: pytest.MonkeyPatch, name: str, **content: object) -> None:
    module = ModuleType(name)
    vars(module).update(content)
    monkeypatch.setitem(sys.modules, name, module)


def test_fastembed(fastembed: Model, tmp_path: Path) -> None:
    embedder = choose_embedder("fastembed:BAAI/bge-small-en-v1.5", models_folder=str(tmp_path))
    assert embedder.id == "fastembed:BAAI/bge-small-en-v1.5@0123456789ab+prefixes"
    assert embedder.dimension == 2
    assert Path(fastembed.made["cache_dir"]).parent.parent == tmp_path
    _check(embedder)
    embedder.embed_queries(["limits"])
    assert fastembed.seen[-1] == ("query", "Represent this sentence for searching relevant passages: limits")
    assert ("document", "limits of the gateway") in fastembed.seen


def test_weights_from_elsewhere_are_told_by_their_hash(fastembed: Model, tmp_path: Path) -> None:
    def ids(content: bytes) -> str:
        def fetch(folder: Path) -> None:
            (folder / "fast-bge").mkdir(exist_ok=True)
            (folder / "fast-bge" / "model.onnx").write_bytes(content)

        fastembed.fetch = fetch  # type: ignore[attr-defined]
        return choose_embedder("fastembed:jinaai/jina-embeddings-v3", models_folder=str(tmp_path)).id

    assert ids(b"weights").startswith("fastembed:jinaai/jina-embeddings-v3@sha256:")
    assert ids(b"weights") == ids(b"weights") != ids(b"others")


def test_a_name_that_fastembed_does_not_know_is_met_with_one_that_it_knows(fastembed: Model, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="knows no model") as caught:
        choose_embedder("fastembed:bge-small-en", models_folder=str(tmp_path))
    assert caught.value.help == "did you mean `fastembed:BAAI/bge-small-en-v1.5`?"
    with pytest.raises(UsageError, match="knows no model"):
        choose_embedder("fastembed:../../elsewhere", models_folder=str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_weights_that_cannot_be_fetched_are_an_outage(fastembed: Model, tmp_path: Path) -> None:
    def fetch(folder: Path) -> None:
        raise ValueError("could not download")

    fastembed.fetch = fetch  # type: ignore[attr-defined]
    with pytest.raises(EmbedderError, match="cannot be loaded: could not download") as caught:
        choose_embedder("fastembed:jinaai/jina-embeddings-v3", models_folder=str(tmp_path))
    assert "network" in caught.value.help


def test_weights_that_are_not_found_again_are_an_outage(fastembed: Model, tmp_path: Path) -> None:
    fastembed.fetch = lambda folder: None  # type: ignore[attr-defined]
    with pytest.raises(EmbedderError, match="not where they were to be kept"):
        choose_embedder("fastembed:jinaai/jina-embeddings-v3", models_folder=str(tmp_path))


@pytest.mark.parametrize(
    "answer",
    [lambda texts: [], lambda texts: [[1.0, 2.0, 3.0]] * len(texts), lambda texts: [[float("nan"), 1.0]] * len(texts)],
    ids=["none", "width", "nan"],
)
def test_nonsense_of_a_model_is_an_outage(fastembed: Model, tmp_path: Path, answer: Callable[..., Any]) -> None:
    embedder = choose_embedder("fastembed:jinaai/jina-embeddings-v3", models_folder=str(tmp_path))
    fastembed.answer = answer
    with pytest.raises(EmbedderError):
        embedder.embed_documents(["limits"])


def test_a_model_without_vectors_is_an_outage(fastembed: Model, tmp_path: Path) -> None:
    fastembed.answer = lambda texts: [[]]
    with pytest.raises(EmbedderError, match="makes no vectors"):
        choose_embedder("fastembed:jinaai/jina-embeddings-v3", models_folder=str(tmp_path))


def test_what_a_model_raises_is_an_outage(fastembed: Model, tmp_path: Path) -> None:
    def fail(texts: list[str]) -> Any:
        raise RuntimeError("out of memory")

    embedder = choose_embedder("fastembed:jinaai/jina-embeddings-v3", models_folder=str(tmp_path))
    fastembed.answer = fail
    with pytest.raises(EmbedderError, match="fails: out of memory"):
        embedder.embed_documents(["limits"])


# sentence-transformers


@pytest.fixture
def transformer(monkeypatch: pytest.MonkeyPatch) -> Model:
    model = Model()
    model.prompts = {"query": "", "document": ""}  # type: ignore[attr-defined]
    model.commit = COMMIT  # type: ignore[attr-defined]

    class SentenceTransformer:
        max_seq_length = 128

        def __init__(self, name: str, **options: object) -> None:
            model.made = {"name": name, **options}
            self.prompts = model.prompts  # type: ignore[attr-defined]

        def __getitem__(self, place: int) -> object:
            if model.commit is None:  # type: ignore[attr-defined]
                raise IndexError(place)
            config = SimpleNamespace(_commit_hash=model.commit)  # type: ignore[attr-defined]
            return SimpleNamespace(auto_model=SimpleNamespace(config=config))

        def encode_document(self, texts: list[str], **options: object) -> Any:
            assert options["show_progress_bar"] is False
            return model.encode("document", texts)

        def encode_query(self, texts: list[str], **options: object) -> Any:
            assert options["show_progress_bar"] is False
            return model.encode("query", texts)

    _stand_in(monkeypatch, "sentence_transformers", SentenceTransformer=SentenceTransformer)
    return model


def test_sentence_transformers(transformer: Model) -> None:
    embedder = choose_embedder("st:all-MiniLM-L6-v2")
    assert embedder.id == "st:all-MiniLM-L6-v2@0123456789ab"
    assert (embedder.dimension, embedder.max_tokens, embedder.is_fused) == (2, 128, True)
    assert transformer.made == {"name": "all-MiniLM-L6-v2", "revision": None, "trust_remote_code": False}
    _check(embedder)


def test_a_revision_may_be_asked_for(transformer: Model) -> None:
    transformer.commit = None  # type: ignore[attr-defined]
    assert choose_embedder("st:all-MiniLM-L6-v2@v2.0").id == "st:all-MiniLM-L6-v2@v2.0"
    assert transformer.made["revision"] == "v2.0"
    with pytest.raises(EmbedderError, match="which revision") as caught:
        choose_embedder("st:all-MiniLM-L6-v2")
    assert caught.value.help == "write `st:all-MiniLM-L6-v2@` and the commit on its hub"


def test_a_model_in_a_folder_is_told_by_its_weights(transformer: Model, tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    first = choose_embedder(f"st:{tmp_path}").id
    (tmp_path / "model.safetensors").write_bytes(b"others")
    assert choose_embedder(f"st:{tmp_path}").id != first


def test_prompts_of_the_model_come_before_ours(transformer: Model) -> None:
    ours = choose_embedder("st:intfloat/e5-small-v2")
    ours.embed_queries(["limits"])
    assert transformer.seen[-1] == ("query", "query: limits")
    transformer.prompts = {"query": "query: ", "document": "passage: "}  # type: ignore[attr-defined]
    theirs = choose_embedder("st:intfloat/e5-small-v2")
    theirs.embed_queries(["limits"])
    assert transformer.seen[-1] == ("query", "limits")
    assert ours.id == theirs.id + "+prefixes"


# model2vec


@pytest.fixture(scope="module")
def static_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _make_static(tmp_path_factory.mktemp("static"), seed=1)


def _make_static(folder: Path, seed: int) -> Path:
    from model2vec import StaticModel
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = {word: number for number, word in enumerate(["[PAD]", "[UNK]", "limits", "gateway", "backup", "x"])}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    vectors = np.random.default_rng(seed).normal(size=(len(words), 4)).astype(np.float32)
    StaticModel(vectors, tokenizer).save_pretrained(str(folder))
    return folder


def test_model2vec(static_folder: Path) -> None:
    embedder = choose_embedder(f"model2vec:{static_folder}")
    assert embedder.id.startswith(f"model2vec:{static_folder}@sha256:")
    assert (embedder.dimension, embedder.is_fused) == (4, False)
    rows = embedder.embed_documents(["limits gateway", "gateway limits", "backup", "", "\ud800", "limits " * 100_000])
    assert rows.dtype == np.float32
    np.testing.assert_allclose(rows[0], rows[1], atol=1e-6)
    assert rows[0] @ rows[2] < 0.99
    assert not rows[3].any()
    assert np.linalg.norm(rows[5]) == pytest.approx(1, abs=1e-5)
    assert embedder.embed_queries([]).shape == (0, 4)


def test_other_vectors_have_another_id(static_folder: Path, tmp_path: Path) -> None:
    def revision(folder: Path) -> str:
        return choose_embedder(f"model2vec:{folder}").id.rpartition("@")[2]

    assert revision(_make_static(tmp_path / "same", seed=1)) == revision(static_folder)
    assert revision(_make_static(tmp_path / "other", seed=2)) != revision(static_folder)


def test_a_static_model_that_is_not_there_is_an_outage(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(EmbedderError, match="cannot be loaded"):
        choose_embedder(f"model2vec:{tmp_path / 'empty'}")
