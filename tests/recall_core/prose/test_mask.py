"""What is prose and what is not."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.prose.blocks import read_blocks
from recall_core.prose.layout import BlockKind, level_line_ends
from recall_core.prose.mask import Masked, mask, mask_block


def words_left(text: str) -> str:
    return " ".join(mask(text).text.split())


HIDDEN = {
    "backtick fence": "```\nX\n```",
    "tilde fence": "~~~\nX\n~~~",
    "info string": "``` toml title=a\nX\n```",
    "longer fence holds a shorter one": "````\n```\nX\n```\nX\n````",
    "tilde fence holds backticks": "~~~\n```\nX\n~~~",
    "longer closing fence": "```\nX\n`````",
    "fence up to three blanks in": "   ```\n   X\n   ```",
    "fence that is never closed": "```\nX\n\nX\n# X",
    "fence in a list item": "- a\n\n  ```\n  X\n  ```",
    "fence deep in a list item": "1. a\n\n       ```\n       X\n       ```",
    "fence on the marker's line": "- ```\n  X\n  ```",
    "fence in a block quote": "> ```\n> X\n> ```",
    "fence in a footnote": "[^1]: a\n    ```\n    X\n    ```",
    "fence after a paragraph": "a\n```\nX\n```",
    "indented code": "a\n\n    X\n\n    X",
    "indented by a tab": "a\n\n\tX",
    "indented at the start": "    X",
    "indented in a list item": "- a\n\n      X",
    "prompts in indented code": "a\n\n    >>> X",
    "code span": "a `X` b",
    "code span of two": "a ``X ` X`` b",
    "code span over a line end": "a `X\nX` b",
    "code span that holds a comment": "a `<!-- X` b",
    "code tag": "a <code>X</code> b",
    "preformatted": "<pre>\nX\n\nX</pre>",
    "comment": "a <!-- X --> b",
    "comment over lines": "<!--\nX\n\nX\n```\n-->",
    "comment that is never closed": "a\n\n<!-- X\n\nX",
    "inline target": 'a [b](X "X") c',
    "target in angle brackets": "a [b](<X X>) c",
    "target with brackets": "a [b](X(X)X) c",
    "image": "a ![b](X) c",
    "reference": "a [b][X] c\n\n[X]: X",
    "definition": '[X]: X "X"',
    "definition in a list": "- [X]: X",
    "autolink": "a <https://X> b",
    "bare URL": "a https://example.com/X b",
}


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN.keys())
def test_what_is_no_prose_is_blank(text: str) -> None:
    assert "X" in text
    assert "X" not in mask(text).text


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN.keys())
def test_what_is_no_prose_is_blank_whatever_the_line_ends(text: str, end: str) -> None:
    assert "X" not in mask(text.replace("\n", end)).text


SHOWN = {
    "after a closed fence": "```\n```\nX",
    "a fence needs three": "``\nX\n\nX ``",
    "an info string holds no backtick": "``` a`b\nX",
    "closing fence of the wrong kind stays open only for code": "~~~\n~~~\nX",
    "paragraph in a list item": "- a\n\n  X",
    "paragraph four deep in a list item": "- a\n\n    X",
    "nested list item": "- a\n    - X",
    "wide list marker, narrow text": "10. a\n\n   X\n\n    X",
    "continued line": "a\n    X",
    "after a quote with a fence": "> ```\nX",
    "lone backtick": "a ` X",
    "backticks of different lengths": "a ` X ``",
    "backtick in another paragraph": "a ` b\n\nX ` c",
    "backtick in another item": "- a ` b\n- X ` c",
    "escaped backtick": "a \\`X` b",
    "escaped bracket": "a \\[b](X) c",
    "inline comment that is never closed": "a <!-- X",
    "behind a comment": "<!-- a --> X",
    "between comments": "<!-- a -->\nX\n<!-- b -->",
    "empty comment": "<!--> X",
    "wikilink": "a [[X]] b",
    "label": "a [X](b) c",
    "label of a reference": "a [X][b] c\n\n[b]: c",
    "brackets that are no link": "a [X] (X) [X][X] c",
    "target with a blank": "a [b](X X) c",
    "footnote": "[^1]: X",
    "block quote": "> X",
    "quoted sentence": '"X"',
    "heading": "# X",
    "underlined heading": "X\n===",
    "table": "| a | X |\n|---|---|\n| b | X |",
    "period behind a URL": "https://a.b/c. X",
    "bracket around a URL": "(https://a.b/c) X",
}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("text", SHOWN.values(), ids=SHOWN.keys())
def test_prose_stays(text: str, end: str) -> None:
    assert mask(text.replace("\n", end)).text.count("X") == text.count("X")


def test_the_signs_around_a_url_stay() -> None:
    assert words_left("See (https://a.b/c_(d)).") == "See ( )."
    assert words_left("See https://a.b/c, or not.") == "See , or not."


def test_no_other_sign_ends_a_line() -> None:
    for sign in ("\u2028", "\u2029", "\x85", "\v", "\f", "\x1c"):
        assert "X" in mask(f"a{sign}```{sign}X").text
        assert "X" in mask(f"a{sign}{sign}    X").text


def quoted_letters(text: str) -> set[str]:
    masked = mask(text)
    return {match[0] for match in re.finditer("[a-z]", masked.text) if masked.is_quoted(match.start())}


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("a\n\n> b\n> c\n\nd", "bc"),
        ("> b\nc lazily\n\nd", "bclazily"),
        ("a\n> b\n- d", "b"),
        ("- a\n  > b\n\n  d", "b"),
        ("- > b\n- d", "b"),
        (">> b\n> c", "bc"),
        ("> - b\n>   c\n\nd", "bc"),
        ("> # b\nd", "b"),
        (">\nd", ""),
    ],
)
def test_block_quotes_can_be_told(text: str, quoted: str) -> None:
    assert quoted_letters(text) == set(quoted)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("# a\nb", [BlockKind.HEADING, BlockKind.PARAGRAPH]),
        ("a\n---\nb", [BlockKind.HEADING, BlockKind.PARAGRAPH]),
        ("- a\n- b\n\n  c", [BlockKind.ITEM, BlockKind.ITEM, BlockKind.PARAGRAPH]),
        ("| a |\n|---|\n| b |\n\nc", [BlockKind.ROW, BlockKind.ROW, BlockKind.PARAGRAPH]),
        ("a | b\n--|--\nc | d\n\ne", [BlockKind.ROW, BlockKind.ROW, BlockKind.PARAGRAPH]),
        ("a\n* * *\nb", [BlockKind.PARAGRAPH, BlockKind.PARAGRAPH]),
        ("in\n2019. The", [BlockKind.PARAGRAPH]),
        ("in\n1. The", [BlockKind.PARAGRAPH, BlockKind.ITEM]),
        ("- [ ] a\n+ b\n1) c", [BlockKind.ITEM, BlockKind.ITEM, BlockKind.ITEM]),
        ("-\n\n***\n\n#", []),
        ("", []),
    ],
)
def test_blocks_have_their_kind(text: str, kinds: list[BlockKind]) -> None:
    assert [block.kind for block in read_blocks(text).blocks] == kinds


def test_links_survive_the_mask_with_their_places() -> None:
    text = "- see [a](b.md)\n\n`[x](y.md)`\n\n> [[c]]"
    assert [(text[link.start : link.end], link.path) for link in mask(text).links] == [
        ("[a](b.md)", "b.md"),
        ("[[c]]", "c"),
    ]


def test_the_shared_case_leaves_only_its_prose(shared) -> None:  # J3
    text = (shared / "cases/frontmatter/12-links-in-code/input.md").read_text(encoding="utf-8")
    left = [line.strip() for line in mask(text).text.splitlines() if "replace" in line or "[[" in line]
    assert left == [
        "This replaces                      only as an example of syntax.",
        "Real: this replaces [[shell-style-v1]].",
    ]


def assert_sound(text: str, masked: Masked) -> None:
    assert masked.source == text
    assert len(masked.text) == len(text)
    for before, after in zip(text, masked.text, strict=True):
        assert after == before or (after == " " and before not in "\r\n")
    last = 0
    for block in masked.blocks:
        assert last <= block.start < block.end <= len(text)
        last = block.end
    for link in masked.links:
        assert 0 <= link.start <= link.label_start <= link.label_end <= link.end <= len(text)


def test_masking_keeps_length_line_ends_and_places_on_any_text(bodies: st.SearchStrategy[str]) -> None:
    @given(bodies)
    def check(text: str) -> None:
        assert_sound(text, mask(text))

    check()


def assert_blocks_agree(text: str) -> None:
    whole = level_line_ends(mask(text).text)
    layout = read_blocks(text)
    for block in layout.blocks:
        assert mask_block(layout, block).text == whole[block.start : block.end]


@pytest.mark.parametrize("text", ["> a\n> b `c\n> d` e", "- > a\n  > b", *HIDDEN.values(), *SHOWN.values()])
def test_a_block_masked_alone_reads_as_in_the_whole(text: str) -> None:
    assert_blocks_agree(text)


def test_the_marks_of_a_quote_are_not_in_its_text() -> None:
    assert words_left("> a\n> b\nc") == "a b c"


def test_any_block_masked_alone_reads_as_in_the_whole(bodies: st.SearchStrategy[str]) -> None:
    @given(bodies)
    def check(text: str) -> None:
        assert_blocks_agree(text)

    check()


def test_line_ends_change_nothing_but_themselves(bodies: st.SearchStrategy[str]) -> None:
    @given(bodies)
    def check(text: str) -> None:
        plain = level_line_ends(text)
        assert level_line_ends(mask(text).text) == mask(plain).text

    check()


@pytest.mark.parametrize(
    "sign",
    ["`", "[", "[[", "](", "<!-- ", "<code>", "- ", "> ", "~", "*", ". ", "| ", "\\", "[a](", "[](<", "\n", "\t"],
)
def test_a_hundred_thousand_of_one_sign_are_read(sign: str) -> None:
    text = sign * (100_000 // len(sign))
    assert_sound(text, mask(text))
