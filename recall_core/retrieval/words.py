"""A text made fit for a lexical index: what differs in case, composition or typographic marks alone becomes one."""

import unicodedata
from typing import Final

_BLANK: Final = " "


class _Marks(dict[int, str]):
    """By code point what stands for a character: a blank for a mark, the character itself for all others."""

    def __missing__(self, point: int) -> str:
        character = chr(point)
        # Letters, digits and the marks that belong to them (a vowel sign is no end of a word) stay.
        stays = point < 0x80 or unicodedata.category(character)[0] in "LMN"
        self[point] = found = character if stays else _BLANK
        return found


_MARKS: Final = _Marks()


def fold(text: str) -> str:
    """The text in composed form (NFC) and lower case, with blanks for the marks beyond ASCII: dashes, curly quotes.

    Servers differ in what they take for a letter there: in the locale C every such character is one, and has no case.
    Folded on both sides, an index finds the same on each of them. Text in ASCII comes back as it is.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", text).lower().translate(_MARKS)
