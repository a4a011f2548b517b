"""Facts about terminals. The environment and the stream are read by the caller; here is only what follows from them."""

import unicodedata
from dataclasses import dataclass

DEFAULT_WIDTH = 100
"""Cells in a line where nobody knows: a pipe, a build log, a file."""

_NARROWEST, _WIDEST = 40, 200


@dataclass(frozen=True, slots=True)
class Screen:
    """What an answer is written to: whether it shows colour, how many cells a line has, and whether it draws blocks."""

    color: bool = False
    width: int = DEFAULT_WIDTH
    draws_blocks: bool = True

    def paint(self, text: str, style: str) -> str:
        """`text` in a style of SGR (`1` is bold) where there is colour; else as it is."""
        return f"\x1b[{style}m{text}\x1b[0m" if self.color and style else text


def color_wanted(choice: str, *, no_color: str | None, is_terminal: bool, term: str | None = None) -> bool:
    """Whether to write colour.

    `choice` is the option's `auto`, `always` or `never`, `no_color` the variable NO_COLOR (None where unset; empty is
    as good as unset), `term` the variable TERM. What is typed outranks the environment.
    """
    if choice == "always":
        return True
    if choice == "never":
        return False
    return is_terminal and not no_color and term != "dumb"


def progress_wanted(*, is_terminal: bool, under_hook: bool) -> bool:
    """Whether a moving display may be drawn on stderr; a hook runner may hand us a terminal that nobody watches."""
    return is_terminal and not under_hook


def line_width(*, columns: str | None, reported: int | None) -> int:
    """The cells in a line, 40 to 200: the variable COLUMNS if it is a number above 0, else what the system reports."""
    if columns is not None and columns.isascii() and columns.isdigit() and int(columns[:6]) > 0:
        width = int(columns[:6])
    elif reported is not None and reported > 0:
        width = reported
    else:
        return DEFAULT_WIDTH
    return max(_NARROWEST, min(width, _WIDEST))


def cell_width(text: str) -> int:
    """The cells that `text` takes in a terminal; it is taken to be free of control characters.

    Wide and full-width characters take two, combining marks none. Sequences that some terminals join into one picture
    are counted by their parts, as most terminals draw them.
    """
    if text.isascii():
        return len(text)
    return sum(map(_character_width, text))


def _character_width(character: str) -> int:
    if character < "\u0300":
        return 1
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    # Hangul vowels and finals stand inside the syllable that their initial opened.
    if "\u1161" <= character <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
