"""Which line RL301 asks for, and in which memo."""

from datetime import UTC, datetime

import pytest

from recall_core.graph.corpus import Corpus
from recall_core.graph.evaluate import Evaluation
from recall_lint.inspection import Inspection
from recall_lint.reading import read_file
from recall_lint.rules.prose import undeclared_closure


def check(files):
    readings = [read_file(path, files[path].encode()) for path in sorted(files)]
    evaluation = Evaluation(Corpus(reading.memo for reading in readings), at=datetime(2026, 6, 1, tzinfo=UTC))
    closures = {reading.memo.path: reading.closures for reading in readings if reading.closures}
    return list(undeclared_closure.check(Inspection(evaluation, closures)))


@pytest.mark.parametrize(
    ("sentence", "help_"),
    [
        ("This memo supersedes [[limits-v1]].", "if this memo replaces `limits-v1`, declare `supersedes: limits-v1`"),
        ("Superseded by [[limits-v1]].", "if `limits-v1` replaces this memo, declare `supersedes: new` there"),
        (
            "[[limits-v1]] is superseded by this memo.",
            "if this memo replaces `limits-v1`, declare `supersedes: limits-v1`",
        ),
        (
            "This replaces [[limits-v1]] and [[a: b]].",
            'if this memo replaces `limits-v1` or `a: b`, declare `supersedes: [limits-v1, "a: b"]`',
        ),
    ],
    ids=["active", "passive", "by this", "two"],
)
def test_the_help_is_a_line_to_paste(sentence, help_):
    (finding,) = check({"limits-v1.md": "", "a: b.md": "", "new.md": f"{sentence}\n"})
    assert finding.help.split("; if it means")[0] == help_


def test_a_sentence_is_one_finding_however_many_words_of_replacement_it_has():
    assert (
        len(check({"a-1.md": "", "new.md": "It supersedes, obsoletes and replaces [[a-1]]. It retires [[a-1]].\n"}))
        == 2
    )


@pytest.mark.parametrize("block", ["---\nsupersedes: [a-1\n---\n", "---\nsupersedes: a-1\nsupersedes: b\n---\n"])
def test_an_unreadable_memo_is_left_to_the_rule_about_its_block(block):
    assert check({"a-1.md": "", "new.md": f"{block}\nThis replaces [[a-1]].\n"}) == []


def test_a_name_that_two_memos_have_is_no_question():
    assert check({"x/a-1.md": "", "y/a-1.md": "", "new.md": "This replaces [[a-1]].\n"}) == []


def test_an_edge_between_two_others_does_not_answer_for_this_memo():
    files = {"a-1.md": "", "a-2.md": "---\nsupersedes: a-1\n---\n", "new.md": "This replaces [[a-2]].\n"}
    assert [finding.path for finding in check(files)] == ["new.md"]
