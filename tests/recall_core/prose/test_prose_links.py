"""Links of every form, with their targets and places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.prose.link import LinkKind, target_path, wikilink_name
from recall_core.prose.links import find_links

WIKI, INLINE, REFERENCE, URL = LinkKind.WIKILINK, LinkKind.INLINE, LinkKind.REFERENCE, LinkKind.URL


@pytest.mark.parametrize(
    ("text", "kind", "target", "path"),
    [
        ("[[a]]", WIKI, "a", "a"),
        ("[[ a b | c ]]", WIKI, " a b | c ", "a b"),
        ("[[a#b|c]]", WIKI, "a#b|c", "a"),
        ("[[a\\|b]]", WIKI, "a\\|b", "a"),
        ("[[docs/a.md]]", WIKI, "docs/a.md", "docs/a.md"),
        ("![[a]]", WIKI, "a", "a"),
        ("[[#b]]", WIKI, "#b", ""),
        ("[a](b.md)", INLINE, "b.md", "b.md"),
        ("[a]( b.md )", INLINE, "b.md", "b.md"),
        ('[a](b.md "c (d)")', INLINE, "b.md", "b.md"),
        ("[a](b.md 'c')", INLINE, "b.md", "b.md"),
        ("[a](b.md\n(c))", INLINE, "b.md", "b.md"),
        ("[a](<b c.md>)", INLINE, "b c.md", "b c.md"),
        ("[a](b_(c).md)", INLINE, "b_(c).md", "b_(c).md"),
        ("[a](b\\).md)", INLINE, "b\\).md", "b).md"),
        ("[a](b%20c.md#d?e)", INLINE, "b%20c.md#d?e", "b c.md"),
        ("[a](b.md?plain=1)", INLINE, "b.md?plain=1", "b.md"),
        ("[a]()", INLINE, "", ""),
        ("[a [b] c](d.md)", INLINE, "d.md", "d.md"),
        ("[`a]`](d.md)", INLINE, "d.md", "d.md"),
        ("[[a]](b.md)", INLINE, "b.md", "b.md"),
        ("[a\nb](c.md)", INLINE, "c.md", "c.md"),
        ("[a][B  c]\n\n[b C]: d.md", REFERENCE, "d.md", "d.md"),
        ("[a][]\n\n[A]: d.md 'e'", REFERENCE, "d.md", "d.md"),
        ("[a]\n\n[a]: <d e.md>", REFERENCE, "d e.md", "d e.md"),
        ("[a]: d.md\n\nand [a], too", REFERENCE, "d.md", "d.md"),
        ("<https://a.b/c>", URL, "https://a.b/c", "https://a.b/c"),
        ("see https://a.b/c_(d).", URL, "https://a.b/c_(d)", "https://a.b/c_(d)"),
    ],
)
def test_a_link_gives_its_target_and_path(text: str, kind: LinkKind, target: str, path: str) -> None:
    (link,) = find_links(text)
    assert (link.kind, link.target, link.path) == (kind, target, path)


@pytest.mark.parametrize(
    "text",
    [
        "`[[a]]`",
        "```\n[[a]]\n```",
        "    [a](b)",
        "<!-- [[a]] -->",
        "[[a\nb]]",
        "[[]]",
        "[ [a] ]",
        "\\[[a]]",
        "[a](b c)",
        "[a](b",
        "[a][b]",
        "[a]",
        "[^1]\n\n[^1]: a",
        "a](b)",
        "[a]: b.md",
        "[a\n\nb](c)",
    ],
)
def test_what_only_looks_like_a_link_is_none(text: str) -> None:
    assert find_links(text) == []


def test_a_link_knows_its_place_and_its_label() -> None:
    text = "é [[a]], [b *c*](d.md) and [e][f]\n\n[f]: g.md"
    found = [(text[link.start : link.end], text[link.label_start : link.label_end]) for link in find_links(text)]
    assert found == [("[[a]]", "a"), ("[b *c*](d.md)", "b *c*"), ("[e][f]", "e")]


def test_images_are_marked_and_a_linked_image_gives_both() -> None:
    assert [(link.path, link.embedded) for link in find_links("[![a](b.png)](c.md)")] == [
        ("b.png", True),
        ("c.md", False),
    ]


@pytest.mark.parametrize(
    ("text", "local"),
    [
        ("[a](b.md)", True),
        ("[a](/docs/b.md)", True),
        ("[a](#b)", False),
        ("[a](https://b.c/d.md)", False),
        ("[a](mailto:b@c.d)", False),
        ("[a](//b.c/d.md)", False),
        ("[[https: a tale]]", True),
        ("https://a.b/c.md", False),
    ],
)
def test_only_a_path_without_scheme_and_host_is_local(text: str, local: bool) -> None:
    assert [link.is_local for link in find_links(text)] == [local]


def test_a_path_is_decoded_once_and_bad_bytes_name_nothing() -> None:
    assert target_path("%C3%A9%2520.md") == "é%20.md"
    assert target_path("%ff.md") == "\ufffd.md"
    assert target_path("100%.md") == "100%.md"
    assert target_path("a\\_b.md") == "a_b.md"


def test_a_wikilink_name_is_what_stands_before_alias_and_anchor() -> None:
    assert wikilink_name(" a#b|c ") == "a"
    assert wikilink_name("a \\| c") == "a"


def test_paths_and_names_come_from_any_text() -> None:
    @given(st.text(st.characters()))
    def check(text: str) -> None:
        target_path(text)
        wikilink_name(text)

    check()
