"""What metadata and comments say of two memos."""

import pytest

from recall_core.graph.corpus import Corpus
from recall_lint.questions.answers import Answer, Answers
from recall_lint.reading import read_file


def answers(**texts):
    readings = [read_file(f"{name}.md", text.encode()) for name, text in texts.items()]
    return Answers(
        Corpus(each.memo for each in readings), {each.memo.path: each.declines for each in readings}.__getitem__
    )


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("---\nsupersedes: old\n---\n", Answer.DECLARED),
        ("---\nsupersedes: [x, '[[old|alias]]']\n---\n", Answer.DECLARED),
        ("---\nsupersedes: old#part\n---\n", Answer.DECLARED),
        ("<!-- recall: not-superseding old both hold -->\n", Answer.DECLINED),
        ("---\n# recall: not-superseding old\ntitle: x\n---\n", Answer.DECLINED),
        ("---\nsupersedes: older\n---\n", None),
        ("---\nsupersedes: [old\n---\n", None),
        ("This supersedes [[old]].\n", None),
    ],
)
def test_either_direction_settles_a_pair(text, answer):
    said = answers(new=text, old="# Old\n")
    assert said.find("new.md", "old.md") is answer
    assert said.find("old.md", "new.md") is answer


def test_a_name_without_a_memo_has_no_answer():
    assert answers(new="---\nsupersedes: gone\n---\n").find("new.md", "gone") is None


def test_what_is_declared_is_listed_once_in_order():
    said = answers(new="---\nsupersedes: [b, a, b.md, gone, new]\n---\n", a="", b="")
    memo = said._corpus.memo("new.md")
    assert said.declared(memo) == ("b.md", "a.md")
