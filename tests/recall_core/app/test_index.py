"""Building a generation: what is taken over, what is refused, and what an accident leaves as it was."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from recall_core.adapters.corpus_view import view_corpus
from recall_core.adapters.workspace import open_workspace
from recall_core.app.embed import describe_pipeline
from recall_core.app.index import IndexReport, IndexRequest, index
from recall_core.app.promote import promote
from recall_core.errors import ConflictError, EmbedderError, RefusedError
from recall_core.generation.states import State
from recall_core.ports.store import BuildPlan
from recall_core.trust.policy import TrustPolicy

NOW = datetime(2026, 6, 15, 12, 0, tzinfo=UTC)


class Bench:
    """A folder of memos, and what indexing it needs."""

    def __init__(self, folder: Path, store, embedder) -> None:
        self.folder, self.store, self.embedder = folder, store, embedder
        folder.mkdir()

    def write(self, path: str, text: str | bytes) -> None:
        full = self.folder / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(text if isinstance(text, bytes) else text.encode())

    def index(self, *, now: datetime = NOW, progress=lambda _done, _total: None, embedder=None, **asked) -> IndexReport:
        view = view_corpus(open_workspace(str(self.folder)), None)
        model = embedder or self.embedder
        pipeline = describe_pipeline(model, text_search="english", schema=1)
        request = IndexRequest("default", "someone", **asked)
        return index(view, self.store, model, pipeline, request, now=now, progress=progress)

    def promote(self, report: IndexReport) -> None:
        promote(self.store, "default", report.generation.id, policy=TrustPolicy.development(), actor="someone")

    def rows(self, report: IndexReport) -> dict:
        return {row.memo.path: row for row in self.store.rows[report.generation.id]}


@pytest.fixture
def bench(tmp_path, store, embedder, monkeypatch) -> Bench:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    return Bench(tmp_path / "memos", store, embedder)


def test_the_metadata_block_is_not_in_any_chunk(bench):  # A9
    bench.write("a.md", "---\ntitle: Limits\nsupersedes: b\n---\nThe body alone.\n")
    bench.write("b.md", "text\n")
    chunks = bench.rows(bench.index())["a.md"].chunks
    assert [chunk.text for chunk in chunks] == ["The body alone."]


def test_a_malformed_memo_is_refused_by_name_and_the_rest_is_indexed(bench):  # B7
    bench.write("bad.md", "---\nsupersedes: a\nsupersedes: b\n---\ntext\n")
    bench.write("day.md", "---\nsupersedes: good\nvalid_from: 2026-02-30\n---\ntext\n")
    bench.write("empty.md", "---\nvalid_from: 2026-03-01\nvalid_until: 2026-02-01\n---\ntext\n")
    bench.write("good.md", "# Good\n\ntext\n")
    report = bench.index()
    assert [(each.path, each.line) for each in report.refused] == [("bad.md", 3), ("day.md", 3), ("empty.md", 3)]
    assert "2026-02-30" in report.refused[1].reason
    assert report.generation.refused == ("bad.md", "day.md", "empty.md")
    rows = bench.rows(report)
    assert rows["good.md"].chunks
    assert not rows["day.md"].chunks
    assert rows["day.md"].memo.supersedes[0].key == "good"  # its edge was read, and holds


def test_nul_bytes_and_bad_utf8_abort_nothing(bench):  # I9
    bench.write("nul.md", b"# A\n\0\n")
    bench.write("latin.md", "# Café\n".encode("latin-1"))
    bench.write("good.md", "# Good\n")
    report = bench.index()
    assert [each.path for each in report.refused] == ["latin.md", "nul.md"]
    assert bench.rows(report)["good.md"].chunks


def test_symlinks_hidden_folders_and_tool_folders_are_not_indexed(bench, tmp_path):  # I8
    (tmp_path / "outside.md").write_text("# Outside\n")
    bench.write("good.md", "# Good\n")
    for folder in (".hidden", ".git-like", "node_modules/x"):
        bench.write(f"{folder}/a.md", "# A\n")
    (bench.folder / "link.md").symlink_to(tmp_path / "outside.md")
    (bench.folder / "folder").symlink_to(tmp_path, target_is_directory=True)
    assert list(bench.rows(bench.index())) == ["good.md"]


def test_a_memo_that_seems_to_hold_a_secret_is_refused_and_its_text_is_nowhere(bench):  # I8
    token = "ghp_" + "aB3dE5gH7jK9" * 3
    bench.write("leak.md", f"---\nsupersedes: old\ntitle: {token}\n---\n# Key\n")
    bench.write("body.md", f"---\nsupersedes: old\n---\n# The key {token}\n")
    bench.write("old.md", "# Old\n")
    report = bench.index()
    assert [(each.path, each.line) for each in report.refused] == [("body.md", 4), ("leak.md", 3)]
    assert token not in repr(bench.store.rows)
    assert token not in repr(report)
    assert bench.rows(report)["body.md"].memo.supersedes
    assert not any(token in text for text in bench.embedder.texts)


def test_an_unchanged_corpus_makes_no_generation_and_is_not_embedded(bench):  # I5
    bench.write("a.md", "# A\n\ntext\n")
    bench.write("bad.md", "---\nvalid_from: soon\n---\n")
    first = bench.index()
    asked = len(bench.embedder.texts)
    again = bench.index()
    assert (again.is_new, again.generation.id) == (False, first.generation.id)
    assert len(bench.embedder.texts) == asked
    assert again.refused == first.refused
    assert bench.index(rebuild=True).is_new


def test_only_a_changed_memo_is_embedded(bench):  # I5
    for name in "abc":
        bench.write(f"{name}.md", f"# Memo {name}\n\ntext\n")
    first = bench.index()
    bench.write("b.md", "# Memo b\n\nanother text\n")
    bench.embedder.texts.clear()
    report = bench.index()
    assert (report.embedded, report.reused) == (1, 2)
    assert ["another" in text for text in bench.embedder.texts] == [True]
    assert (bench.rows(report)["a.md"].vectors == bench.rows(first)["a.md"].vectors).all()


def test_a_memo_without_a_title_is_embedded_under_its_new_name(bench):
    bench.write("old-name.md", "just text\n")
    bench.index()
    os.rename(bench.folder / "old-name.md", bench.folder / "new-name.md")
    report = bench.index()
    assert (report.embedded, report.reused) == (1, 0)
    assert bench.embedder.texts[-1].startswith("new-name")


def test_another_model_embeds_everything_anew(bench, make_embedder):  # I5
    bench.write("a.md", "# A\n\ntext\n")
    bench.index()
    report = bench.index(embedder=make_embedder(name="another"))
    assert (report.is_new, report.embedded, report.reused) == (True, 1, 0)


def test_an_embedder_without_vectors_gives_rows_without_columns(bench, make_embedder):
    bench.write("a.md", "# A\n\ntext\n")
    report = bench.index(embedder=make_embedder(dimension=0, name="none"))
    assert bench.rows(report)["a.md"].vectors.shape == (1, 0)


def test_a_failing_model_leaves_what_is_served(bench):  # I4, I11
    bench.write("a.md", "# A\n\ntext\n")
    first = bench.index()
    bench.promote(first)
    bench.write("a.md", "# A\n\nchanged\n")
    bench.embedder.fails_after = len(bench.embedder.texts)
    with pytest.raises(EmbedderError):
        bench.index()
    assert bench.store.active("default").id == first.generation.id
    assert [each.state for each in bench.store.generations("default")] == [State.FAILED, State.ACTIVE]


def test_vectors_that_are_none_are_refused(bench, make_embedder):
    class Wrong(make_embedder):
        def embed_documents(self, texts):
            return super().embed_documents(texts) * 2

    bench.write("a.md", "# A\n\ntext\n")
    with pytest.raises(EmbedderError, match="length is not 1"):
        bench.index(embedder=Wrong())


def test_mass_disappearance_is_refused_and_can_be_asked_for(bench):  # I6
    for number in range(20):
        bench.write(f"{number:02}.md", f"# Memo {number}\n")
    bench.promote(bench.index())
    for number in range(10):
        (bench.folder / f"{number:02}.md").unlink()
    assert bench.index().generation.memos == 10  # a half is not more than a half
    (bench.folder / "10.md").unlink()
    with pytest.raises(RefusedError, match=r"11 of the 20 memos that are indexed are gone, such as `00\.md`"):
        bench.index()
    assert bench.index(allow_mass_removal=True).generation.memos == 9


def test_another_root_is_refused_even_with_the_same_memos(bench, tmp_path, store, embedder):  # I6
    bench.write("a.md", "# A\n")
    bench.index()
    other = Bench(tmp_path / "other", store, embedder)
    other.write("a.md", "# A\n")
    with pytest.raises(ConflictError, match="holds"):
        other.index()


def test_the_first_recorded_time_survives_later_builds(bench):  # C14
    bench.write("a.md", "# A\n")
    bench.index()
    bench.write("b.md", "# B\n")
    rows = bench.rows(bench.index(now=NOW + timedelta(days=3)))
    assert (rows["a.md"].recorded, rows["b.md"].recorded) == (NOW, NOW + timedelta(days=3))


def test_progress_ends_with_all_chunks_done(bench):
    for number in range(600):
        bench.write(f"{number}.md", f"# Memo {number}\n\ntext\n")
    told = []
    bench.index(progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (600, 600)
    assert all(done <= total for done, total in told)
    assert len(told) > 5


def test_an_unreadable_folder_is_named_and_its_memos_do_not_silently_vanish(bench, monkeypatch):  # I6
    bench.write("good.md", "# Good\n")
    bench.write("closed/a.md", "# A\n")
    real = os.scandir

    def refusing(path):
        if str(path).rstrip("/").endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", refusing)
    report = bench.index()
    assert [(each.path, each.reason) for each in report.refused] == [
        ("closed/", "it cannot be read: Permission denied")
    ]


def test_a_withdrawn_edge_and_a_shorter_memo_leave_nothing_behind(bench):  # I4
    section = "# {0}\n\n" + "Many words about one thing. " * 60 + "\n\n"
    bench.write("old.md", "# Old\n")
    bench.write("new.md", "---\nsupersedes: old\n---\n" + section.format("One") + section.format("Two"))
    first = bench.index()
    assert {each.memo.path: bool(each.successors) for each in bench.store.corpus("default", first.generation.id)} == {
        "old.md": True,
        "new.md": False,
    }
    assert len(bench.rows(first)["new.md"].chunks) > 1
    bench.write("new.md", "# New\n\nshort\n")
    report = bench.index()
    assert not any(each.successors for each in bench.store.corpus("default", report.generation.id))
    assert len(bench.rows(report)["new.md"].chunks) == 1


def test_a_second_writer_is_told_who_builds_and_a_dead_one_leaves_no_lock(bench):  # I7
    bench.write("a.md", "# A\n")
    plan = BuildPlan(describe_pipeline(bench.embedder, text_search="english", schema=1), "", "folder", "somebody else")
    with bench.store.build("default", plan), pytest.raises(ConflictError, match="somebody else"):
        bench.index()
    assert bench.index().is_new


def test_a_name_that_is_not_utf8_is_known_as_it_is_shown(bench):
    with open(os.path.join(os.fsencode(bench.folder), b"caf\xe9.md"), "wb") as file:
        file.write(b"no title, just text\n")
    (row,) = bench.rows(bench.index()).values()
    assert row.memo.path == "caf\\xe9.md"
    assert row.chunks[0].passage.encode()
    assert not bench.index().is_new
