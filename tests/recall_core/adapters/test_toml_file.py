"""A TOML file as read: its table, its places, and what cannot be read."""

import contextlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.adapters.toml_file import parse_toml, read_regular_file
from recall_core.errors import ConfigurationError

SOURCE = b"""\
include = ["docs"]
"select" = ["ALL"]

[severity]
RL205 = "off"
"self-supersession" = "info"

[per-file-ignores]
"a.md" = ["RL205"]

[tool.recall]
exclude = []

[tool.recall.severity]
RL401 = "off"
"""


@pytest.mark.parametrize(
    ("keys", "place"),
    [
        (("include",), "x.toml:1"),
        (("select",), "x.toml:2"),
        (("severity",), "x.toml:4"),
        (("severity", "RL205"), "x.toml:5"),
        (("severity", "self-supersession"), "x.toml:6"),
        (("severity", "RL401"), "x.toml:4"),
        (("per-file-ignores", "a.md"), "x.toml:9"),
        (("tool", "recall", "exclude"), "x.toml:12"),
        (("tool", "recall", "severity", "RL401"), "x.toml:15"),
        (("nothing",), "x.toml"),
    ],
)
def test_a_key_is_found_at_its_line_or_at_the_table_around_it(keys: tuple[str, ...], place: str) -> None:
    assert parse_toml(SOURCE, "x.toml").place(*keys) == place


def test_a_key_that_may_stand_on_several_lines_is_given_no_line() -> None:
    assert parse_toml(b'a = """\nb = 1\nb = 2\n"""\nb = 3\n', "x.toml").place("b") == "x.toml"


def test_a_bom_and_crlf_are_read() -> None:
    assert parse_toml(b"\xef\xbb\xbfa = 1\r\nb = 2\r\n", "x.toml").table == {"a": 1, "b": 2}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a = 1\nb = = 2\n", "x.toml:2:5: invalid value"),
        (b"a = [\n1,\n", "x.toml:3:1: invalid value"),
        (b"a = 1\na = 2\n", "x.toml:2:6: cannot overwrite a value"),
        (b"a = 1\n# \xff\n", "x.toml:2: is not UTF-8"),
        ("a = 1\n".encode("utf-16"), "x.toml:1: is not UTF-8"),
        (b"a = " + b"9" * 5000, "x.toml: holds a value too long or too deep to read"),
        (b"a = " + b"[" * 5000, "x.toml: holds a value too long or too deep to read"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(data: bytes, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_toml(data, "x.toml")
    assert caught.value.message == message


@given(st.one_of(st.binary(), st.text(st.sampled_from("a=[]{}\"'.\n #1\\u")).map(str.encode)))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        file = parse_toml(data, "x.toml")
    except ConfigurationError:
        return
    for key in file.table:
        assert file.place(key).startswith("x.toml")


def test_a_file_is_read_and_a_missing_one_is_none(tmp_path: Path) -> None:
    file = tmp_path / "recall.toml"
    assert read_regular_file(str(file)) is None
    assert read_regular_file(str(file / "below")) is None
    file.write_bytes(b"a = 1\r\n")
    assert read_regular_file(str(file)) == b"a = 1\r\n"
    assert read_regular_file(str(file / "below")) is None


def test_what_is_no_file_is_refused_without_waiting(tmp_path: Path) -> None:
    folder, pipe, lost, loop = (tmp_path / name for name in ("folder", "pipe", "lost", "loop"))
    folder.mkdir()
    os.mkfifo(pipe)
    lost.symlink_to("nowhere")
    loop.symlink_to("loop")
    for path, reason in (
        (folder, "is a folder, not a configuration file"),
        (pipe, "is no regular file, not a configuration file"),
        (lost, "is a link to a file that is not there"),
        (loop, f"cannot be read: {os.strerror(40)}"),
    ):
        with pytest.raises(ConfigurationError) as caught:
            read_regular_file(str(path))
        assert caught.value.message == f"{path}: {reason}"


def test_a_refusal_of_the_system_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object) -> int:
        raise PermissionError(13, "whatever")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(ConfigurationError, match="cannot be read: Permission denied") as caught:
        read_regular_file(str(tmp_path / "recall.toml"))
    assert caught.value.help == "make it readable for you"


def test_reading_leaves_no_descriptor_open(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    before = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else []
    for path in (tmp_path, tmp_path / "a"):
        with contextlib.suppress(ConfigurationError):
            read_regular_file(str(path))
    after = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else []
    assert len(after) == len(before)
