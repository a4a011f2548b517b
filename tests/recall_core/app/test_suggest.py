"""Drafts of labelled queries: what they are made of, whose memo is withheld, and that nothing is used unaccepted."""

import json
from pathlib import Path

import pytest

from recall_core.adapters.corpus_view import view_corpus
from recall_core.adapters.workspace import open_workspace
from recall_core.app.labels import read_labels
from recall_core.app.suggest import Draft, render_drafts, suggest
from recall_core.calibration.queryset import Kind
from recall_core.errors import UsageError


class Folder:
    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, path: str, text: str) -> None:
        full = self.path / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_text(text, encoding="utf-8")

    def suggest(self, drafts: int = 6) -> list[Draft]:
        return suggest(view_corpus(open_workspace(str(self.path)), None), drafts)


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Folder:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    return Folder(tmp_path)


def write_three(folder: Folder) -> None:
    folder.write("limits-1.md", "# Old request limits\n\n## Burst of the old gateway\n\nten\n")
    folder.write(
        "limits-2.md",
        "---\nsupersedes: limits-1\n---\n# Request limits\n\n## Burst allowance for partners\n\nWhich partners get a"
        " larger burst allowance? Three. Why is it so?\n",
    )
    folder.write("backups.md", "# Backup retention\n\n## Restoring one deleted tenant\n\nCall the *night desk*.\n")
    folder.write("paging.md", "# Paging at night\n\n## Rota of the on-call engineers\n\ntext\n")


def asked(drafts: list[Draft]) -> list[str]:
    return [draft.entry.query for draft in drafts if draft.entry.answerable]


def test_drafts_come_from_titles_headings_and_questions_of_memos_that_nothing_replaces(folder):
    write_three(folder)
    drafts = folder.suggest(20)
    everything = " ".join(draft.entry.query for draft in drafts)
    assert "What do we say about Backup retention?" in everything
    assert "What do we say about Restoring one deleted tenant?" in everything
    assert "Which partners get a larger burst allowance?" in everything
    assert "old gateway" not in everything
    assert "Old request limits" not in everything  # replaced
    assert "Why is it so?" not in everything  # points to what stands before it
    paths = {path for draft in drafts if draft.entry.answerable for path in draft.entry.relevant_ids}
    assert paths <= {"limits-2.md", "backups.md", "paging.md"}


def test_a_withheld_memo_takes_along_what_it_replaced_and_its_copies(folder):
    write_three(folder)
    folder.write("copy/backups.md", (folder.path / "backups.md").read_text())
    drafts = folder.suggest(20)
    withheld = [draft.entry for draft in drafts if draft.entry.kind is Kind.MID]
    assert withheld
    for entry in withheld:
        families = {("limits-1.md", "limits-2.md"), ("backups.md", "copy/backups.md"), ("paging.md",)}
        assert entry.relevant_ids in families
    assert not {entry.query for entry in withheld} & set(asked(drafts))


def test_questions_of_other_topics_share_few_words_with_the_corpus(folder):
    write_three(folder)
    folder.write("cats.md", "# Cats\n\nwhy cats purr\n")
    far = [draft.entry.query for draft in folder.suggest(60) if draft.entry.kind is Kind.FAR]
    assert "Why do cats purr?" not in far  # all of it stands in a memo
    assert "How is olive oil pressed?" in far


def test_the_same_corpus_gives_the_same_drafts(folder):
    write_three(folder)
    assert render_drafts(folder.suggest()) == render_drafts(folder.suggest())


def test_a_title_that_would_act_on_a_terminal_is_no_draft(folder):
    folder.write("a.md", "# Limits \u202e of \x1b[31mrequests\n")
    folder.write("b.md", "# Plain words\n")
    drafts = folder.suggest()
    assert asked(drafts) == ["What do we say about Plain words?"]


def test_a_corpus_without_anything_to_ask_is_refused(folder):
    folder.write("a.md", "")
    folder.path.joinpath("a.md").rename(folder.path / "1.md")
    with pytest.raises(UsageError, match="no title"):
        folder.suggest()


def test_only_accepted_drafts_are_used(folder):  # H16: nothing invents labels
    write_three(folder)
    text = render_drafts(folder.suggest(4))
    with pytest.raises(UsageError, match=r"none of the \d+ drafts is accepted"):
        read_labels(text, "drafts.json")
    rows = json.loads(text)
    rows[0]["accepted"] = True
    rows[1]["accepted"] = False
    rows[-1]["accepted"] = True
    labels = read_labels(json.dumps(rows), "drafts.json")
    assert {entry.query for entry in labels.queries} == {rows[0]["query"], rows[-1]["query"]}
    assert labels.waiting == len(rows) - 3


def test_an_entry_that_a_person_added_between_drafts_counts(folder):
    write_three(folder)
    rows = [*json.loads(render_drafts(folder.suggest(4))), {"query": "my own", "answerable": True}]
    assert [entry.query for entry in read_labels(json.dumps(rows), "drafts.json").queries] == ["my own"]


@pytest.mark.parametrize("accepted", ["true", 1, [], {}], ids=["text", "number", "array", "object"])
def test_accepted_is_a_boolean_or_null(accepted):
    rows = [{"query": "a", "answerable": True, "accepted": accepted}]
    with pytest.raises(UsageError, match="entry 1: `accepted`"):
        read_labels(json.dumps(rows), "drafts.json")
