import os
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.model.escape import encodable, visible, visible_characters

ANYTHING = st.text(st.characters(), max_size=60) | st.text(st.sampled_from("#[avso \\\x1b\u202e\ufe0f⚠é中\udcff"))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain [[limits]] \\x1b", "plain [[limits]] \\x1b"),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\nb\r\tc\x00\x7f", "a\\nb\\r\\tc\\x00\\x7f"),
        ("\x85\x9b", "\\u0085\\u009b"),
        ("\u061c\u200e\u200f\u202a\u202e\u2066\u2069", "\\u061c\\u200e\\u200f\\u202a\\u202e\\u2066\\u2069"),
        ("\u2028\u2029", "\\u2028\\u2029"),
        ("a\u200bb\u200dc\u00add\ufeffe\u2060", "a\\u200bb\\u200dc\\u00add\\ufeffe\\u2060"),
        ("a\u00a0b", "a\\u00a0b"),
        ("\U000e0041", "\\U000e0041"),
        (os.fsdecode(b"caf\xe9\xff.md"), "caf\\xe9\\xff.md"),
        ("\ud800", "\\ud800"),
        ("é ü 中文 日本　語 한국 עברית فارسی 🚀 e\u0301", "é ü 中文 日本　語 한국 עברית فارسی 🚀 e\u0301"),
        ("⚠\ufe0f", "⚠\ufe0f"),
        ("a\ufe0f⚠\ufe0f\ufe0f", "a\\ufe0f⚠\ufe0f\\ufe0f"),
        ("##[error]x ##vso[task.setvariable] ###[a", "#\\x23[error]x #\\x23vso[task.setvariable] ##\\x23[a"),
        ("## Heading [link]", "## Heading [link]"),
    ],
)
def test_what_acts_or_hides_is_spelt_out_and_the_rest_stands(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(ANYTHING)
def test_no_character_that_acts_survives(text: str) -> None:
    shown = visible(text)
    for character in shown:
        assert unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp")
        assert unicodedata.bidirectional(character) not in (
            "LRE",
            "RLE",
            "LRO",
            "RLO",
            "PDF",
            "LRI",
            "RLI",
            "FSI",
            "PDI",
        )
    assert "##[" not in shown
    assert "##vso[" not in shown
    shown.encode()


@given(ANYTHING)
def test_escaping_twice_changes_nothing(text: str) -> None:
    assert visible(visible(text)) == visible(text)


@given(ANYTHING)
def test_the_escape_of_a_text_is_the_escapes_of_its_characters(text: str) -> None:
    parts = visible_characters(text)
    assert len(parts) == len(text)
    assert "".join(parts) == visible(text)


def test_a_limit_keeps_both_ends_of_a_long_text() -> None:
    shown = visible(f"`{'a' * 10_000}` names no memo", limit=60)
    assert len(shown) == 60
    assert shown.startswith("`aaa")
    assert shown.endswith("aaa` names no memo")
    assert "…" in shown
    assert visible("a" * 60, limit=60) == "a" * 60


@given(ANYTHING)
def test_an_encodable_text_differs_in_lone_surrogates_only(text: str) -> None:
    encodable(text).encode()
    if not any("\ud800" <= character <= "\udfff" for character in text):
        assert encodable(text) == text


def test_a_byte_of_a_name_has_one_spelling_everywhere() -> None:
    name = os.fsdecode(b"\xff\x1b.md")
    assert encodable(name) == "\\xff\x1b.md"
    assert visible(encodable(name)) == visible(name) == "\\xff\\x1b.md"
