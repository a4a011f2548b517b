"""The generated corpora are what the figures rest on: always the same, and without an error in them."""

import os
from datetime import UTC, datetime
from statistics import mean

import pytest

from benchmarks.corpus import SIZE, GeneratedMemo, build_memos
from recall_core.graph.corpus import Corpus
from recall_core.graph.evaluate import Evaluation
from recall_core.model.memo import Memo
from recall_core.prose.markers import has_marker
from recall_lint.config import Settings
from recall_lint.diagnostic import Severity
from recall_lint.engine import lint
from recall_lint.reading import Reading, read_file
from recall_lint.rules import RULES

COUNT = 1000
AT = datetime(2026, 6, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def memos() -> list[GeneratedMemo]:
    return list(build_memos(COUNT))


@pytest.fixture(scope="module")
def readings(memos: list[GeneratedMemo]) -> list[Reading]:
    return sorted((read_file(memo.path, memo.content) for memo in memos), key=lambda reading: reading.memo.path)


@pytest.fixture(scope="module")
def read(readings: list[Reading]) -> list[Memo]:
    return [reading.memo for reading in readings]


def test_the_same_seed_gives_the_same_memos(memos: list[GeneratedMemo]) -> None:
    assert list(build_memos(COUNT)) == memos


def test_another_seed_gives_others(memos: list[GeneratedMemo]) -> None:
    assert next(build_memos(COUNT, seed=1)).content != memos[0].content


@pytest.mark.parametrize("count", [0, 1, 2, 60])
def test_any_number_of_memos_can_be_had(count: int) -> None:
    assert len(list(build_memos(count))) == count


def test_memos_are_of_two_kilobytes_in_fifty_folders(memos: list[GeneratedMemo]) -> None:
    sizes = [len(memo.content) for memo in memos]
    assert all(abs(size - SIZE) < 400 for size in sizes)
    assert abs(mean(sizes) - SIZE) < 100
    assert len({os.path.dirname(memo.path) for memo in memos}) == 50
    assert len({memo.path for memo in memos}) == COUNT


def test_the_shares_are_those_of_the_docs(memos: list[GeneratedMemo], read: list[Memo]) -> None:
    bodies = [memo.content.rpartition(b"\n---\n")[2] for memo in memos]
    assert 0.75 < sum(memo.block_end > 0 for memo in read) / COUNT < 0.9
    assert 0.2 < sum(memo.has_window for memo in read) / COUNT < 0.35
    assert 0.08 < sum(bool(memo.supersedes) for memo in read) / COUNT < 0.16
    assert 0.15 < sum(map(has_marker, bodies)) / COUNT < 0.3


def test_memos_form_chains(read: list[Memo]) -> None:
    evaluation = Evaluation(Corpus(read), at=AT)
    replaced = evaluation.edges.by_target
    assert len(replaced) > 80
    assert any(edge.successor.path in replaced for edges in replaced.values() for edge in edges)


def test_references_are_written_in_many_ways(read: list[Memo]) -> None:
    written = [reference.written for memo in read for reference in memo.supersedes]
    assert {each[0] for each in written} >= {'"', "'", "."}
    assert any("/" in each for each in written)
    assert any(each.endswith(".md") for each in written)


def test_the_corpus_lints_without_errors_or_warnings(readings: list[Reading]) -> None:
    found = lint(readings, Settings(RULES).merge(select=["ALL"]), at=AT).diagnostics
    assert found, "expired memos are told, so the rules did run"
    assert [each for each in found if each.severity is not Severity.INFO] == []
