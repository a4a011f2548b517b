"""Vectors are kept between runs and go when their text is forgotten (issue 4, items 4 and 7)."""

import hashlib
import multiprocessing
import os
import sqlite3
import stat
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from recall_core.adapters import vector_cache
from recall_core.adapters.embedders.hashing import HashingEmbedder
from recall_core.adapters.embedders.nothing import NoEmbedder
from recall_core.adapters.vector_cache import FILE, CachedEmbedder, VectorCache, digest_passage, purge
from recall_core.errors import EmbedderError, WriteError

TEXTS = ["the gateway limits clients", "backups run at two", "the gateway limits clients", ""]


class Counting:
    """A model that remembers what it was asked, and whose rows tell who made them."""

    max_tokens = 256
    is_fused = True

    def __init__(self, name: str = "model@1", dimension: int = 8, shift: int = 0) -> None:
        self.id = name
        self.dimension = dimension
        self.asked: list[str] = []
        self._hashing = HashingEmbedder(dimension)
        self._shift = shift

    def embed_documents(self, texts: Sequence[str]) -> np.ndarray:
        self.asked += texts
        return np.roll(self._hashing.embed_documents(texts), self._shift, axis=1)

    def embed_queries(self, texts: Sequence[str]) -> np.ndarray:
        self.asked += texts
        return -self._hashing.embed_documents(texts)


def _cached(model: Counting, folder: Path, **more: Callable[..., None]) -> CachedEmbedder:
    def said(message: str) -> None:
        raise AssertionError(message)

    return CachedEmbedder(model, str(folder), **{"said": said, **more})


def test_what_was_embedded_is_not_embedded_again(tmp_path: Path) -> None:
    first, second = Counting(), Counting()
    rows = _cached(first, tmp_path / "new").embed_documents(TEXTS)
    assert first.asked == [TEXTS[0], TEXTS[1], ""]
    np.testing.assert_allclose(rows, first.embed_documents(TEXTS), atol=1e-6)
    again = _cached(second, tmp_path / "new").embed_documents([*TEXTS, "a new one"])
    assert second.asked == ["a new one"]
    np.testing.assert_array_equal(again[: len(TEXTS)], rows)
    assert again.dtype == np.float32


def test_models_of_different_ids_never_share_a_row(tmp_path: Path) -> None:
    _cached(Counting("model@1"), tmp_path).embed_documents(TEXTS)
    for other in (Counting("model@2", shift=1), Counting("model@1\x00", shift=2), Counting("model@1", dimension=16)):
        rows = _cached(other, tmp_path).embed_documents(TEXTS)
        np.testing.assert_allclose(rows, other.embed_documents(TEXTS), atol=1e-6)


def test_queries_are_not_kept(tmp_path: Path) -> None:
    model = Counting()
    cached = _cached(model, tmp_path)
    cached.embed_documents(["limits"])
    assert cached.embed_queries(["limits"]).tolist() == (-cached.embed_documents(["limits"])).tolist()
    cached.embed_queries(["limits"])
    assert model.asked == ["limits"] * 3


def test_it_says_what_the_embedder_says(tmp_path: Path) -> None:
    cached = _cached(Counting("model@7", 24), tmp_path)
    assert (cached.id, cached.dimension, cached.max_tokens, cached.is_fused) == ("model@7", 24, 256, True)


def test_no_texts_are_no_rows(tmp_path: Path) -> None:
    assert _cached(Counting(), tmp_path).embed_documents([]).shape == (0, 8)


@pytest.mark.parametrize("text", ["", "\0", "\ud800", "x" * 1_000_000, "\U0001f680"])
def test_any_text_has_a_place(tmp_path: Path, text: str) -> None:
    rows = _cached(Counting(), tmp_path).embed_documents([text])
    model = Counting()
    np.testing.assert_array_equal(_cached(model, tmp_path).embed_documents([text]), rows)
    assert model.asked == []


def test_progress_counts_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_cache, "_BATCH", 2)
    seen: list[tuple[int, int]] = []
    _cached(Counting(), tmp_path).embed_documents(["a"])
    cached = _cached(Counting(), tmp_path, progress=lambda done, total: seen.append((done, total)))
    cached.embed_documents(["a", "b", "c", "d", "b"])
    assert seen == [(2, 5), (4, 5), (5, 5)]


def test_a_run_that_was_cut_off_keeps_what_it_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_cache, "_BATCH", 2)

    class Failing(Counting):
        def embed_documents(self, texts: Sequence[str]) -> np.ndarray:
            if "d" in texts:
                raise EmbedderError("gone")
            return super().embed_documents(texts)

    with pytest.raises(EmbedderError):
        _cached(Failing(), tmp_path).embed_documents(["a", "b", "c", "d"])
    model = Counting()
    _cached(model, tmp_path).embed_documents(["a", "b", "c", "d"])
    assert model.asked == ["c", "d"]


