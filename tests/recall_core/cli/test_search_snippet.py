"""The rows of a chunk that are shown: those with the words of the question."""

import pytest

from recall_core.adapters.terminal import Screen
from recall_core.cli.snippet import read_words, render_snippet

PAINTED = Screen(color=True, width=60)
LINES = "\n\n".join([*(f"line {number} of nothing" for number in range(9)), "Backups are kept.", "For 35 days.", "end"])


def show(text, query, *, rows=2, screen=None, heading="", configuration="english"):
    words = read_words(query, configuration)
    return render_snippet(text, heading, words, rows=rows, screen=screen or Screen(width=60))


def test_the_rows_with_most_different_words_are_chosen_and_what_is_left_out_is_marked():
    assert show(LINES, "how many days is a backup kept") == ["… Backups are kept.", "For 35 days. …"]


def test_without_any_word_the_beginning_is_shown():
    assert show(LINES, "zebra") == ["line 0 of nothing", "line 1 of nothing …"]


def test_a_short_chunk_is_shown_whole_without_the_heading_that_was_said():
    assert show("## Keep\n\none\n\ntwo", "x", heading="Backups > Keep") == ["one", "two"]
    assert show("## Other\n\none", "x", heading="Backups > Keep") == ["## Other", "one"]


def test_a_long_line_is_wrapped_and_all_rows_can_be_had():
    rows = show("word " * 60, "word", rows=None)
    assert len(rows) > 4
    assert max(map(len, rows)) <= 55
    assert len(show("word " * 60, "word", rows=4)) == 4


def test_the_lines_of_a_paragraph_are_one_and_other_lines_stay_as_they_are():
    text = "One line\nand its end.\n- an item\n  with more\n- another\n\n```\ncode\n  indented\n```\n| a | b |\n|---|---|\n\n# H\nt"
    assert show(text, "x", rows=None) == [
        "One line and its end.", "- an item with more", "- another", "```", "code", "  indented", "```", "| a | b |",
        "|---|---|", "# H", "t",
    ]  # fmt: skip


def test_words_are_compared_as_the_lexical_leg_compares_them():
    painted = show("A key was limited; the keys limit. Limitless", "limits of a key", screen=PAINTED)
    assert painted == [
        "A \x1b[1mkey\x1b[0m was \x1b[1mlimited\x1b[0m; the \x1b[1mkeys\x1b[0m \x1b[1mlimit\x1b[0m. Limitless"
    ]


@pytest.mark.parametrize("sign", ["\x1b[31m", "\u202e", "\x07", "\u200b"], ids=ascii)
def test_nothing_of_a_memo_acts_even_beside_our_own_colour(sign):
    (row,) = show(f"refund{sign} text", "refund text", screen=PAINTED)
    assert sign not in row
    assert row.count("\x1b[") == 4


def test_a_screen_that_draws_no_blocks_gets_dots():
    screen = Screen(width=60, draws_blocks=False)
    assert show(LINES, "zebra", screen=screen)[-1] == "line 1 of nothing ..."


def test_an_unknown_language_compares_words_as_they_are():
    assert show("Limits limit", "LIMITS", screen=PAINTED, configuration="klingon") == ["\x1b[1mLimits\x1b[0m limit"]
