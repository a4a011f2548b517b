"""Which line RL301 asks for, and in which memo."""

from datetime import UTC, datetime

import pytest

from recall_core.adapters.corpus_config import Configuration
from recall_lint.config import build_settings
from recall_lint.engine import lint
from recall_lint.inspection import Surroundings
from recall_lint.questions.text import read_text
from recall_lint.reading import read_file
from recall_lint.rules import RULES

SETTINGS = build_settings(Configuration(root=".", table={"select": ["RL301"]}), RULES)


def check(files):
    readings = [read_file(path, files[path].encode()) for path in sorted(files)]
    surroundings = Surroundings(read_texts=lambda paths: {path: read_text(files[path].encode()) for path in paths})
    return lint(readings, SETTINGS, at=datetime(2026, 6, 1, tzinfo=UTC), surroundings=surroundings).diagnostics


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
            'if this memo replaces `a: b` or `limits-v1`, declare `supersedes: ["a: b", limits-v1]`',
        ),
    ],
    ids=["active", "passive", "by this", "two"],
)
def test_the_help_is_a_line_to_paste(sentence, help_):
    (finding,) = check({"limits-v1.md": "", "a: b.md": "", "new.md": f"{sentence}\n"})
    assert finding.help.split("; if it means")[0] == help_


def test_a_pair_is_one_finding_however_many_words_and_sentences_tell_of_it():
    body = "This memo supersedes, obsoletes and replaces [[a-1]]. This memo replaces [[a-1]].\n"
    assert len(check({"a-1.md": "", "new.md": body})) == 1


@pytest.mark.parametrize("block", ["---\nsupersedes: [a-1\n---\n", "---\nsupersedes: a-1\nsupersedes: b\n---\n"])
def test_an_unreadable_memo_is_left_to_the_rule_about_its_block(block):
    assert check({"a-1.md": "", "new.md": f"{block}\nThis replaces [[a-1]].\n"}) == ()


def test_a_name_that_two_memos_have_is_no_question():
    assert check({"x/a-1.md": "", "y/a-1.md": "", "new.md": "This replaces [[a-1]].\n"}) == ()


def test_an_edge_between_two_others_does_not_answer_for_this_memo():
    files = {"a-1.md": "", "a-2.md": "---\nsupersedes: a-1\n---\n", "new.md": "This replaces [[a-2]].\n"}
    assert [finding.path for finding in check(files)] == ["new.md"]