@pytest.mark.parametrize("wrong", [np.zeros((1, 9)), np.zeros((2, 8)), np.full((1, 8), np.nan)], ids=["9", "2", "nan"])
def test_what_is_no_vector_is_not_kept(tmp_path: Path, wrong: np.ndarray) -> None:
    class Wrong(Counting):
        def embed_documents(self, texts: Sequence[str]) -> np.ndarray:
            return wrong[: len(texts) + 1]

    with pytest.raises(EmbedderError, match="`model@1` answered"):
        _cached(Wrong(), tmp_path).embed_documents(["a"])
    model = Counting()
    _cached(model, tmp_path).embed_documents(["a"])
    assert model.asked == ["a"]


@pytest.mark.parametrize("model", [NoEmbedder(), HashingEmbedder(8)], ids=["none", "hash"])
def test_what_is_faster_than_a_disk_is_not_kept(tmp_path: Path, model: HashingEmbedder) -> None:
    seen: list[tuple[int, int]] = []
    cached = CachedEmbedder(model, str(tmp_path), progress=lambda done, total: seen.append((done, total)))
    np.testing.assert_array_equal(cached.embed_documents(TEXTS), model.embed_documents(TEXTS))
    assert seen == [(4, 4)]
    assert list(tmp_path.iterdir()) == []


def _damage_rows(file: Path) -> None:
    with sqlite3.connect(file) as db:
        db.execute("DROP TABLE vectors")
    db.close()


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:5000])


def _scribble(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    file.write_bytes(content)


@pytest.mark.parametrize(
    "damage",
    [
        _damage_rows,
        _cut,
        _scribble,
        lambda file: file.write_bytes(b"no database " * 1000),
        lambda file: file.write_bytes(b"\x80\x04K\x01."),
    ],
    ids=["tables", "cut", "scribbled", "foreign", "short"],
)
def test_a_damaged_cache_is_dropped_and_said(tmp_path: Path, damage: Callable[[Path], object]) -> None:
    _cached(Counting(), tmp_path).embed_documents([f"text {number}" for number in range(200)])
    damage(tmp_path / FILE)
    said: list[str] = []
    model = Counting()
    rows = _cached(model, tmp_path, said=said.append).embed_documents(TEXTS)
    np.testing.assert_allclose(rows, model.embed_documents(TEXTS), atol=1e-6)
    assert len(said) == 1
    assert "damaged" in said[0]
    model = Counting()
    _cached(model, tmp_path).embed_documents(TEXTS)
    assert model.asked == []


def test_a_row_that_was_changed_is_not_believed(tmp_path: Path) -> None:
    _cached(Counting(), tmp_path).embed_documents(["a", "b"])
    db = sqlite3.connect(tmp_path / FILE)
    with db:
        db.execute("UPDATE vectors SET vector = zeroblob(32) WHERE passage = ?", (digest_passage("a"),))
    db.close()
    model = Counting()
    rows = _cached(model, tmp_path).embed_documents(["a", "b"])
    assert model.asked == ["a"]
    assert rows.any(axis=1).all()


def test_a_row_of_another_model_is_not_believed(tmp_path: Path) -> None:
    _cached(Counting(), tmp_path).embed_documents(["a"])
    db = sqlite3.connect(tmp_path / FILE)
    with db:
        db.execute("UPDATE vectors SET model = 'model@2'")
    db.close()
    model = Counting("model@2")
    _cached(model, tmp_path).embed_documents(["a"])
    assert model.asked == ["a"]


def test_the_tables_of_another_version_are_made_anew(tmp_path: Path) -> None:
    _cached(Counting(), tmp_path).embed_documents(["a"])
    db = sqlite3.connect(tmp_path / FILE)
    db.executescript("DROP TABLE vectors; CREATE TABLE vectors (a); PRAGMA user_version = 99")
    db.close()
    model = Counting()
    _cached(model, tmp_path).embed_documents(["a"])
    _cached(model, tmp_path).embed_documents(["a"])
    assert model.asked == ["a"]


def test_a_folder_that_cannot_be_made_is_said_and_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said: list[str] = []
    cached = _cached(Counting(), tmp_path / "file" / "below", said=said.append)
    assert cached.embed_documents(TEXTS).shape == (4, 8)
    assert len(said) == 1
    assert "not used" in said[0]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_in_its_place_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / FILE)
    said: list[str] = []
    assert _cached(Counting(), tmp_path, said=said.append).embed_documents(TEXTS).shape == (4, 8)
    assert "no regular file" in said[0]
    with pytest.raises(WriteError, match="no regular file"):
        purge(str(tmp_path), [])


