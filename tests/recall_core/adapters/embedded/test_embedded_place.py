"""Where an embedded server lies, and what it is started with, on every platform."""

import os
import stat
from pathlib import Path

import pytest

from recall_core.adapters.embedded import place as places
from recall_core.adapters.embedded import programs
from recall_core.adapters.embedded.place import Account, Place, is_reachable, make_folders
from recall_core.adapters.embedded.run import server_arguments
from recall_core.errors import MissingExtraError, StoreError


def test_windows_gets_the_loop_back_address_and_no_socket() -> None:
    arguments = server_arguments(Place("C:/data", "C:/data/postgres", None), "nt")
    assert "listen_addresses=127.0.0.1" in arguments
    assert "unix_socket_directories=" in arguments


def test_a_quote_in_the_folder_stays_inside_the_setting(tmp_path: Path) -> None:
    place = Place(str(tmp_path), str(tmp_path / 'a"b'), None)
    assert any('a""b' in each for each in server_arguments(place, "posix"))


def test_a_long_path_and_a_comma_move_the_socket_to_a_short_folder(tmp_path: Path) -> None:
    for name in ("x" * 120, "a,b"):
        place = Place(str(tmp_path), str(tmp_path / name), None)
        assert place.socket_folder != place.cluster
        assert len(os.fsencode(place.socket_folder)) < 80
    short = Place("/d", "/d/postgres", None)
    assert short.socket_folder == short.cluster


def test_a_short_folder_that_belongs_to_somebody_else_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places.tempfile, "gettempdir", lambda: str(tmp_path))
    place = Place(str(tmp_path), str(tmp_path / ("x" * 120)), None)
    Path(place.socket_folder).mkdir(mode=0o777)
    Path(place.socket_folder).chmod(0o777)
    with pytest.raises(StoreError, match="is not ours"):
        make_folders(place)


def test_a_folder_is_reachable_only_if_every_folder_above_it_is(tmp_path: Path) -> None:
    other = Account(54321, 54321)
    inner = tmp_path / "open" / "inner"
    inner.mkdir(parents=True)
    for each in (inner, *inner.parents):
        if each != Path("/") and str(each).startswith(str(tmp_path)):
            each.chmod(0o755)
    above = [each for each in tmp_path.parents if not each.stat().st_mode & stat.S_IXOTH]
    assert is_reachable(str(inner / "not there yet"), other) == (not above)
    (tmp_path / "open").chmod(0o700)
    assert not is_reachable(str(inner), other)


def test_without_the_extra_the_error_is_one_line_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError) as caught:
        programs.find_programs()
    assert caught.value.help == "pip install 'recall-lint[search]'"


def test_a_copy_of_the_programs_is_made_once_and_is_readable_for_all(tmp_path: Path) -> None:
    found = programs.find_programs()
    copy = programs.copy_programs(found, str(tmp_path))
    assert copy.major_version() == found.major_version()
    assert os.stat(copy.path("postgres")).st_mode & 0o005 == 0o005
    before = os.stat(copy.path("postgres")).st_mtime_ns
    assert programs.copy_programs(found, str(tmp_path)) == copy
    assert os.stat(copy.path("postgres")).st_mtime_ns == before
    assert not list(tmp_path.glob("*.new"))
