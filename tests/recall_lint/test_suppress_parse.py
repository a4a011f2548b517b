"""Which comments are suppressions, which rules they name and which line they cover."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.frontmatter.lines import LineTable
from recall_core.model.span import Span
from recall_lint.suppress import Form, Suppression, may_direct, parse_directives


def block_end(text: str) -> int:
    lines = text.split("\n")
    return lines.index("---", 1) + 1 if lines[0] == "---" and "---" in lines[1:] else 0


def parse(text: str) -> tuple[Suppression, ...]:
    return parse_directives(text, block_end(text)).suppressions


def covered(text: str) -> list[tuple[list[str], int | None]]:
    return [([rule.text for rule in found.rules], found.line) for found in parse(text)]


def taken(text: str, span: Span) -> str:
    table = LineTable(text)
    return text[table.offset(span.line, span.column) : table.offset(span.end_line, span.end_column)]


def removed(text: str) -> list[str]:
    """The text after each suppression's removal alone."""
    table = LineTable(text)
    results = []
    for found in parse(text):
        span = found.removal.span
        start, end = table.offset(span.line, span.column), table.offset(span.end_line, span.end_column)
        results.append(text[:start] + found.removal.text + text[end:])
    return results


def test_only_a_file_that_holds_the_word_is_read() -> None:
    assert may_direct(b"x <!-- recall: ignore RL301 -->")
    assert not may_direct(b"as I recall, ignore RL301")


@pytest.mark.parametrize(
    ("comment", "rules"),
    [
        ("recall: ignore RL301", ["RL301"]),
        ("recall:ignore RL301", ["RL301"]),
        ("recall: ignore rl301", ["rl301"]),
        ("recall: ignore RL301, RL302", ["RL301", "RL302"]),
        ("recall: ignore RL301 RL302", ["RL301", "RL302"]),
        ("recall: ignore RL301,RL302,", ["RL301", "RL302"]),
        ("recall: ignore undeclared-closure link-to-superseded", ["undeclared-closure", "link-to-superseded"]),
        ("recall: ignore RL301 -- both replace it together", ["RL301"]),
        ("recall: ignore RL301: both replace it together", ["RL301"]),
        ("recall: ignore RL301 \u2014 both replace it", ["RL301"]),
        ("recall: ignore RL301 both replace it together", ["RL301"]),
        ("recall: ignore RL301, since both replace it", ["RL301"]),
        ("recall: ignore RL301 RL302: RL303", ["RL301", "RL302"]),
        ("recall: ignore-file RL301", ["RL301"]),
        ("recall: ignore everything", ["everything"]),
        ("recall: ignore [RL301]", ["[RL301]"]),
        ("recall: ignore", []),
        ("recall: ignore -- a reason", []),
        ("recall: ignore: RL301", []),
        ("recall: ignore-file", []),
    ],
)
def test_a_suppression_names_its_rules_and_perhaps_a_reason(comment: str, rules: list[str]) -> None:
    for text, form in ((f"---\na: b # {comment}\n---\n", Form.YAML), (f"a <!-- {comment} --> b\n", Form.HTML)):
        (found,) = parse(text)
        assert [rule.text for rule in found.rules] == rules
        assert all(taken(text, rule.span) == rule.text for rule in found.rules)
        assert found.form is form


