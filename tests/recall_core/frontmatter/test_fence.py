"""Where a block begins and ends (DESIGN §3 "Block")."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.frontmatter.fence import (
    KEY_LINE,
    Shape,
    find_fence,
    find_fence_like,
    find_misplaced,
    find_unusual_fence,
)

FENCED = st.text(alphabet=st.sampled_from([*"-.:#a[]{}\"'|>&*!?,= \t\n\r", "é", "\u2028", "\x85"]), max_size=60)


def block(text: str) -> str | None:
    fence = find_fence(text)
    return text[fence.start : fence.end] if fence.shape is Shape.BLOCK else None


@pytest.mark.parametrize(
    ("text", "inside", "body"),
    [
        pytest.param("---\na: b\n---\nText", "a: b\n", "Text", id="plain"),
        pytest.param("---\na: b\n...\nText", "a: b\n", "Text", id="three-dots-end-it"),
        pytest.param("--- \t\na: b\n---\t \nText", "a: b\n", "Text", id="trailing-blanks"),
        pytest.param("---\r\na: b\r\n---\r\nText", "a: b\r\n", "Text", id="crlf-A15"),
        pytest.param("---\ra: b\r---\rText", "a: b\r", "Text", id="cr-A15"),
        pytest.param("---\na: b\n---", "a: b\n", "", id="no-last-line-end"),
        pytest.param(
            "---\n# a comment\n#another\na: b\n---\n", "# a comment\n#another\na: b\n", "", id="comments-first"
        ),
        pytest.param("---\na: |\n  ---\n ---\nb: c\n---\n", "a: |\n  ---\n ---\nb: c\n", "", id="indented-dashes-stay"),
        pytest.param("---\na: b\n\n---\n", "a: b\n\n", "", id="blank-line-inside"),
        pytest.param("---\na: b\n---\n---\nc\n", "a: b\n", "---\nc\n", id="the-first-end-counts"),
        pytest.param("---\nsupersedes:a\n---\n", "supersedes:a\n", "", id="validity-key-without-a-blank"),
        pytest.param('---\n"valid_from":a\n---\n', '"valid_from":a\n', "", id="quoted-validity-key"),
    ],
)
def test_a_block_ends_at_the_first_fence_in_column_one(text: str, inside: str, body: str) -> None:
    fence = find_fence(text)
    assert fence.shape is Shape.BLOCK
    assert (text[fence.start : fence.end], text[fence.body :]) == (inside, body)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("# Title\n", id="no-fence"),
        pytest.param("\n---\na: b\n---\n", id="line-2"),
        pytest.param(" ---\na: b\n---\n", id="indented"),
        pytest.param("----\na: b\n----\n", id="four-dashes"),
        pytest.param("--- #x\na: b\n---\n", id="words-after-the-dashes"),
        pytest.param("---\u00a0\na: b\n---\n", id="a-no-break-space-is-no-blank"),
        pytest.param("---\x0ba: b\n---\n", id="a-vertical-tab-ends-no-line"),
        pytest.param("---\u2028a: b\n---\n", id="a-line-separator-ends-no-line"),
        pytest.param("---\n---\n", id="empty-block-A6"),
        pytest.param("---\n\na: b\n---\n", id="blank-line-first-A5"),
        pytest.param("---\nA page with prose.\n---\n", id="no-key-A6"),
        pytest.param("---\n\nA rule, with: a colon.\n\n---\n\nMore\n", id="two-rules-A4"),
        pytest.param("---\n- a: b\n---\n", id="bullet-A8"),
        pytest.param("---\n* a: b\nc: d\n---\n", id="star-bullet-A8"),
        pytest.param("---\n1. a: b\nc: d\n---\n", id="numbered-A8"),
        pytest.param("---\n2) a: b\n---\n", id="numbered-with-a-bracket-A8"),
        pytest.param("---\n> a: b\nc: d\n---\n", id="quote-A8"),
        pytest.param("---\n| a: b |\nc: d\n---\n", id="table-A8"),
        pytest.param("---\n[a]: http://b\nc: d\n---\n", id="link-definition-A8"),
        pytest.param("---\n# Heading\n\na: b\n---\n", id="heading-then-blank-A8"),
        pytest.param("---\n# Heading\nProse\na: b\n---\n", id="heading-then-prose-A8"),
        pytest.param("---\n{a: b}\n---\n", id="flow-mapping"),
        pytest.param("---\n a: b\n---\n", id="key-not-in-column-one"),
        pytest.param("---\na:b\n---\n", id="no-blank-after-the-colon"),
        pytest.param("---\n? a\n: b\n---\n", id="explicit-key"),
        pytest.param("---\n" + "a" * 1025 + ": b\n---\n", id="key-too-long"),
    ],
)
def test_anything_else_is_body(text: str) -> None:
    assert find_fence(text).shape is Shape.BODY
    assert find_fence(text).body == 0


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("---\na: b", id="end-of-file"),
        pytest.param("---\na: b\n---END\n", id="suffix"),
        pytest.param("---\na: b---\n", id="tail-of-a-value"),
        pytest.param("---\na: b\n ---\n", id="indented"),
        pytest.param("---\na: b\n----\n", id="four-dashes"),
        pytest.param("---\nsupersedes:", id="validity-key-at-the-end"),
    ],
)
def test_a_block_opened_with_a_key_and_never_closed_is_unclosed(text: str) -> None:  # A5
    assert find_fence(text).shape is Shape.UNCLOSED


@pytest.mark.parametrize(
    "line",
    [
        "a:",
        "a: b",
        "a\t: b",
        "日付: b",
        "2024: b",
        "1.2: b",
        '"a b": c',
        "'it''s': c",
        '"a\\"b" : c',
        "a#b: c",
        "http://x: y",
        ":a: b",
        "a: b: c",
    ],
)
def test_a_key_line_starts_with_a_quoted_or_plain_scalar(line: str) -> None:  # A7
    assert KEY_LINE.match(line)
    assert block(f"---\n{line}\n---\n") == f"{line}\n"


@pytest.mark.parametrize(
    "line",
    [
        "a",
        "a :b",
        "a #b: c",
        '"a: b',
        "'a': b"[:-3],
        "@a: b",
        "`a`: b",
        "%a: b",
        "!a: b",
        "&a b: c",
        "?a: b",
        ",a: b",
        "-a: b",
    ],
)
def test_a_line_that_yaml_would_not_take_for_a_key_is_none(line: str) -> None:
    assert not KEY_LINE.match(line)


@pytest.mark.parametrize("length", [1, 1024])
def test_a_key_has_at_most_1024_characters(length: int) -> None:
    assert KEY_LINE.match("k" * length + ": v")
    assert not KEY_LINE.match("k" * 1025 + ": v")


@given(FENCED)
def test_a_block_and_a_body_are_the_text_byte_for_byte(text: str) -> None:  # A4
    text = "---\n" + text
    fence = find_fence(text)
    match fence.shape:
        case Shape.BODY:
            assert text[fence.body :] == text
        case Shape.UNCLOSED:
            assert (fence.end, fence.body) == (len(text), len(text))
        case Shape.BLOCK:
            assert 0 < fence.start < fence.end <= fence.body <= len(text)
            closing = text[fence.end : fence.body]
            assert closing.rstrip("\r\n").rstrip(" \t") in ("---", "...")


@given(FENCED)
def test_line_ends_make_no_difference(text: str) -> None:  # A15
    text = "---\n" + text.replace("\r", "")
    inside = block(text)
    for end in ("\r\n", "\r"):
        assert block(text.replace("\n", end)) == (inside and inside.replace("\n", end))


def test_a_line_that_resembles_a_fence_is_found_in_an_unclosed_block() -> None:
    for text, like in (
        ("---\na: b\n---END\nc", "---END"),
        ("---\na: b---\n", "a: b---"),
        ("---\na: b\n  ... \n", "  ... "),
    ):
        place = find_fence_like(text, find_fence(text))
        assert place
        assert text[slice(*place)] == like


@pytest.mark.parametrize(
    "line",
    ["----", " ---", "\t---", "---x", "--- x", "--- # x", "+++", " +++", "--", "\u2014\u2014", "-\u2013", "---\u00a0"],
)
def test_an_unusual_fence_is_seen_when_a_key_follows(line: str) -> None:
    for end in ("\n", "\r\n", "\r"):
        assert find_unusual_fence(f"{line}{end}a: b{end}") == (0, len(line))
        assert find_unusual_fence(f"{line}{end}a = 1{end}") == (0, len(line))
        assert find_unusual_fence(f"{line}{end}{end}a: b{end}") is None
        assert find_unusual_fence(f"{line}{end}Prose.{end}") is None


@pytest.mark.parametrize("line", ["---", "---  ", "--x", "-", "- - -", "***", "# ---", "++"])
def test_a_fence_or_prose_is_no_unusual_fence(line: str) -> None:
    assert find_unusual_fence(f"{line}\na: b\n") is None


def keep(text: str) -> str:
    return text


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        pytest.param("Text\n---\nsupersedes: a\n---\n", 2, 3, id="further-down"),
        pytest.param("\n\n---\nvalid_from: a\n---\n", 3, 4, id="blank-lines-first"),
        pytest.param("---\n\nsupersedes: a\n---\n", 1, 3, id="no-key-on-line-2"),
        pytest.param("---\n- x\nsupersedes: a\n", 1, 3, id="line-1-and-never-closed"),
        pytest.param("Text\n---\n# c\ntitle: x\nsupersedes: a\n", 2, 5, id="never-closed-but-begins-with-a-key"),
        pytest.param("Text\n---\nx\n---\n'supersedes' : a\n...\n", 4, 5, id="dots-end-it"),
    ],
)
def test_a_fenced_validity_key_in_the_text_is_misplaced(text: str, line: int, key: int) -> None:
    for end in ("\n", "\r\n", "\r"):
        written = text.replace("\n", end)
        found = find_misplaced(written, keep)
        assert found
        assert written[found[0] : found[1]].rstrip() == "---"
        assert (written.count(end, 0, found[0]) + 1, written.count(end, 0, found[2]) + 1) == (line, key)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("supersedes: a\n", id="no-fence"),
        pytest.param("Text\n---\nMore\nsupersedes: a\n", id="one-rule-then-prose"),
        pytest.param("Text\n---\n supersedes: a\n---\n", id="indented"),
        pytest.param("Text\n---\nsupersedes\n---\n", id="no-colon"),
        pytest.param("...\nsupersedes: a\n...\n", id="dots-open-nothing"),
    ],
)
def test_a_key_without_a_fence_is_text(text: str) -> None:
    assert find_misplaced(text, keep) is None


def test_what_stands_in_code_is_no_misplaced_block() -> None:
    def hide(text: str) -> str:
        start, end = text.index("```"), text.rindex("```") + 3
        return text[:start] + "".join(c if c in "\r\n" else " " for c in text[start:end]) + text[end:]

    assert find_misplaced("```\n---\nsupersedes: a\n---\n```\n", hide) is None
    found = find_misplaced("```\n---\nsupersedes: a\n---\n```\n\n---\nsupersedes: b\n---\n", hide)
    assert found
    assert found[0] == len("```\n---\nsupersedes: a\n---\n```\n\n")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("---\na" + " " * 500_000, id="blanks-after-a-key"),
        pytest.param('---\n"a"' + " " * 500_000 + "x", id="blanks-after-a-quoted-key"),
        pytest.param("---\n'" + "''" * 200_000, id="quotes"),
        pytest.param("---\n" + ":a" * 200_000, id="colons"),
        pytest.param("---\n" + "#\n" * 200_000, id="comments"),
        pytest.param("---\na: b\n" + "--- " * 200_000 + "x", id="dashes-in-a-line"),
        pytest.param("---\na: b\n---" + " " * 500_000 + "x", id="blanks-after-a-fence"),
        pytest.param("-" * 5_000_000, id="one-line-of-dashes"),
        pytest.param("+++\na" + " " * 500_000, id="toml"),
        pytest.param("---\na: b\n" + "text\r" * 400_000, id="unclosed"),
    ],
)
def test_the_cost_is_linear_in_the_text(text: str) -> None:
    fence = find_fence(text)
    if fence.shape is Shape.UNCLOSED:
        find_fence_like(text, fence)
    find_unusual_fence(text)
    find_misplaced(text, keep)
