import os
import socket
import stat
from pathlib import Path

import pytest

from recall_core.adapters import files
from recall_core.adapters.files import FolderSource, read_regular_file, write_atomically
from recall_core.errors import WriteError
from recall_core.ports.corpus import Entry, ReadFailure


def listed(root: Path) -> list[str]:
    return [entry.path for entry in FolderSource(str(root)).listing().entries]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    root = tmp_path / "corpus"
    (root / "area").mkdir(parents=True)
    (root / "b.md").write_text("b\n")
    (root / "a.md").write_text("a\n")
    (root / "area" / "c.md").write_text("c\n")
    return root


def left_behind(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name.endswith(".tmp")]


class TestFolderSource:
    def test_every_regular_file_is_listed_sorted_by_path(self, corpus: Path) -> None:
        assert listed(corpus) == ["a.md", "area/c.md", "b.md"]

    def test_the_identity_is_size_time_and_inode(self, corpus: Path) -> None:
        status = (corpus / "a.md").stat()
        entry = FolderSource(str(corpus)).listing().entries[0]
        assert entry == Entry("a.md", f"{status.st_size}-{status.st_mtime_ns}-{status.st_ino}", tracked=True)

    def test_contents_come_in_the_order_asked_for(self, corpus: Path) -> None:
        source = FolderSource(str(corpus))
        entries = list(reversed(source.listing().entries))
        assert list(source.read(entries)) == list(zip(entries, [b"b\n", b"c\n", b"a\n"], strict=True))

    @pytest.mark.parametrize("folder", [".git", ".hidden", "node_modules"])
    def test_folders_that_no_corpus_takes_from_are_not_entered(self, corpus: Path, folder: str) -> None:
        (corpus / "area" / folder).mkdir()
        (corpus / "area" / folder / "d.md").write_text("d\n")
        assert listed(corpus) == ["a.md", "area/c.md", "b.md"]

    def test_a_root_in_a_hidden_folder_is_listed(self, tmp_path: Path) -> None:
        (tmp_path / ".notes").mkdir()
        (tmp_path / ".notes" / "a.md").write_text("a\n")
        assert listed(tmp_path / ".notes") == ["a.md"]

    def test_a_symlink_loop_ends(self, corpus: Path) -> None:
        (corpus / "area" / "up").symlink_to("..")
        (corpus / "self").symlink_to("self")
        assert listed(corpus) == ["a.md", "area/c.md", "b.md"]

    def test_symlinks_pipes_and_sockets_are_no_entries(self, corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (corpus / "link.md").symlink_to("a.md")
        os.mkfifo(corpus / "pipe.md")
        monkeypatch.chdir(corpus)
        with socket.socket(socket.AF_UNIX) as opened:
            opened.bind("socket.md")
            assert listed(corpus) == ["a.md", "area/c.md", "b.md"]

    def test_an_unreadable_folder_is_named_and_the_walk_goes_on(
        self, corpus: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (corpus / "closed").mkdir()
        (corpus / "zone").mkdir()
        (corpus / "zone" / "d.md").write_text("d\n")
        scandir = os.scandir

        def refuse(path: str):
            if path.rstrip("/").endswith("closed"):
                raise PermissionError(13, "Permission denied", path)
            return scandir(path)

        monkeypatch.setattr(os, "scandir", refuse)
        listing = FolderSource(str(corpus)).listing()
        assert [entry.path for entry in listing.entries] == ["a.md", "area/c.md", "b.md", "zone/d.md"]
        assert listing.failures == [("closed", ReadFailure("Permission denied"))]

    def test_a_root_that_is_not_there_is_a_failure_of_the_root(self, tmp_path: Path) -> None:
        listing = FolderSource(str(tmp_path / "none")).listing()
        assert listing.entries == []
        assert listing.failures == [(".", ReadFailure("No such file or directory"))]

    def test_a_name_that_is_not_utf8_is_listed_and_read(self, tmp_path: Path) -> None:
        name = os.fsdecode(b"caf\xe9\n.md")
        (tmp_path / name).write_text("x\n")
        source = FolderSource(str(tmp_path))
        [entry] = source.listing().entries
        assert entry.path == name
        assert list(source.read([entry])) == [(entry, b"x\n")]

    def test_folders_nest_beyond_the_recursion_limit(self, tmp_path: Path) -> None:
        depth = 1500
        deep = str(tmp_path)
        for _ in range(depth):
            deep += "/d"
            os.mkdir(deep)
        Path(deep, "a.md").write_text("a\n")
        assert listed(tmp_path) == ["d/" * depth + "a.md"]
        # What pytest removes, it removes by recursion.
        os.unlink(deep + "/a.md")
        for _ in range(depth):
            os.rmdir(deep)
            deep = os.path.dirname(deep)


class TestReadRegularFile:
    @pytest.mark.parametrize("size", [0, 1, 4095, 4096, 4097, 3_000_000])
    def test_the_whole_content_comes_back(self, tmp_path: Path, size: int) -> None:
        content = os.urandom(size)
        (tmp_path / "a.md").write_bytes(content)
        assert read_regular_file(str(tmp_path / "a.md")) == content

    def test_a_file_that_grew_since_its_size_was_asked_is_read_to_its_end(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        content = os.urandom(50_000)
        (tmp_path / "a.md").write_bytes(content)
        fstat = os.fstat
        monkeypatch.setattr(
            files.os, "fstat", lambda descriptor: os.stat_result((fstat(descriptor).st_mode,) + (0,) * 9)
        )
        assert read_regular_file(str(tmp_path / "a.md")) == content

    def test_line_ends_are_not_translated(self, tmp_path: Path) -> None:
        (tmp_path / "a.md").write_bytes(b"a\r\nb\x1ac\r")
        assert read_regular_file(str(tmp_path / "a.md")) == b"a\r\nb\x1ac\r"

    def test_a_pipe_does_not_block(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        assert read_regular_file(str(tmp_path / "pipe")) == ReadFailure("not a regular file")

    def test_a_symlink_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "a.md").write_text("a\n")
        (tmp_path / "link").symlink_to("a.md")
        assert read_regular_file(str(tmp_path / "link")) == ReadFailure("a symbolic link")

    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            pytest.param("none", "No such file or directory", id="absent"),
            pytest.param("", "not a regular file", id="folder"),
            pytest.param("a\0b", "not a possible file name", id="nul"),
            pytest.param("x" * 300, "File name too long", id="too-long"),
        ],
    )
    def test_what_cannot_be_read_gives_the_systems_reason(self, tmp_path: Path, name: str, reason: str) -> None:
        assert read_regular_file(os.path.join(tmp_path, name)) == ReadFailure(reason)

    def test_no_descriptor_is_left_open(self, tmp_path: Path) -> None:
        before = os.listdir("/dev/fd")
        for name in ("none", "."):
            read_regular_file(str(tmp_path / name))
        assert os.listdir("/dev/fd") == before


class TestWriteAtomically:  # K7
    def test_the_content_is_replaced_and_the_mode_kept(self, corpus: Path) -> None:
        target = corpus / "a.md"
        target.chmod(0o640)
        write_atomically(str(target), b"new\r\n", expected=b"a\n", root=str(corpus))
        assert target.read_bytes() == b"new\r\n"
        assert stat.S_IMODE(target.stat().st_mode) == 0o640
        assert left_behind(corpus) == []

    def test_the_owner_is_kept_where_that_is_possible(self, corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        target = corpus / "a.md"
        given: list[tuple[int, int]] = []
        real = os.fstat

        def somebody_elses(descriptor: int) -> os.stat_result:
            # The original belongs to 4321:8765; the temporary file is told apart by its mode.
            found = list(real(descriptor))
            if stat.S_IMODE(found[0]) != 0o600:
                found[4], found[5] = 4321, 8765
            times = {"st_mtime_ns": real(descriptor).st_mtime_ns}
            return os.stat_result(found, times)

        def refuse_users(_: int, user: int, group: int) -> None:
            given.append((user, group))
            if user != -1:
                raise PermissionError(1, "Operation not permitted")

        monkeypatch.setattr(os, "fstat", somebody_elses)
        monkeypatch.setattr(os, "fchown", refuse_users)
        write_atomically(str(target), b"new\n", expected=b"a\n", root=str(corpus))
        assert given == [(4321, 8765), (-1, 8765)]
        assert target.read_bytes() == b"new\n"

    def test_a_file_that_changed_since_it_was_read_is_left_alone(self, corpus: Path) -> None:
        with pytest.raises(WriteError, match=r"^a\.md changed since it was read"):
            write_atomically(str(corpus / "a.md"), b"new\n", expected=b"older\n", root=str(corpus))
        assert (corpus / "a.md").read_bytes() == b"a\n"

    def test_a_change_while_writing_is_seen(self, corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        target = corpus / "a.md"
        monkeypatch.setattr(os, "fsync", lambda _: target.write_text("somebody else's\n"))
        with pytest.raises(WriteError, match="changed since"):
            write_atomically(str(target), b"new\n", expected=b"a\n", root=str(corpus))
        assert target.read_text() == "somebody else's\n"
        assert left_behind(corpus) == []

    def test_a_file_outside_the_root_is_refused(self, corpus: Path) -> None:
        outside = corpus.parent / "outside.md"
        outside.write_text("a\n")
        with pytest.raises(WriteError, match="lies outside"):
            write_atomically(str(corpus / ".." / "outside.md"), b"new\n", expected=b"a\n", root=str(corpus))
        assert outside.read_text() == "a\n"

    def test_a_folder_whose_name_begins_like_the_roots_is_outside(self, corpus: Path) -> None:
        beside = corpus.parent / "corpus-2"
        beside.mkdir()
        (beside / "a.md").write_text("a\n")
        with pytest.raises(WriteError, match="lies outside"):
            write_atomically(str(beside / "a.md"), b"new\n", expected=b"a\n", root=str(corpus))

    def test_a_folder_symlink_out_of_the_root_is_refused(self, corpus: Path) -> None:
        outside = corpus.parent / "elsewhere"
        outside.mkdir()
        (outside / "a.md").write_text("a\n")
        (corpus / "way-out").symlink_to(outside)
        with pytest.raises(WriteError, match="lies outside"):
            write_atomically(str(corpus / "way-out" / "a.md"), b"new\n", expected=b"a\n", root=str(corpus))
        assert (outside / "a.md").read_text() == "a\n"

    def test_a_symlink_is_refused_and_survives(self, corpus: Path) -> None:
        (corpus / "link.md").symlink_to("a.md")
        with pytest.raises(WriteError, match="symbolic link"):
            write_atomically(str(corpus / "link.md"), b"new\n", expected=b"a\n", root=str(corpus))
        assert (corpus / "link.md").is_symlink()
        assert (corpus / "a.md").read_bytes() == b"a\n"

    def test_a_root_behind_a_symlink_is_no_hindrance(self, corpus: Path) -> None:
        (corpus.parent / "way-in").symlink_to(corpus)
        root = corpus.parent / "way-in"
        write_atomically(str(root / "a.md"), b"new\n", expected=b"a\n", root=str(root))
        assert (corpus / "a.md").read_bytes() == b"new\n"

    @pytest.mark.parametrize("name", ["area", "none.md", "pipe"])
    def test_what_is_no_regular_file_is_refused(self, corpus: Path, name: str) -> None:
        os.mkfifo(corpus / "pipe")
        with pytest.raises(WriteError, match="was not written"):
            write_atomically(str(corpus / name), b"new\n", expected=b"", root=str(corpus))

    def test_a_read_only_file_is_refused(self, corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(os, "access", lambda *_: False)
        with pytest.raises(WriteError, match="read-only"):
            write_atomically(str(corpus / "a.md"), b"new\n", expected=b"a\n", root=str(corpus))

    @pytest.mark.parametrize("step", ["write", "fsync", "replace", "fchmod"])
    def test_the_original_survives_a_failure_at_every_step(
        self, corpus: Path, monkeypatch: pytest.MonkeyPatch, step: str
    ) -> None:
        def fail(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, step, fail)
        with pytest.raises(WriteError, match=r"a\.md was not written: No space left on device"):
            write_atomically(str(corpus / "a.md"), b"new\n", expected=b"a\n", root=str(corpus))
        assert (corpus / "a.md").read_bytes() == b"a\n"
        assert left_behind(corpus) == []

    def test_an_interrupt_leaves_nothing_behind(self, corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def interrupt(_: int) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(os, "fsync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            write_atomically(str(corpus / "a.md"), b"new\n", expected=b"a\n", root=str(corpus))
        assert (corpus / "a.md").read_bytes() == b"a\n"
        assert left_behind(corpus) == []
