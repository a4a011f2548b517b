"""Which memo a declined question names, and the line that declines one."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from recall_core.frontmatter.lines import LineTable
from recall_core.frontmatter.reference import BLANKS
from recall_core.model.memo import Style
from recall_lint.codec import Codec
from recall_lint.reading import Reading, read_file
from recall_lint.suppress import Decline, parse_directives, render_decline, render_target


def parse(text: str, block_end: int = 0) -> tuple[Decline, ...]:
    return parse_directives(text, block_end).declines


@pytest.mark.parametrize(
    ("written", "target", "key"),
    [
        ("limits-v1", "limits-v1", "limits-v1"),
        ("limits-v1 both hold", "limits-v1", "limits-v1"),
        ("limits-v1: both hold", "limits-v1", "limits-v1"),
        ("limits-v1, both hold", "limits-v1", "limits-v1"),
        ("limits-v1.md -- both hold", "limits-v1.md", "limits-v1"),
        ("docs/limits-v1.md", "docs/limits-v1.md", "limits-v1"),
        ("../limits-v1", "../limits-v1", "limits-v1"),
        ("[limits-v1] both hold", "[limits-v1]", "limits-v1"),
        ("[[limits-v1]] both hold", "[[limits-v1]]", "limits-v1"),
        ("[[limits-v1]]: both hold", "[[limits-v1]]", "limits-v1"),
        ("[[my memo]] both hold", "[[my memo]]", "my memo"),
        ('"my memo" both hold', "my memo", "my memo"),
        ("'my memo' both hold", "my memo", "my memo"),
        ("'it''s'", "it's", "it's"),
        ('"a \\"b\\" \\\\ \\x3e\\u00e4\\U0001f600\\n"', 'a "b" \\ >\u00e4\U0001f600', 'a "b" \\ >\u00e4\U0001f600'),
        ('"a\\q\\xz\\U00110000"', "a\\q\\xz\\U00110000", "a\\q\\xz\\U00110000"),
        ('"limits"v1', '"limits"v1', '"limits"v1'),
        ('"my memo', '"my', '"my'),
        ("[[my memo", "[[my", "[[my"),
        ('""', "", ""),
        (
            "\u043b\u0438\u043c\u0438\u0442\u044b",
            "\u043b\u0438\u043c\u0438\u0442\u044b",
            "\u043b\u0438\u043c\u0438\u0442\u044b",
        ),
    ],
)
def test_a_target_is_a_reference_in_any_form(written: str, target: str, key: str) -> None:
    for text, end in (
        (f"a <!-- recall: not-superseding {written} -->\n", 0),
        (f"---\na: b # recall: not-superseding {written}\n---\n", 3),
    ):
        (found,) = parse(text, end)
        assert found.target is not None
        assert (found.target.value, found.target.key) == (target, key)
        table, span = LineTable(text), found.target.span
        assert text[table.offset(*span[:2]) : table.offset(*span[2:])] == found.target.written


def test_an_alias_and_a_section_are_cut_from_the_name() -> None:
    for written in ("[[limits-v1|Limits]]", "limits-v1#quota", "[[docs/limits-v1.md#quota|Quota]] reason"):
        (found,) = parse(f"<!-- recall: not-superseding {written} -->")
        assert found.target is not None
        assert found.target.name == "limits-v1"


@pytest.mark.parametrize("rest", ["", " ", " -- a reason", ": a reason", " , limits-v1", " \u2014 a reason"])
def test_one_that_names_nothing_is_one_without_a_target(rest: str) -> None:
    assert [found.target for found in parse(f"<!-- recall: not-superseding{rest} -->")] == [None]


@pytest.mark.parametrize(
    "text",
    [
        "<!-- recall: not-superseding-any limits-v1 -->",
        "<!-- recall: notsuperseding limits-v1 -->",
        "<!-- Recall: not-superseding limits-v1 -->",
        "<!-- as recall: not-superseding limits-v1 -->",
        "`<!-- recall: not-superseding limits-v1 -->`",
        "```\n<!-- recall: not-superseding limits-v1 -->\n```",
        "    <!-- recall: not-superseding limits-v1 -->",
        "# recall: not-superseding limits-v1",
        '---\na: "# recall: not-superseding limits-v1"\n---\n',
    ],
)
def test_another_comment_or_an_example_declines_nothing(text: str) -> None:
    assert parse(text, 3 if text.startswith("---") else 0) == ()


def test_declines_and_suppressions_leave_each_other_alone() -> None:
    text = "<!-- recall: ignore RL302 -->\n<!-- recall: not-superseding limits-v1 -->\nb\n"
    found = parse_directives(text, 0)
    assert [(one.line, len(found.declines)) for one in found.suppressions] == [(3, 1)]


def test_a_removal_takes_the_comment_and_the_line_it_stands_alone_on() -> None:
    for text, rest in (
        ("a\n<!-- recall: not-superseding limits-v1 -->\nb\n", "a\nb\n"),
        ("a <!-- recall: not-superseding limits-v1 --> b\n", "a b\n"),
        ("a\r\n<!-- recall: not-superseding\r\nlimits-v1 -->\r\nb", "a\r\nb"),
        ("---\n# recall: not-superseding limits-v1\na: b\n---\n", "---\na: b\n---\n"),
    ):
        (found,) = parse(text, 4 if text.startswith("---") else 0)
        table, span = LineTable(text), found.removal.span
        assert text[: table.offset(*span[:2])] + text[table.offset(*span[2:]) :] == rest


@pytest.mark.parametrize(
    ("target", "reason", "line"),
    [
        ("limits-v1", "", "<!-- recall: not-superseding limits-v1 -->"),
        ("docs/limits-v1.md", "both hold", "<!-- recall: not-superseding docs/limits-v1.md both hold -->"),
        ("[[limits-v1]]", "", "<!-- recall: not-superseding [[limits-v1]] -->"),
        ("[[my memo]]", "", "<!-- recall: not-superseding [[my memo]] -->"),
        ("my memo", "", '<!-- recall: not-superseding "my memo" -->'),
        ("limits:", "", '<!-- recall: not-superseding "limits:" -->'),
        ("a --> b", "c --> d --!> e", '<!-- recall: not-superseding "a --\\x3e b" c -- > d -- !> e -->'),
        ('"', "two\r\n\r\nlines\u2028here\0", '<!-- recall: not-superseding "\\"" two lines here -->'),
        ("a\n\u202eb\udc80", "\udc80", '<!-- recall: not-superseding "a\\x0a\\u202eb\\udc80" \ufffd -->'),
        ("a -> b", "c -> d", '<!-- recall: not-superseding "a -\\x3e b" c -> d -->'),
    ],
)
def test_the_line_for_a_decline_is_one_comment(target: str, reason: str, line: str) -> None:
    assert render_decline(target, reason) == line


HOSTILE = st.text(st.sampled_from("->!<\"'\\[]|#/. \n\t\r,:;ax\u0301\u2028\u202e\udc80\U0001f600")) | st.text()


@given(HOSTILE, HOSTILE)
@example("-->", "-->")
@example("a--", "--")
@example("[[a]]", "->")
def test_what_is_rendered_reads_back_as_the_same_target(target: str, reason: str) -> None:
    line = render_decline(target, reason)
    assert len(LineTable(line).starts) == 1
    assert line.count("-->") == 1
    assert "--!>" not in line
    line.encode()
    for text in (f"{line}\n", f"before\n\n{line}\nafter --> it\n", f"---\na: b\n---\n{line}"):
        (found,) = parse(text, 3 if text.startswith("---") else 0)
        assert found.target is not None
        assert found.target.value == target.strip(BLANKS)
        assert found.target.style in (Style.PLAIN, Style.QUOTED, Style.WIKILINK)
        removed = found.removal.span
        assert (removed.line, removed.column) == (found.span.line, 1)


@given(HOSTILE)
def test_a_target_is_rendered_the_same_again(target: str) -> None:
    assert render_target(target.strip(BLANKS)) == render_target(target)


PIECES = st.sampled_from(
    ["recall: not-superseding", "<!--", "-->", " # ", '"', "'", "\\", "\\x3", "\\ud800", "[[", "]]", "|", "#", "a", " ", "\n", "\r", "---\n", ":"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=40).map("".join) | st.text(), st.integers(-1, 9))
def test_any_text_is_read_and_every_target_lies_in_its_comment(text: str, end: int) -> None:
    table = LineTable(text)
    for found in parse(text, end):
        comment = text[table.offset(*found.span[:2]) : table.offset(*found.span[2:])]
        assert "not-superseding" in comment
        if found.target is not None:
            span = found.target.span
            assert text[table.offset(*span[:2]) : table.offset(*span[2:])] == found.target.written
            assert found.target.written in comment
    reading = read_file("a.md", f"{text} recall:".encode(errors="replace"))
    codec = Codec(Reading)
    assert codec.decode(codec.encode(reading)) == reading


def test_a_reading_keeps_what_is_declined() -> None:
    reading = read_file(
        "a.md", b"---\ntitle: b # recall: not-superseding x\n---\n<!-- recall: not-superseding [[y]] -->\n"
    )
    assert [decline.target and decline.target.key for decline in reading.declines] == ["x", "y"]
    codec = Codec(Reading)
    assert codec.decode(codec.encode(reading)) == reading


def test_a_hostile_text_costs_no_more_than_its_length() -> None:
    for piece in ('"', "'", "\\", "[[", "[", "]", "-", " ", ",", '"\\'):
        parse(f"<!-- recall: not-superseding {piece * 100_000} -->")
        parse("<!-- recall: not-superseding " + f"{piece * 9} --> <!-- recall: not-superseding " * 3_000)
