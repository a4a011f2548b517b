"""What a body leaves behind for the question whom it may speak of, once its text is put away."""

from typing import NamedTuple


class Trace(NamedTuple):
    """All that the paragraphs with a word of replacement name, and that could be a memo.

    `keys` are normalised, `titles` folded. `numbers` are written `adr 12`, the word before the number in lower case.
    Each is in order and holds nothing twice.
    """

    keys: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.keys or self.titles or self.numbers)
