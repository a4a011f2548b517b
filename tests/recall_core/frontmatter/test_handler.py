"""python-frontmatter over our reader."""

from pathlib import Path

import frontmatter
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.frontmatter.fence import BOM, Shape, find_fence
from recall_core.frontmatter.handler import MemoHandler, parse_post
from recall_core.frontmatter.read import decode, read_memo, read_text
from recall_core.model.memo import Memo

PIECES = [
    "---",
    "...",
    "\n",
    "\n",
    "\r\n",
    "title",
    "supersedes",
    "valid_from",
    ": ",
    "a",
    "[",
    "]",
    "- ",
    "'",
    '"',
    "#",
    "|",
    "  ",
    "&x ",
    "*x",
    "~",
    "\u2028",
    "\ufeff",
]


def flatten(value: object) -> list[str]:
    if isinstance(value, list):
        return [text for item in value for text in flatten(item)]
    return [value.strip(" \t\r\n")] if isinstance(value, str) and value else []


def assert_same(text: str, memo: Memo) -> None:
    """The handler and the reader see one block: the same validity keys and the same text behind it."""
    post = parse_post(text)
    text = text.lstrip(BOM)
    fence = find_fence(text)
    assert post.content == text[fence.body :].strip() if fence.shape is not Shape.UNCLOSED else text.strip()
    if fence.shape is not Shape.BLOCK:
        assert post.metadata == {}
        return
    if not memo.readable:
        return
    assert flatten(post.metadata.get("supersedes")) == [reference.value for reference in memo.supersedes]
    for key, bound in (("valid_from", memo.valid_from), ("valid_until", memo.valid_until)):
        if bound is None:
            assert not post.metadata.get(key)
        elif bound.day:
            assert str(post.metadata[key]).strip(" \t\r\n") == bound.day.isoformat()
    if isinstance(title := post.metadata.get("title"), str) and title:
        assert " ".join(title.split()) == memo.title


def test_handler_and_reader_agree_on_every_real_file(real_files: list[Path]) -> None:
    blocks = 0
    for path in real_files:
        text = decode(path.read_bytes())
        assert text is not None
        memo = read_text(path.name, text, find_fence(text))
        assert_same(text, memo)
        blocks += bool(memo.block_end)
    assert blocks > 1000


@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join))
def test_handler_and_reader_agree_on_any_text(rest: str) -> None:
    text = f"---\ntitle: x\n{rest}\n---\nBody\n"
    assert_same(text, read_memo("a.md", text.encode()))
    assert_same(rest, read_memo("a.md", rest.encode()))


@pytest.mark.parametrize(
    "text",
    [
        "\n---\na: b\n---\n",
        "  ---\na: b\n---\n",
        "---\n\na: b\n---\n",
        "---\nprose\n---\n",
        "----\na: b\n----\n",
        "---\na: b\n",
    ],
)
def test_what_is_no_block_to_the_reader_is_none_here(text: str) -> None:
    post = parse_post(text)
    assert (post.metadata, post.content) == ({}, text.strip())
    assert not MemoHandler().detect(text)


def test_source_scalars_are_kept() -> None:
    post = parse_post(
        "\ufeff---\r\na: 0012\nb: no\nc: 2026-01-01\nd: ~\ne: ''\nf: [1, {g: 1.0}]\nh: &h x\ni: *h\na: again\n---\n\nBody\n"
    )
    assert post.metadata == {
        "a": "0012",
        "b": "no",
        "c": "2026-01-01",
        "d": None,
        "e": "",
        "f": ["1", {"g": "1.0"}],
        "h": "x",
        "i": "x",
    }
    assert post.content == "Body"


@pytest.mark.parametrize("key", ["content", "handler", "metadata", "self"])
def test_a_key_may_have_any_name(key: str) -> None:
    assert parse_post(f"---\n{key}: x\n---\n").metadata == {key: "x"}


def test_the_library_can_be_asked_directly() -> None:
    post = frontmatter.loads("\ufeff---\na: b\n...\nBody", handler=MemoHandler())
    assert (post.metadata, post.content) == ({"a": "b"}, "Body")
    with pytest.raises(ValueError, match="no frontmatter"):
        MemoHandler().split("Body")


@pytest.mark.parametrize("block", ["a: b: c", "[", "a: *x"])
def test_a_block_that_yaml_refuses_has_no_keys(block: str) -> None:
    assert MemoHandler().load(block) == {}


def test_deep_and_circular_values_end() -> None:
    assert MemoHandler().load("a: " + "[" * 900 + "]" * 900)
    assert MemoHandler().load("a: &a [*a]") == {"a": [None]}
    laughs = "a0: &a0 [x]\n" + "\n".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 1000))
    assert len(MemoHandler().load(laughs)) == 1000
