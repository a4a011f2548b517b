"""`recall demo`: from nothing to a trusted answer, a caught stale memo, abstentions and a refusal."""

import hashlib
import json
import os
import shlex

import numpy as np
import pytest

from recall_core import wiring
from recall_core.adapters.memory.lexemes import list_lexemes
from recall_core.cli import demo_folder
from recall_core.generation.states import State

QUESTIONS = 5


class Stems:
    """A stand-in model that compares the stems of words, stop words aside, so that the labelled questions are apart."""

    id, dimension, max_tokens, is_fused = "stems", 4096, 256, True

    def embed_queries(self, texts):
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in set(list_lexemes(text, "english")):
                row[int(hashlib.sha256(word.encode()).hexdigest(), 16) % self.dimension] = 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)

    embed_documents = embed_queries


@pytest.fixture
def wide(monkeypatch):
    monkeypatch.setattr(wiring, "open_embedder", lambda *_, **__: Stems())


def test_one_command_ends_with_trusted_answers_and_what_to_type_next(memos, recall, store, wide):
    result = recall("demo")
    assert (result.status, result.err) == (0, "")
    refused, _, answered = result.out.partition("$ recall calibrate --queries labels.json --publish\n")
    assert "refused: INDEX_NOT_READY" in refused
    assert ": certified: " in answered
    assert answered.count("$ recall search ") == QUESTIONS
    assert "nothing below is verified" not in answered
    first = answered.partition("how long are nightly backups kept")[2].partition("# ")[0]
    assert first.splitlines()[1].startswith("1. ok  ")
    assert "decisions/backup-retention-2026.md:5-8" in first
    assert "1 superseded (replaced by decisions/backup-retention-2026.md)" in first
    assert "no answer: " in answered
    assert "Next:\n" in answered
    (generation,) = store.generations("demo")
    assert (generation.state, generation.refused) == (State.ACTIVE, ())
    assert 8 <= generation.memos <= 14


def test_without_a_certificate_development_mode_answers_and_says_so(memos, recall, wide):
    memos.write("few/recall.toml", demo_folder._CONFIGURATION)
    labels = [{"query": "who is paged", "answerable": True}, {"query": "why is the sky blue", "answerable": False}]
    memos.write("few/labels.json", json.dumps(labels))
    result = recall("demo", "few")
    assert (result.status, result.err) == (0, "")
    assert "$ export RECALL_TRUST_MODE=development\n" in result.out
    assert result.out.count("nothing below is verified") == QUESTIONS
    assert "  RECALL_TRUST_MODE=development recall search " in result.out


def test_a_model_without_vectors_is_told_what_to_choose(memos, recall, make_embedder, monkeypatch):
    monkeypatch.setattr(wiring, "open_embedder", lambda *_, **__: make_embedder(dimension=0, name="none"))
    result = recall("demo")
    assert (result.status, result.err) == (0, "")
    assert "recall index --embedder local" in result.out
    assert result.out.count("nothing below is verified") == QUESTIONS
    assert "replaced by decisions/backup-retention-2026.md" in result.out


def test_nothing_is_written_outside_the_data_folder(memos, recall):
    recall("demo")
    assert list(memos.path.iterdir()) == []
    assert os.path.isfile(os.path.join(os.environ["RECALL_DATA_DIR"], "demo", "recall.toml"))


def test_a_second_run_builds_nothing_and_answers_again(memos, recall, store, wide):
    first, second = recall("demo"), recall("demo")
    assert (first.status, second.status) == (0, 0)
    assert "nothing changed" in second.out
    assert "refused" not in second.out
    assert second.out.count("$ recall search ") == QUESTIONS
    assert len(store.all) == 1
    assert len(store.calibrations.calibrations("demo")) == 1


def test_a_folder_of_somebodys_is_left_alone(memos, recall, store):
    memos.write("mine/a.md", "# Mine\n")
    result = recall("demo", "mine")
    assert result.status == 2
    assert "is not empty" in result.err
    assert os.listdir(memos.path / "mine") == ["a.md"]
    assert not store.all


def test_what_it_says_to_type_can_be_typed(memos, recall, wide):
    result = recall("demo", "new folder")
    assert result.status == 0
    lines = [each.strip() for each in result.out.splitlines() if each.startswith("  recall ")]
    status, search = (recall(*shlex.split(line)[1:], "--format", "json") for line in lines)
    assert (status.status, search.status) == (0, 0)
    verdicts = {each["path"]: each["verdict"] for each in status.json["memos"]}
    assert set(verdicts.values()) == {"ok", "superseded", "expired", "not_yet_valid", "ambiguous_supersession"}
    assert search.json["trust_state"] == "trusted"
    os.chdir(memos.path / "new folder")
    for line in result.out.splitlines():
        if line.startswith("$ recall "):
            assert recall(*shlex.split(line)[2:]).status in (0, 1), line


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_a_folder_that_cannot_be_made_exits_2(memos, recall, name):
    memos.write("file", "text\n")
    result = recall("demo", name)
    assert result.status == 2
    assert "name another FOLDER" in result.err or "name a new folder" in result.err
