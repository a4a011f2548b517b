"""Who may speak of whom: an index must miss nobody that asking one by one finds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.prose.names import Names
from recall_lint.questions import speakers
from recall_lint.questions.speakers import Speakers
from recall_lint.reading import read_file

NAMES = ["adr-1", "adr-2", "adr-12", "0003-queues", "limits", "limits-v2", "pep-0440"]
WAYS = [
    "[[{}]]", "{}.md", "docs/{}.md", "[the text](../{}.md)", "[Use queues](x/{}.md)", '"Title of {}"', "ADR 12", "ADRs 1-3",
    "ADR-2, ADR-3", "PEP 440", "[ADR 12](else.md)", "[Title of limits](gone.md)", '"limits"',
]  # fmt: skip


def reading(name, body=""):
    return read_file(f"docs/{name}.md", f"---\ntitle: Title of {name}\nlabel: {name}\n---\n{body}\n".encode())


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(WAYS), st.sampled_from(NAMES)), max_size=12))
def test_looking_up_misses_nobody_that_asking_finds(said):
    bodies = dict.fromkeys(NAMES, "")
    for speaker, way, about in said:
        bodies[speaker] += f"This memo supersedes {way.format(about)}.\n\n"
    readings = [reading(name, body) for name, body in bodies.items()]
    memos = [each.memo for each in readings]
    asked = Speakers(readings, Names(memos))
    for memo in memos:
        assert set(asked._ask(memo)) <= set(asked._look_up(memo)), memo.path
        assert memo.path not in asked._look_up(memo)


@pytest.mark.parametrize("few", [0, 99])
def test_both_ways_find_the_one_that_speaks_and_leave_out_the_silent(monkeypatch, few):
    monkeypatch.setattr(speakers, "_FEW", few)
    readings = [
        reading("limits"),
        reading("limits-v2", "This supersedes [[limits]]."),
        reading("adr-1", "See [[limits]]."),
    ]
    memos = [each.memo for each in readings]
    found = Speakers(readings, Names(memos)).of_all(memos)
    assert found == {"docs/limits.md": ("docs/limits-v2.md",), "docs/limits-v2.md": (), "docs/adr-1.md": ()}
