"""Where sentences end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.prose.mask import mask
from recall_core.prose.sentences import is_question, sentence_around, split_sentences


def sentences(text: str) -> list[str]:
    return [text[found.start : found.end] for found in split_sentences(mask(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("One.  \n  Two.", ["One.", "Two."]),
        ("One\ntwo\nthree. Four", ["One\ntwo\nthree.", "Four"]),
        ("One\r\ntwo.\r\nThree\rfour", ["One\r\ntwo.", "Three\rfour"]),
        ("One... Two", ["One...", "Two"]),
        ('"One." Two (three.) Four', ['"One."', "Two (three.)", "Four"]),
        ("**One.** Two", ["**One.**", "Two"]),
        ("One. [[two]] is. [Three](four).", ["One.", "[[two]] is.", "[Three](four)."]),
        ("One. `two` is. 3 are. (Four) is.", ["One.", "`two` is.", "3 are.", "(Four) is."]),
        ("One. «Zwei» sind. Élan.", ["One.", "«Zwei» sind.", "Élan."]),
        ("In `a. B` code", ["In `a. B` code"]),
        ("See https://a.b/c. Two", ["See https://a.b/c.", "Two"]),
    ],
)
def test_a_stop_ends_a_sentence_where_another_begins(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Use one, e.g. This or that",
        "Use one, i.e. This",
        "Use one (cf. ADR-12) now",
        "Use one vs. Two",
        "Use one etc. And two",
        "See No. 12 there",
        "See Fig. 3 there",
        "See Smith et al. There",
        "By J. Smith",
        "See limits.md There",
        "See limits.md. it goes on",
        "Version 1.2 There",
        "It costs 3.50 There",
        "At 5 a.m. they left",
        "Yahoo! and others",
        "See func.Replace There",
        "One ... two",
    ],
)
def test_a_sentence_goes_on_over_abbreviations_names_and_numbers(text: str) -> None:
    assert sentences(text) == [text]


def test_a_number_needs_its_word_and_an_answer_is_a_sentence() -> None:
    assert sentences("Is it? No. It is not.") == ["Is it?", "No.", "It is not."]
    assert sentences("It was 2019. The end.") == ["It was 2019.", "The end."]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one\n\ntwo", ["one", "two"]),
        ("# one\ntwo\n---\nthree", ["one", "two", "three"]),
        ("- one\n- two\n  three\n1. four", ["one", "two\n  three", "four"]),
        ("one\n> two\n\nthree", ["one", "two", "three"]),
        (
            "| one | two. Three |\n|---|---|\n| [[four|4]] | fi\\|ve |",
            ["one", "two.", "Three", "[[four|4]]", "fi\\|ve"],
        ),
        ("one | two\n--|--\nthree | four", ["one", "two", "three", "four"]),
        ("one\n```\nx\n```\ntwo", ["one", "two"]),
        (
            "**Status:** one\n**Date:** two\nSupersedes: three",
            ["**Status:** one", "**Date:** two", "Supersedes: three"],
        ),
        ("", []),
        ("\n \n", []),
    ],
)
def test_blocks_cells_and_fields_end_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_the_sentence_around_a_place_is_the_one_from_the_split() -> None:
    text = "- One. Two\n  goes on. Three\n\n# Four"
    masked = mask(text)
    found = sentence_around(masked, text.index("goes"))
    assert found is not None
    assert text[found.start : found.end] == "Two\n  goes on."
    assert sentence_around(masked, 0) is None
    for sentence in split_sentences(masked):
        assert sentence_around(masked, sentence.start) == sentence


@pytest.mark.parametrize(
    ("text", "asks"), [("Is it?", True), ('"Is it?"', True), ("**Is it?** ", True), ("It is.", False), ("", False)]
)
def test_a_question_ends_with_its_mark(text: str, asks: bool) -> None:
    assert is_question(text) is asks


def test_sentences_lie_in_order_in_their_blocks_on_any_text(bodies: st.SearchStrategy[str]) -> None:
    @given(bodies)
    def check(text: str) -> None:
        last = 0
        for sentence in split_sentences(mask(text)):
            assert last <= sentence.start < sentence.end <= sentence.block.end
            assert sentence.block.start <= sentence.start
            assert text[sentence.start : sentence.end] == text[sentence.start : sentence.end].strip(" \t\r\n")
            last = sentence.end

    check()


def test_every_letter_of_prose_is_in_a_sentence(bodies: st.SearchStrategy[str]) -> None:
    @given(bodies)
    def check(text: str) -> None:
        masked = mask(text)
        covered = {at for found in split_sentences(masked) for at in range(found.start, found.end)}
        for block in masked.blocks:
            for at in range(block.start, block.end):
                assert at in covered or not masked.text[at].isalnum()

    check()
