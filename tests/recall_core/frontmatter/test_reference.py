"""How a reference names a memo (DESIGN §3 `supersedes`)."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.frontmatter.read import read_memo
from recall_core.frontmatter.reference import build_reference, is_outside, is_placeholder, normalise_key
from recall_core.model.memo import Reference, Style
from recall_core.model.span import START

PIECES = [*"[]/.mdMD |#\\ab-_\t\r\n", ".md", "e\u0301", "é", "\u212b", "\u0338", "\u00a0"]
TRICKY = st.lists(st.sampled_from(PIECES), max_size=16).map("".join)


def refer(value: str) -> Reference:
    return build_reference(value, value, START, Style.PLAIN)


@pytest.mark.parametrize(
    "written",
    [
        "a",
        "a.md",
        "a.MD",
        "a.Md",
        "[a]",
        "[[a]]",
        "[[a.md]]",
        "dir/a.md",
        "./a",
        "../x/a.md",
        "/a",
        "[[dir/a]]",
        " a ",
        "\ta\r\n",
        "[ a ]",
        "[[ a.md ]]",
        "a.md.md",
        "[a].md",
        "[dir/a].md",
        "[[dir/[a]]]",
        "x/[a]",
        "a.md ",
    ],
)
def test_every_spelling_of_a_name_gives_one_key(written: str) -> None:  # C1
    assert normalise_key(written) == "a"


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("A", "A"), ("a.markdown", "a.markdown"), ("a.mdx", "a.mdx"), ("a b", "a b"), ("[a", "[a"), ("a]", "a]"), ("a|b", "a|b"), ("a#b", "a#b"),
        ("a\u00a0", "a\u00a0"), ("a\\b", "a\\b"), ("(a)", "(a)"), ("amd", "amd"),
    ],
)  # fmt: skip
def test_nothing_else_is_changed(written: str, key: str) -> None:  # C2
    assert normalise_key(written) == key


@pytest.mark.parametrize("written", ["", " ", ".md", "[]", "[[]]", "/", "a/", "dir/.md", "[[.MD]]", "[ ]"])
def test_what_holds_no_name_has_an_empty_key(written: str) -> None:
    assert normalise_key(written) == ""


def test_composed_and_decomposed_letters_are_one_name() -> None:
    assert normalise_key("cafe\u0301.md") == normalise_key("caf\u00e9") == "caf\u00e9"


@given(st.text() | TRICKY)
def test_normalising_twice_changes_nothing(text: str) -> None:
    key = normalise_key(text)
    assert normalise_key(key) == key
    assert key == unicodedata.normalize("NFC", key)
    assert "/" not in key


@given(TRICKY)
def test_a_file_and_a_reference_to_it_have_one_key(text: str) -> None:  # C1: the same function on both sides
    path = f"dir/{text}.md"
    assert read_memo(path, b"").key == normalise_key(path) == normalise_key(text)
    assert refer(path).key == read_memo(path, b"").key


@pytest.mark.parametrize(
    ("value", "key", "name", "part"),
    [
        ("a", "a", "a", ""),
        ("[[a|The old one]]", "a|The old one", "a", ""),
        ("[[a\\|The old one]]", "a\\|The old one", "a", ""),
        ("a#limits", "a#limits", "a", "limits"),
        ("[[a#Limits|alias]]", "a#Limits|alias", "a", "Limits"),
        ("[[dir/a.md#limits]]", "a.md#limits", "a", "limits"),
        ("[[a|x#y]]", "a|x#y", "a", ""),
        ("#limits", "#limits", "", "limits"),
        ("a#", "a#", "a", ""),
        (" [[ a ]] ", "a", "a", ""),
    ],
)
def test_alias_and_anchor_are_cut_for_the_name_alone(value: str, key: str, name: str, part: str) -> None:
    reference = refer(value)
    assert (reference.key, reference.name, reference.part) == (key, name, part)


@given(st.text() | TRICKY)
def test_a_reference_can_be_built_of_any_text(text: str) -> None:
    reference = refer(text)
    if "|" not in text and "#" not in text:
        assert (reference.name, reference.part) == (reference.key, "")


@pytest.mark.parametrize(
    "value",
    [
        "n/a",
        "N/A",
        "na",
        "None",
        "NIL",
        "tbd",
        "ToDo",
        "-",
        "?",
        " tbd ",
        "NNNN-title",
        "nnnn",
        "XXXX-x.md",
        "docs/xxxx-name",
        "[[NNNN-title]]",
    ],
)
def test_a_placeholder_is_one_in_any_case(value: str) -> None:
    assert is_placeholder(value)


@pytest.mark.parametrize("value", ["nonesuch", "na-1", "tbd2", "--", "??", "NNN-title", "0012", "a/none", "n/b"])
def test_only_the_whole_value_is_a_placeholder(value: str) -> None:
    assert not is_placeholder(value)


@pytest.mark.parametrize(
    ("value", "path", "outside"),
    [
        ("https://x/a.md", "a.md", True), ("file:///a", "a.md", True), ("../a", "b.md", True), ("../a", "d/b.md", False), ("../../a", "d/b.md", True),
        ("x/../../a", "b.md", True), ("./../a", "b.md", True), ("[[../a]]", "b.md", True), ("..a", "b.md", False), ("a..b", "b.md", False),
        ("x/../a", "b.md", False), ("/a", "b.md", False), ("..", "b.md", False),
    ],
)  # fmt: skip
def test_an_address_or_a_path_out_of_the_root_is_outside(value: str, path: str, outside: bool) -> None:
    assert is_outside(value, path) is outside