@pytest.mark.parametrize(
    "comment",
    [
        "recall: ignored RL301",
        "recall: ignore-line RL301",
        "recall: not-superseding old.md",
        "as I recall: ignore RL301",
        "Recall: ignore RL301",
        "recall : ignore RL301",
    ],
)
def test_another_comment_is_none(comment: str) -> None:
    assert parse(f"---\na: b # {comment}\n---\na <!-- {comment} --> b\n") == ()


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a\nb <!-- recall: ignore RL301 -->\nc\n", [2]),
        ("<!-- recall: ignore RL301 --> b\nc\n", [1]),
        ("<!-- recall: ignore RL301 -->\n\n \t\n>\nc\n", [5]),
        ("<!-- recall: ignore RL301 -->\n<!-- recall: ignore RL302 -->\n\nc\n", [4, 4]),
        ("<!-- recall: ignore RL301 --> <!-- recall: ignore RL302 -->\nc\n", [2, 2]),
        ("<!-- recall: ignore RL301 --> a <!-- recall: ignore RL302 -->\nc\n", [1, 1]),
        ("<!-- recall: ignore RL301 -->\n<!-- another -->\nc\n", [2]),
        ("<!-- recall: ignore RL301 -->\n", [0]),
        ("<!-- recall: ignore RL301 -->", [0]),
        ("> <!-- recall: ignore RL301 -->\n> c\n", [2]),
        ("- <!-- recall: ignore RL301 -->\n- c\n", [1]),
        ("a <!-- recall: ignore RL301\n because --> b\nc", [1]),
        ("<!-- recall: ignore RL301\n because --> b\nc", [2]),
        ("<!--\nrecall: ignore RL301\n-->\nc", [4]),
        ("<!-- recall: ignore-file RL301 -->\nc\n", [None]),
        ("a\n\nb <!-- recall: ignore-file RL301 -->", [None]),
        ("---\na: b # recall: ignore RL301\n---\n", [2]),
        ("---\n# recall: ignore RL301\n\na: b\n---\n", [4]),
        ("---\n# recall: ignore RL301\n# recall: ignore RL302\na: b\n---\n", [4, 4]),
        ("---\n# recall: ignore RL301\n# another\na: b\n---\n", [3]),
        ("---\na: b\n# recall: ignore RL301\n---\nc\n", [0]),
        ("---\na: b\n# recall: ignore-file RL301\n---\nc\n", [None]),
        ("---\na:\n  - b # recall: ignore RL301\n  # recall: ignore RL302\n  - c\n---\n", [3, 5]),
        ("---\na: b\n---\n<!-- recall: ignore RL301 -->\nc <!-- recall: ignore RL302 -->\n", [5, 5]),
        ("a\r\nb <!-- recall: ignore RL301 -->\r\n\r\n<!-- recall: ignore RL301 -->\r\nc", [2, 5]),
        ("a\rb <!-- recall: ignore RL301 -->\r\r<!-- recall: ignore RL301 -->\rc", [2, 5]),
        ("a\u2028b <!-- recall: ignore RL301 -->\x0bc\n", [1]),
    ],
)
def test_beside_content_it_covers_its_line_and_alone_the_next_that_has_some(text: str, lines: list[int | None]) -> None:
    assert [line for _, line in covered(text)] == lines


