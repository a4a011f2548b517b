"""From readings to findings: severities, places that are ignored, suppressions, order."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.adapters.corpus_config import Configuration
from recall_core.ports.corpus import ReadFailure
from recall_lint.config import build_settings
from recall_lint.diagnostic import Severity
from recall_lint.engine import Findings, lint, sort_key
from recall_lint.reading import read_file
from recall_lint.rules import RULES

AT = datetime(2026, 6, 15, tzinfo=UTC)


def judge(memos: dict[str, bytes | ReadFailure], **table: object) -> Findings:
    """The findings over these memos under this configuration."""
    settings = build_settings(Configuration("/root", table=table), RULES)
    return lint([read_file(path, content) for path, content in sorted(memos.items())], settings, at=AT)


def codes(findings: Findings) -> list[str]:
    return [f"{each.path} {each.code}" for each in findings.diagnostics]


MEMOS: dict[str, bytes | ReadFailure] = {
    "a.md": b"---\nsupersedes: nowhere\n---\n",
    "b.md": b"---\nsupersedes: [nowhere, old#part]\n---\n",
    "old.md": b"",
}


def test_findings_stand_in_order_of_path_line_column_and_code():
    found = judge(MEMOS)
    assert codes(found) == ["a.md RL201", "b.md RL201", "b.md RL206"]
    assert list(found.diagnostics) == sorted(found.diagnostics, key=sort_key)
    assert (found.memos, found.suppressed) == (3, 0)


def test_a_severity_is_given_to_every_finding_of_a_rule():
    found = judge(MEMOS, severity={"RL201": "info", "partial-reference": "error"})
    assert [each.severity for each in found.diagnostics] == [Severity.INFO, Severity.INFO, Severity.ERROR]
    assert codes(judge(MEMOS, severity={"RL201": "off"})) == ["b.md RL206"]


def test_a_rule_is_ignored_at_its_place():
    assert codes(judge(MEMOS, **{"per-file-ignores": {"b.md": ["RL2"]}})) == ["a.md RL201"]
    assert codes(judge(MEMOS, **{"per-file-ignores": {"*.md": ["RL201"]}})) == ["b.md RL206"]


SUPPRESSED = {"a.md": b"---\n# recall: ignore RL201\nsupersedes: nowhere\n---\n"}
UNUSED = {"a.md": b"---\n# recall: ignore RL201\ntitle: A\n---\n"}


def test_a_suppressed_finding_is_counted():
    assert (codes(judge(SUPPRESSED)), judge(SUPPRESSED).suppressed) == ([], 1)


def test_a_suppression_of_a_rule_that_does_not_run_is_not_called_unused():
    assert codes(judge(UNUSED)) == ["a.md RL901"]
    assert codes(judge(UNUSED, ignore=["RL201"])) == []
    assert codes(judge(SUPPRESSED, ignore=["RL201"])) == []


def test_unused_suppressions_are_a_rule_like_any_other():
    assert codes(judge(UNUSED, ignore=["RL901"])) == []
    assert codes(judge(UNUSED, select=["RL2"])) == []
    assert codes(judge(UNUSED, severity={"RL901": "off"})) == []
    assert codes(judge(UNUSED, **{"per-file-ignores": {"a.md": ["RL901"]}})) == []
    (found,) = judge(UNUSED, severity={"RL901": "error"}).diagnostics
    assert found.severity is Severity.ERROR


def test_what_could_not_be_read_is_a_finding_and_a_folder_is_no_memo():
    found = judge({"a.md": ReadFailure("Input/output error"), "private/": ReadFailure("Permission denied")})
    assert codes(found) == ["a.md RL001", "private/ RL001"]
    assert found.memos == 1


NAMES = st.sampled_from(["a.md", "b.md", "x/a.md", "x/B.md", "c d.md"])
VALUES = st.sampled_from(
    ["a", "b", "B", "[[a]]", "a#x", "x/a.md", "nowhere", "[a, b]", "~", "TBD", "{}", "&x [*x]", '"']
)
LINES = st.lists(
    VALUES.map("supersedes: {}".format)
    | st.sampled_from(["valid_from: 2026-01-01", "valid_until: 2026-02-30", "# recall: ignore RL201", "x:", "- y", ""]),
    max_size=4,
)
CORPORA = st.dictionaries(
    NAMES, LINES.map(lambda lines: "\n".join(["---", *lines, "---", "This replaces a."]).encode())
)


@given(CORPORA)
def test_any_corpus_is_judged_and_the_same_way_each_time(memos):
    found = judge(memos)
    assert found == judge(memos)
    assert found.memos == len(memos)
    assert list(found.diagnostics) == sorted(found.diagnostics, key=sort_key)
    assert {each.path for each in found.diagnostics} <= set(memos)


@given(CORPORA)
def test_a_corpus_that_lints_without_errors_is_one_that_the_engine_answers_from(memos):  # J6
    found = judge(memos)
    if any(each.severity is Severity.ERROR for each in found.diagnostics) or found.suppressed:
        return
    from recall_core.graph.corpus import Corpus
    from recall_core.graph.evaluate import Evaluation

    corpus = Corpus(read_file(path, content).memo for path, content in sorted(memos.items()))
    verdicts = {Evaluation(corpus, at=AT).verdict(memo).value for memo in corpus.memos}
    assert not verdicts & {"invalid_metadata", "ambiguous_supersession"}


@pytest.mark.parametrize("code", [rule.code for rule in RULES])
def test_a_rule_that_is_not_selected_finds_nothing(code):
    memos = MEMOS | UNUSED | {"c.md": b"\xff", "d.md": b"---\nsupersedes: d\n", "e.md": b"---\nvalid_from: x\n---\n"}
    assert not [each for each in judge(memos, ignore=[code]).diagnostics if each.code == code]
    assert {each.code for each in judge(memos, select=[code]).diagnostics} <= {code}
