"""What one file gives to the linter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.model.memo import ProblemKind
from recall_core.ports.corpus import ReadFailure
from recall_lint.reading import Reading, read_file


def kinds(reading: Reading) -> list[ProblemKind]:
    return [problem.kind for problem in reading.memo.problems]


@given(st.binary(max_size=400))
def test_any_bytes_are_read(content):
    reading = read_file("a.md", content)
    assert (reading.memo.path, reading.memo.key) == ("a.md", "a")


PIECES = [
    "---",
    "...",
    "supersedes: a",
    "valid_from: 2026-01-01",
    "x: [",
    "```",
    "~~~",
    "<!--",
    "-->",
    "",
    " ",
    "\t- y",
    "# h",
    "\ufeff",
]


@given(st.lists(st.sampled_from(PIECES), max_size=12), st.sampled_from(["\n", "\r\n", "\r"]))
def test_line_ends_do_not_change_what_is_read(lines, end):
    reading, plain = (read_file("a.md", each.join([*lines, ""]).encode()) for each in (end, "\n"))
    assert reading.memo.supersedes == plain.memo.supersedes
    assert [(each.kind, each.span, each.message) for each in reading.memo.problems] == [
        (each.kind, each.span, each.message) for each in plain.memo.problems
    ]
    assert reading.trace == plain.trace
    assert reading.suppressions == plain.suppressions


@given(st.binary(max_size=200), st.sampled_from(["b.md", "x/y/a.md"]))
def test_the_name_decides_path_and_key_alone(content, other):
    # A cache keeps readings by content: nothing else may come from the name.
    one, two = read_file("a.md", content), read_file(other, content)
    assert one.memo.problems == two.memo.problems
    assert (one.trace, one.suppressions, one.memo.supersedes) == (
        two.trace,
        two.suppressions,
        two.memo.supersedes,
    )


def test_what_the_system_refused_is_unreadable():
    memo = read_file("a.md", ReadFailure("Input/output error")).memo
    assert not memo.readable
    assert "Input/output error" in memo.problems[0].message


@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        ("\n\n---\nsupersedes: a\n---\n", ProblemKind.LEADING_BLANK_BLOCK, 3),
        ("---\n\nsupersedes: a\n---\n", ProblemKind.MISPLACED_BLOCK, 1),
        ("text\n\n---\nsupersedes: a\n---\n", ProblemKind.MISPLACED_BLOCK, 3),
        ("---\ntitle: A\n---\n\n---\nvalid_until: 2026-01-01\n---\n", ProblemKind.MISPLACED_BLOCK, 5),
    ],
)
def test_a_block_in_the_wrong_place_is_found_at_its_fence(text, kind, line):
    reading = read_file("a.md", text.encode())
    assert kinds(reading) == [kind]
    assert reading.memo.problems[0].span.line == line
    assert reading.memo.supersedes == ()


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: A\n---\n```\n---\nsupersedes: a\n---\n```\n",
        "---\ntitle: A\n---\n\n    ---\n    supersedes: a\n    ---\n",
        "---\n\nA page: that opens with a rule.\n\n---\n",
        "text\n\n---\n\nsupersedes is a key\n",
    ],
)
def test_an_example_in_code_and_a_rule_between_paragraphs_are_no_blocks(text):
    assert kinds(read_file("a.md", text.encode())) == []


def test_the_body_of_a_block_that_never_closes_is_not_read():
    reading = read_file("a.md", b"---\ntitle: A\nThis replaces b.md.\n")
    assert kinds(reading) == [ProblemKind.UNCLOSED_BLOCK]
    assert not reading.trace


def test_a_body_leaves_behind_whom_its_sentences_about_replacement_name():
    reading = read_file("a.md", b"---\ntitle: A\n---\n\nThis memo replaces b.md. See c.md.\n\nSee d.md.\n")
    assert reading.trace.keys == ("b", "c")