def test_a_writer_that_does_not_make_way_is_not_waited_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _cached(Counting(), tmp_path).embed_documents(["a"])
    monkeypatch.setattr(vector_cache, "_PATIENCE", 0.01)
    monkeypatch.setattr(vector_cache, "_PURGE_PATIENCE", 0.01)
    said: list[str] = []
    holder = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    try:
        assert _cached(Counting(), tmp_path, said=said.append).embed_documents(["a"]).any()
        with pytest.raises(WriteError, match="still in the cache") as caught:
            purge(str(tmp_path), [digest_passage("a").hex()])
        assert FILE in caught.value.help
    finally:
        holder.close()
    assert said == ["the cache of vectors is not used: database is locked"]
    model = Counting()
    _cached(model, tmp_path).embed_documents(["a"])
    assert model.asked == []


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_only_its_owner_reads_it(tmp_path: Path) -> None:
    _cached(Counting(), tmp_path / "cache").embed_documents(["a"])
    assert stat.S_IMODE((tmp_path / "cache").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "cache" / FILE).stat().st_mode) == 0o600


def test_what_is_purged_is_gone_for_every_model_and_overwritten(tmp_path: Path) -> None:
    rows = _cached(Counting(), tmp_path).embed_documents(["secret plans", "public"])
    _cached(Counting("model@2", shift=1), tmp_path).embed_documents(["secret plans"])
    assert rows[0].tobytes() in (tmp_path / FILE).read_bytes()
    purge(str(tmp_path), [hashlib.sha256(b"secret plans").hexdigest()])
    content = (tmp_path / FILE).read_bytes()
    assert rows[0].tobytes() not in content
    assert np.roll(rows[0], 1).tobytes() not in content
    assert hashlib.sha256(b"secret plans").digest() not in content
    for model, asked in ((Counting(), ["secret plans"]), (Counting("model@2"), ["secret plans", "public"])):
        _cached(model, tmp_path).embed_documents(["secret plans", "public"])
        assert model.asked == asked
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_purging_much_or_nothing(tmp_path: Path) -> None:
    purge(str(tmp_path / "nowhere"), ["00" * 32])
    assert list(tmp_path.iterdir()) == []
    texts = [f"text {number}" for number in range(1200)]
    _cached(Counting(), tmp_path).embed_documents(texts)
    purge(str(tmp_path), [])
    purge(str(tmp_path), [digest_passage(text).hex() for text in texts[1:]])
    model = Counting()
    _cached(model, tmp_path).embed_documents(texts[:2])
    assert model.asked == [texts[1]]


def test_purging_removes_a_damaged_cache(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"vectors of somebody " * 500)
    purge(str(tmp_path), ["00" * 32])
    assert not (tmp_path / FILE).exists()


def test_what_was_used_least_recently_goes_first(tmp_path: Path) -> None:
    row = {"a": 0.1}

    def save(cache: VectorCache, start: int) -> None:
        row["a"] += 0.1
        cache.save("m", {digest_passage(f"{start}-{number}"): np.full(1000, row["a"], "f4") for number in range(50)})

    def kept(start: int) -> int:
        some = [digest_passage(f"{start}-{number}") for number in range(50)]
        db = sqlite3.connect(tmp_path / FILE)
        marks = ", ".join("?" * 50)
        count: int = db.execute(f"SELECT count(*) FROM vectors WHERE passage IN ({marks})", some).fetchone()[0]
        db.close()
        return count

    def cache() -> VectorCache:
        return VectorCache(str(tmp_path), most_bytes=800_000)

    save(cache(), 1)
    save(cache(), 2)
    save(cache(), 3)
    cache().load("m", [digest_passage(f"1-{number}") for number in range(50)], 1000)
    assert kept(1) == kept(2) == kept(3) == 50
    save(cache(), 4)
    assert kept(2) < 50
    assert kept(1) == kept(4) == 50
    for start in range(5, 12):
        save(cache(), start)
    assert kept(11) == 50
    assert kept(1) == 0
    assert (tmp_path / FILE).stat().st_size < 2_000_000


def _fill(folder: str, number: int) -> None:
    texts = [f"text {each}" for each in range(number * 20, number * 20 + 200)]
    for start in range(0, len(texts), 10):
        _cached(Counting(), Path(folder)).embed_documents(texts[start : start + 10])


def test_processes_share_it(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_fill, args=(str(tmp_path), number)) for number in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 4
    model = Counting()
    _cached(model, tmp_path).embed_documents([f"text {each}" for each in range(260)])
    assert model.asked == []


def test_threads_share_it(tmp_path: Path) -> None:
    cached = _cached(Counting(), tmp_path)
    with ThreadPoolExecutor(6) as pool:
        works = [
            pool.submit(cached.embed_documents, [f"text {each}" for each in range(start, start + 100)])
            for start in range(0, 60, 10)
        ]
    assert [work.result().shape for work in works] == [(100, 8)] * 6
    model = Counting()
    _cached(model, tmp_path).embed_documents([f"text {each}" for each in range(150)])
    assert model.asked == []
