"""`recall demo`: from nothing to an answer."""

import os
import shlex

import pytest

from recall_core.generation.states import State

QUESTIONS = 4


def test_one_command_ends_with_answers_and_what_to_type_next(memos, recall, store):
    result = recall("demo")
    assert (result.status, result.err) == (0, "")
    assert result.out.count("$ recall search ") == QUESTIONS + 1
    assert result.out.count("nothing below is verified") == QUESTIONS
    assert "replaced by decisions/backup-retention-2026.md" in result.out
    assert "it has expired" in result.out
    assert "which is meant is not known" in result.out
    assert "Next:\n" in result.out
    (generation,) = store.generations("demo")
    assert (generation.state, generation.refused) == (State.ACTIVE, ())
    assert 8 <= generation.memos <= 14


def test_it_ends_with_what_production_would_have_said(memos, recall):
    assert "refused: CALIBRATION_MISSING" in recall("demo").out


def test_nothing_is_written_outside_the_data_folder(memos, recall):
    recall("demo")
    assert list(memos.path.iterdir()) == []
    assert os.path.isfile(os.path.join(os.environ["RECALL_DATA_DIR"], "demo", "recall.toml"))


def test_a_second_run_builds_nothing_and_answers_again(memos, recall, store):
    first, second = recall("demo"), recall("demo")
    assert (first.status, second.status) == (0, 0)
    assert "nothing changed" in second.out
    assert len(store.all) == 1


def test_a_folder_of_somebodys_is_left_alone(memos, recall, store):
    memos.write("mine/a.md", "# Mine\n")
    result = recall("demo", "mine")
    assert result.status == 2
    assert "is not empty" in result.err
    assert os.listdir(memos.path / "mine") == ["a.md"]
    assert not store.all


def test_what_it_says_to_type_can_be_typed(memos, recall):
    result = recall("demo", "new folder")
    assert result.status == 0
    (line,) = [each for each in result.out.splitlines() if each.startswith("  recall status")]
    status = recall(*shlex.split(line)[1:], "--format", "json")
    assert status.status == 0
    verdicts = {each["path"]: each["verdict"] for each in status.json["memos"]}
    assert set(verdicts.values()) == {"ok", "superseded", "expired", "not_yet_valid", "ambiguous_supersession"}


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_a_folder_that_cannot_be_made_exits_2(memos, recall, name):
    memos.write("file", "text\n")
    result = recall("demo", name)
    assert result.status == 2
    assert "name another FOLDER" in result.err or "name a new folder" in result.err
