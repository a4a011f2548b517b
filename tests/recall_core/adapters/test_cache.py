import json
import multiprocessing
import os
from pathlib import Path

import pytest

from recall_core.adapters.cache import DataCache, digest, user_cache_folder


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    cache = DataCache(str(tmp_path / "new" / "folder"), "1")
    cache.save("things", {"a": [1, None, "é\udcff"]})
    assert cache.load("things") == {"a": [1, None, "é\udcff"]}


def test_another_version_is_no_cache(tmp_path: Path) -> None:
    DataCache(str(tmp_path), "1").save("things", [1])
    assert DataCache(str(tmp_path), "2").load("things") is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data.replace(b"1", b"2"),
        lambda data: b"\x80\x04K\x01.",
        lambda data: b'{"a": 1}',
        lambda data: b"\n".join((data.splitlines()[0], b"[" * 100_000)),
    ],
    ids=["empty", "cut", "changed", "pickle", "foreign", "deep"],
)
def test_a_damaged_or_foreign_file_is_no_cache(tmp_path: Path, damage: object) -> None:
    cache = DataCache(str(tmp_path), "1")
    cache.save("things", [1])
    file = tmp_path / "things.json"
    file.write_bytes(damage(file.read_bytes()))  # type: ignore[operator]  # a lambda of the table
    assert cache.load("things") is None
    cache.save("things", [3])
    assert cache.load("things") == [3]


def test_a_folder_that_cannot_be_made_keeps_nothing_and_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = DataCache(str(tmp_path / "file" / "below"), "1")
    cache.save("things", [1])
    assert cache.load("things") is None


def test_no_temporary_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(source: str, target: str) -> None:
        raise PermissionError(source, target)

    monkeypatch.setattr(os, "replace", refuse)
    DataCache(str(tmp_path), "1").save("things", [1])
    assert list(tmp_path.iterdir()) == []


def _save_often(folder: str, number: int) -> None:
    cache = DataCache(folder, "1")
    for _ in range(50):
        cache.save("things", [number] * 1000)


def test_two_writers_at_once_leave_a_whole_value(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_save_often, args=(str(tmp_path), number)) for number in (1, 2)]
    for writer in writers:
        writer.start()
    cache = DataCache(str(tmp_path), "1")
    seen = set()
    while any(writer.is_alive() for writer in writers):
        if (value := cache.load("things")) is not None:
            assert len(set(value)) == 1
            seen.add(value[0])
    for writer in writers:
        writer.join()
        assert writer.exitcode == 0
    assert cache.load("things") in ([1] * 1000, [2] * 1000)
    assert [path.name for path in tmp_path.iterdir()] == ["things.json"]


def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    DataCache(str(tmp_path / "own"), "1").save("things", [1])
    assert (tmp_path / "own" / "things.json").stat().st_mode & 0o077 == 0


def test_parts_are_told_apart() -> None:
    assert digest(b"ab", b"c") != digest(b"a", b"bc") != digest(b"abc")


@pytest.mark.parametrize(
    ("platform", "variables", "tail"),
    [
        ("linux", {"XDG_CACHE_HOME": "/x"}, "/x/recall"),
        ("linux", {}, "/.cache/recall"),
        ("darwin", {}, "/Library/Caches/recall"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/recall/cache"),
        ("linux", {"RECALL_CACHE_DIR": "/mine", "XDG_CACHE_HOME": "/x"}, "/mine"),
    ],
)
def test_the_users_folder_is_the_platforms_own(platform: str, variables: dict[str, str], tail: str) -> None:
    assert user_cache_folder(variables, platform).endswith(tail)


def test_a_cache_is_json_behind_its_checksum(tmp_path: Path) -> None:
    DataCache(str(tmp_path), "1").save("things", {"a": 1})
    header, body = (tmp_path / "things.json").read_bytes().split(b"\n")
    assert header.startswith(b"recall-cache 1 ")
    assert json.loads(body) == {"a": 1}


def test_a_pipe_in_place_of_a_cache_file_does_not_keep_a_run_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "things.json")
    cache = DataCache(str(tmp_path), "1")
    assert cache.load("things") is None
    cache.save("things", [1])
    assert cache.load("things") == [1]
