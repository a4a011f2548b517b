"""What `check` said before is said again only where nothing that it depends on has changed."""

import os

import pytest

from recall_lint import session

NEW = "This memo supersedes [[old]].\n"


@pytest.fixture
def corpus(repository):
    repository.write("old.md", "# Old\n")
    repository.write("new.md", NEW)
    repository.commit()
    for name in ("old.md", "new.md"):
        os.utime(repository.path / name, (1_700_000_000, 1_700_000_000.5))
    return repository


@pytest.fixture
def sessions(monkeypatch):
    """Counts the runs that look at the memos."""
    made = []
    real = session.Session.__init__

    def count(self, *arguments):
        made.append(self)
        real(self, *arguments)

    monkeypatch.setattr(session.Session, "__init__", count)
    return made


def test_the_same_question_is_put_again_without_reading_a_memo(corpus, recall, sessions):
    first = recall("check", "--strict", "new.md")
    assert (first.status, len(sessions)) == (1, 1)
    assert recall("check", "--strict", "new.md") == first
    assert len(sessions) == 1


@pytest.mark.parametrize(
    "change",
    ["edit", "edit another", "new file", "delete", "configuration", "other file", "format", "status", "commit"],
)
def test_a_change_is_seen(corpus, recall, sessions, change):
    recall("check", "new.md")
    words = ["new.md"]
    match change:
        case "edit":
            corpus.write("new.md", "plain.\n")
        case "edit another":
            corpus.write("old.md", "---\nsupersedes: new\n---\n")
        case "new file":
            corpus.write("docs/old.md")
        case "delete":
            (corpus.path / "old.md").unlink()
        case "configuration":
            corpus.write("recall.toml", 'index-files = ["new"]\n')
        case "other file":
            words = ["old.md"]
        case "format":
            words = ["--format", "json", "new.md"]
        case "status":
            words = ["--strict", "new.md"]
        case "commit":
            corpus.commit("2026-02-02")
    recall("check", *words)
    assert len(sessions) == 2


def test_nothing_is_kept_where_something_was_said_beside(corpus, recall):
    corpus.write("notes.txt")
    for _ in range(2):
        assert "`notes.txt` is no memo" in recall("check", "new.md", "notes.txt").err


def test_no_cache_reads_anew(corpus, recall, sessions):
    for _ in range(2):
        recall("check", "--no-cache", "new.md")
    assert len(sessions) == 2


def test_a_damaged_cache_is_no_cache(corpus, recall):
    first = recall("check", "new.md")
    (file,) = (corpus.path / ".git" / "recall").rglob("checked-work-tree.json")
    file.write_bytes(file.read_bytes()[:-5])
    assert recall("check", "new.md") == first
