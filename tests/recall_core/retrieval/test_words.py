"""What a text is before a server makes lexemes of it."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.retrieval.words import fold


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("CAFÉ", "café"),
        ("cafe\u0301", "caf\u00e9"),
        ("ДОМ", "дом"),
        ("“quoted”", " quoted "),
        ("a—b…", "a b "),
        ("don\u2019t", "don t"),
        ("x\u00a0y", "x y"),
        ("→ go", "  go"),
    ],
)
def test_what_differs_in_form_alone_is_one(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_words_of_any_script_stay_whole() -> None:
    assert fold("हिन्दी 日本語 ελληνικά İstanbul").split()[0] == "हिन्दी"
    assert "日本語" in fold("日本語")


def test_ascii_is_left_to_the_server() -> None:
    assert fold("Don't <b>SHOUT</b> 3.14-x") == "Don't <b>SHOUT</b> 3.14-x"


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    once = fold(text)
    assert fold(once) == once or unicodedata.normalize("NFC", once) != once
