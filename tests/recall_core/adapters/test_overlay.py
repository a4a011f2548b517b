"""Text that is not on disk, over what is."""

from pathlib import Path

from recall_core.adapters.files import FolderSource
from recall_core.adapters.overlay import OverlaySource
from recall_core.ports.corpus import Entry, ReadFailure


def test_a_buffer_takes_the_place_of_its_file_and_a_new_one_is_added(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("on disk\n")
    (tmp_path / "c.md").write_text("on disk\n")
    source = OverlaySource(FolderSource(str(tmp_path)), {"a.md": b"unsaved\n", "b.md": b"new\n"})
    listing = source.listing()
    assert [(entry.path, entry.tracked) for entry in listing.entries] == [
        ("a.md", True),
        ("b.md", False),
        ("c.md", True),
    ]
    assert [content for _, content in source.read(listing.entries)] == [b"unsaved\n", b"new\n", b"on disk\n"]
    assert source.kind == "folder"


def test_an_identity_follows_the_text(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("on disk\n")

    def identity(*buffers: tuple[str, bytes]) -> str:
        return OverlaySource(FolderSource(str(tmp_path)), dict(buffers)).listing().entries[0].identity

    identities = [identity(), identity(("a.md", b"one")), identity(("a.md", b"two"))]
    assert len(set(identities)) == 3
    assert identity(("a.md", b"one")) == identities[1]


def test_reading_keeps_the_order_that_was_asked_for(tmp_path: Path) -> None:
    for name in ("a.md", "c.md", "d.md"):
        (tmp_path / name).write_text(name)
    source = OverlaySource(FolderSource(str(tmp_path)), {"b.md": b"buffer"})
    entries = list(reversed(source.listing().entries))
    assert [content for _, content in source.read(entries)] == [b"d.md", b"c.md", b"buffer", b"a.md"]
    assert list(source.read([])) == []


def test_a_failure_below_is_passed_on(tmp_path: Path) -> None:
    source = OverlaySource(FolderSource(str(tmp_path)), {"b.md": b"buffer"})
    ((_, failure), (_, buffer)) = source.read([Entry("gone.md", "1-1-1"), Entry("b.md", "")])
    assert isinstance(failure, ReadFailure)
    assert buffer == b"buffer"