@pytest.mark.parametrize(
    "text",
    [
        "```\n<!-- recall: ignore RL301 -->\n```\n",
        "~~~ md\n<!-- recall: ignore RL301 -->\n~~~\n",
        "````md\n```\n<!-- recall: ignore RL301 -->\n```\n<!-- recall: ignore RL301 -->\n````\n",
        "```\n~~~\n<!-- recall: ignore RL301 -->\n",
        "```\n    ```\n<!-- recall: ignore RL301 -->\n```\n",
        "- a\n\n  ```\n  <!-- recall: ignore RL301 -->\n  ```\n",
        "1. ```\n   <!-- recall: ignore RL301 -->\n   ```\n",
        "> ```\n> <!-- recall: ignore RL301 -->\n> ```\n",
        "a `<!-- recall: ignore RL301 -->` b\n",
        "a ``<!-- recall: ignore RL301 --> ` `` b\n",
        "a `code\n<b> <!-- recall: ignore RL301 -->` b\n",
        "\\``<!-- recall: ignore RL301 -->`\n",
        "\\<!-- recall: ignore RL301 -->\n",
        "a\n\n    <!-- recall: ignore RL301 -->\n",
        "a\n\n\t<!-- recall: ignore RL301 -->\n",
        "- a\n\nb\n\n    <!-- recall: ignore RL301 -->\n",
        "<!-- recall: ignore RL301\n",
        "<!-- another\n<!-- recall: ignore RL301 -->\n",
        "<!--\n```\n<!-- recall: ignore RL301 -->\n",
        "a <!-- recall: ignore RL301\n\nb -->\n",
        "# recall: ignore RL301\n",
        '---\na: "x # recall: ignore RL301"\n---\n',
        "---\na: 'it''s # recall: ignore RL301'\n---\n",
        '---\na: "x\n  # recall: ignore RL301\n  y"\n---\n',
        '---\na: [b, "\\" # recall: ignore RL301"]\n---\n',
        '---\na: !t "# recall: ignore RL301"\n---\n',
        "---\na: b#recall: ignore RL301\n---\n",
        "---\na: |\n  # recall: ignore RL301\n\n  # recall: ignore RL301\nb: c\n---\n",
        "---\n- >-\n  # recall: ignore RL301\n---\n",
        "---\n- a: |2\n    # recall: ignore RL301\n---\n",
        "---\na: <!-- recall: ignore RL301 -->\n---\n",
    ],
)  # fmt: skip
def test_an_example_or_a_text_is_no_suppression(text: str) -> None:
    assert parse(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "```\na\n```\n<!-- recall: ignore RL301 -->\n",
        "``` a`b\n<!-- recall: ignore RL301 -->\n",
        "a ` b <!-- recall: ignore RL301 -->\n",
        "a ` b\n\n<b> <!-- recall: ignore RL301 --> `\n",
        "# a `\nb <!-- recall: ignore RL301 --> `\n",
        "| a ` |\n| <!-- recall: ignore RL301 --> ` |\n",
        "- a `\n- b <!-- recall: ignore RL301 --> `\n",
        "a `b\n<!-- recall: ignore RL301 --> `\n",
        "\\`<!-- recall: ignore RL301 -->`\n",
        "a\n    <!-- recall: ignore RL301 -->\n",
        "- a\n\n    <!-- recall: ignore RL301 -->\n",
        "a\n- b\n\n    <!-- recall: ignore RL301 -->\n",
        "> ```\n> a\n\n<!-- recall: ignore RL301 -->\n",
        "<!--> <!-- recall: ignore RL301 -->\n",
        "<!--\n```\n-->\n<!-- recall: ignore RL301 -->\n",
        "<!-- a\n\nb --> c <!-- recall: ignore RL301 -->\n",
        "---\na: it's # recall: ignore RL301\n---\n",
        "---\na: rock 'n roll # recall: ignore RL301\nb: it's\n---\n",
        '---\na: "x" # recall: ignore RL301\n---\n',
        '---\na: "x\n  y" # recall: ignore RL301\n---\n',
        '---\na: "x # recall: ignore RL101\n---\n',
        "---\n# recall: ignore RL301\na: b\n---\n",
        "---\na: [b, # recall: ignore RL301\n  c]\n---\n",
        "---\na: | # recall: ignore RL301\n  text # recall: ignore RL301\n---\n",
        "---\na: |\n  text\nb: c # recall: ignore RL301\n---\n",
        "---\n- a: |\n    text\n  b: c # recall: ignore RL301\n---\n",
    ],
)  # fmt: skip
def test_what_only_looks_like_code_or_text_hides_nothing(text: str) -> None:
    assert len(parse(text)) == 1


def test_in_a_block_that_is_never_closed_both_kinds_count() -> None:
    text = "---\nsupersedes: a # recall: ignore RL201\n\nb <!-- recall: ignore RL301 -->\n# recall: ignore RL302\nc\n"
    assert [(found.form, found.line) for found in parse(text)] == [(Form.YAML, 2), (Form.HTML, 4), (Form.YAML, 6)]


def test_a_rule_at_the_top_opens_no_block() -> None:
    assert parse("---\n\n# recall: ignore RL301\n") == ()


