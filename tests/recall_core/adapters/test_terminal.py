import pytest

from recall_core.adapters.terminal import DEFAULT_WIDTH, cell_width, color_wanted, line_width, progress_wanted


@pytest.mark.parametrize(
    ("choice", "no_color", "is_terminal", "term", "wanted"),
    [
        ("auto", None, True, "xterm", True),
        ("auto", None, True, None, True),
        ("auto", None, False, "xterm", False),
        ("auto", "1", True, "xterm", False),
        ("auto", "", True, "xterm", True),
        ("auto", None, True, "dumb", False),
        ("always", "1", False, "dumb", True),
        ("never", None, True, "xterm", False),
    ],
)
def test_colour_is_for_terminals_unless_somebody_says_otherwise(
    choice: str, no_color: str | None, is_terminal: bool, term: str | None, wanted: bool
) -> None:
    assert color_wanted(choice, no_color=no_color, is_terminal=is_terminal, term=term) is wanted


def test_progress_is_drawn_on_a_terminal_and_never_under_a_hook() -> None:
    assert progress_wanted(is_terminal=True, under_hook=False)
    assert not progress_wanted(is_terminal=True, under_hook=True)
    assert not progress_wanted(is_terminal=False, under_hook=False)


@pytest.mark.parametrize(
    ("columns", "reported", "width"),
    [
        (None, None, DEFAULT_WIDTH),
        (None, 0, DEFAULT_WIDTH),
        (None, 120, 120),
        ("90", 120, 90),
        ("wide", 120, 120),
        ("0", 120, 120),
        ("٩٠", 120, 120),
        ("9" * 5000, 120, 200),
        ("3", None, 40),
    ],
)
def test_the_width_is_what_the_environment_or_the_terminal_says_within_reason(
    columns: str | None, reported: int | None, width: int
) -> None:
    assert line_width(columns=columns, reported=reported) == width


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("", 0),
        ("plain", 5),
        ("é", 1),
        ("e\u0301", 1),
        ("中文", 4),
        ("🚀", 2),
        ("\uff21", 2),
        ("한", 2),
        ("\u1112\u1161\u11ab", 2),
    ],
)
def test_cells_are_counted_as_a_terminal_draws_them(text: str, cells: int) -> None:
    assert cell_width(text) == cells
