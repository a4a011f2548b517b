"""`recall forget`: what goes, what is said of it, and what stays as it was."""

import hashlib
import os

import pytest


@pytest.fixture
def held(memos, recall):
    memos.write("secret.md", "# Salaries\n\nEverybody earns the same.\n")
    memos.write("b.md", "# B\n\ntext\n")
    assert recall("index").status == 0


def test_a_dry_run_says_what_would_go_and_changes_nothing(held, recall, store, purged):  # I17
    before = {name: list(rows) for name, rows in store.rows.items()}
    result = recall("forget", "secret.md")
    assert result.status == 1
    assert result.out == "would forget: secret.md\n1 chunk in 1 generation; `--yes` does it\n"
    assert "Git history still holds" in result.err
    assert store.rows == before
    assert purged == []


def test_the_json_is_what_its_schema_says(held, recall, conforms):
    assert conforms(recall("forget", "secret.md", "nowhere.md", "--format", "json").json, "forget")


@pytest.mark.usefixtures("held")
def test_with_yes_rows_caches_and_later_builds_forget_it(recall, store, embedder, purged):  # I17
    (passage,) = [text for text in embedder.texts if "Everybody" in text]
    result = recall("forget", "secret.md", "--yes", "--format", "json")
    assert result.status == 0
    assert (result.json["done"], result.json["paths"], result.json["chunks"]) == (True, ["secret.md"], 1)
    assert "Git history still holds" in result.err
    assert purged == [hashlib.sha256(passage.encode()).hexdigest()]
    assert [row.memo.path for rows in store.rows.values() for row in rows] == ["b.md"]
    recall("index", "--rebuild")
    assert [row.memo.path for row in store.rows[store.generations("default")[0].id]] == ["b.md"]


def test_an_unknown_name_is_reported_and_nothing_is_half_done(held, recall, store, purged):  # I17
    assert recall("forget", "secret.md", "nowhere.md").out.startswith("unknown: nowhere.md\n")
    before = {name: list(rows) for name, rows in store.rows.items()}
    result = recall("forget", "secret.md", "nowhere.md", "--yes")
    assert result.status == 2
    assert "`nowhere.md`" in result.err
    assert "as search shows them" in result.err
    assert store.rows == before
    assert purged == []


def test_the_name_is_the_one_that_search_shows(held, memos, recall, store, development):  # I17
    recall("index", "--promote")
    path = recall("search", "everybody earns", "-k", "1", "--format", "json").json["hits"][0]["provenance"]["path"]
    assert recall("forget", path, "--yes").status == 0
    assert "Everybody" not in recall("search", "everybody earns").out


def test_what_the_linter_keeps_of_the_folder_goes_too(held, memos, recall):  # I17
    for each in memos.path.iterdir():
        os.utime(each, (1_700_000_000, 1_700_000_000))  # what changed just now is not kept
    recall("lint")
    cache = os.environ["RECALL_CACHE_DIR"]
    kept = [name for _, _, names in os.walk(cache) for name in names if name.endswith(".json")]
    assert kept
    recall("forget", "secret.md", "--yes")
    assert not [name for _, _, names in os.walk(cache) for name in names if name.endswith(".json")]


def test_a_name_does_not_act_on_a_terminal(held, recall):
    result = recall("forget", "\x1b[2Jx.md")
    assert "\x1b" not in result.out + result.err
    assert "\\x1b[2Jx.md" in result.out