def test_a_loose_name_may_be_the_reason() -> None:
    (found,) = parse("a <!-- recall: ignore RL301 long-standing, RL302 -->")
    assert [(rule.text, rule.loose) for rule in found.rules] == [
        ("RL301", False),
        ("long-standing", True),
        ("RL302", False),
    ]
    (found,) = parse("a <!-- recall: ignore dangling-reference, empty-window -->")
    assert [rule.loose for rule in found.rules] == [False, False]


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("a <!-- recall: ignore RL301 -->\nb\n", "a\nb\n"),
        ("a <!-- recall: ignore RL301 --> b\n", "a b\n"),
        ("<!-- recall: ignore RL301 --> b\n", "b\n"),
        ("  <!-- recall: ignore RL301 -->b\n", "  b\n"),
        ("a\n  <!-- recall: ignore RL301 --> \nb\n", "a\nb\n"),
        ("a\r\n<!-- recall: ignore RL301 -->\r\nb\r\n", "a\r\nb\r\n"),
        ("a\r<!-- recall: ignore RL301 -->\rb\r", "a\rb\r"),
        ("a\n<!-- recall: ignore RL301 -->", "a\n"),
        ("a\n<!-- recall: ignore RL301\n reason -->\nb\n", "a\nb\n"),
        ("> <!-- recall: ignore RL301 -->\n> b\n", ">\n> b\n"),
        ("a <!-- recall: ignore RL301 -->  \nb\n", "a  \nb\n"),
        ("---\na: b # recall: ignore RL301\nc: d\n---\n", "---\na: b\nc: d\n---\n"),
        ("---\n# recall: ignore RL301\nc: d\n---\n", "---\nc: d\n---\n"),
    ],
)
def test_a_removal_takes_out_the_comment_and_the_line_it_stands_alone_on(text: str, rest: str) -> None:
    assert removed(text) == [rest]


def test_two_on_one_line_leave_each_other_alone() -> None:
    one, other = "<!-- recall: ignore RL301 -->", "<!-- recall: ignore RL302 -->"
    assert removed(f"{one} {other}\nc\n") == [f"{other}\nc\n", f"{one}\nc\n"]


PIECES = st.sampled_from(
    [
        "recall: ignore RL301", "recall: ignore-file RL301, x-y", "<!--", "-->", "<!-- recall: ignore RL301 -->", "# recall: ignore RL2",
        "`", "```", "~~~", "\n", "\r", "\r\n", "---", "\n---\n", "> ", "- ", "    ", " ", "\t", "a: ", "|", "'", '"', "\\", "x", "\u2028", "[", "#", ":", ",",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join))


@given(text=TEXTS, end=st.integers(-1, 12))
def test_any_text_is_read_and_every_place_lies_in_it(text: str, end: int) -> None:
    table = LineTable(text)
    before = 0
    for found in parse_directives(text, end).suppressions:
        comment = taken(text, found.span)
        assert comment.startswith("#" if found.form is Form.YAML else "<!--")
        assert found.form is Form.YAML or comment.endswith("-->")
        assert "recall:" in comment
        assert all(taken(text, rule.span) == rule.text for rule in found.rules)
        assert all(rule.text in comment for rule in found.rules)
        assert found.line is None or 0 <= found.line <= len(table.starts)
        start = table.offset(found.span.line, found.span.column)
        assert start >= before
        before = start + len(comment)


@given(text=TEXTS, end=st.integers(0, 12))
def test_a_removal_takes_the_comment_and_nothing_but_blanks_and_one_line_end_beside_it(text: str, end: int) -> None:
    for found in parse_directives(text, end).suppressions:
        comment, gone = taken(text, found.span), taken(text, found.removal.span)
        assert found.removal.text == ""
        before, _, after = gone.partition(comment)
        assert before.strip(" \t") == ""
        assert after.strip(" \t") in ("", "\n", "\r", "\r\n")


def test_a_hostile_text_costs_no_more_than_its_length() -> None:
    for piece in (
        "<!--",
        "`",
        "` ``",
        "[''",
        '["',
        "<!-- recall: ignore RL301 -->\n",
        "> ",
        "- ",
        "\\",
        ": |\n ",
        "'",
        "\n\n",
        "    \n",
    ):
        text = f"---\na: b\n{piece * 4_000}recall: ignore <!--x"
        parse_directives(text, 0)
        parse_directives(text, 3)
