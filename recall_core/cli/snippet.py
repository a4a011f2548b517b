"""The few lines of a chunk that show why it was found, with the words of the question in them."""

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from recall_core.adapters.memory.lexemes import list_lexemes
from recall_core.adapters.terminal import Screen
from recall_core.errors import UsageError
from recall_core.model.escape import visible

_WORD = re.compile(r"\w+(?:-\w+)*")
_OWN_LINE = re.compile(r"\s*(?:[-*+>|#]|\d+[.)]\s)")
"""What begins a line of its own in Markdown."""
_BOLD = "1"
_LONGEST = 20_000
"""The characters of a chunk that are looked at; one of usual size is far shorter."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a question as the lexical leg compares them: lower-cased, stemmed, without stop words."""

    lexemes: frozenset[str]
    configuration: str

    def find(self, row: str) -> list[tuple[int, int, str]]:
        """Where they stand in a row: start, end and lexeme of each."""
        found = []
        for match in _WORD.finditer(row):
            common = self.lexemes.intersection(list_lexemes(match[0], self.configuration))
            if common:
                found.append((match.start(), match.end(), min(common)))
        return found


def read_words(query: str, configuration: str) -> Words:
    """The words of `query`; compared as they are where nothing is known of the text-search configuration."""
    try:
        return Words(frozenset(list_lexemes(query, configuration)), configuration)
    except UsageError:
        return Words(frozenset(list_lexemes(query, "simple")), "simple")


def render_snippet(text: str, heading: str, words: Words, *, rows: int | None, screen: Screen) -> list[str]:
    """At most `rows` rows of a chunk (None for all), those in which most different words of the question stand.

    A first line that only repeats the end of `heading` is left out. What acts, reorders or hides is spelt out; rows are
    as wide as the screen less five cells, and `…` marks what was left out.
    """
    lines = text[:_LONGEST].splitlines()
    if lines and heading and lines[0].lstrip("# ").strip() == heading.rsplit(" > ", 1)[-1]:
        lines = lines[1:]
    wrapped = [row for line in _join_paragraphs(lines) for row in _wrap(visible(line.rstrip()), screen.width - 5)]
    if rows is None or len(wrapped) <= rows:
        return [_paint(row, words, screen) for row in wrapped]
    start = _choose_start(wrapped, rows, words)
    chosen = [_paint(row, words, screen) for row in wrapped[start : start + rows]]
    mark = "\u2026" if screen.draws_blocks else "..."
    if start > 0:
        chosen[0] = f"{mark} {chosen[0]}"
    if start + rows < len(wrapped):
        chosen[-1] = f"{chosen[-1]} {mark}"
    return chosen


def _join_paragraphs(lines: Sequence[str]) -> list[str]:
    """The lines, those of a paragraph as one; code, lists, tables, quotes and headings stay as they are written."""
    joined: list[str] = []
    is_open = is_code = False
    for line in lines:
        is_fence = line.lstrip().startswith(("```", "~~~"))
        is_code ^= is_fence
        if is_code or is_fence or line.startswith("    "):
            joined.append(line)
            is_open = False
        elif not line.strip():
            is_open = False
        elif is_open and not _OWN_LINE.match(line):
            joined[-1] = f"{joined[-1].rstrip()} {line.strip()}"
        else:
            joined.append(line)
            is_open = not line.startswith("#") and not line.lstrip().startswith("|")
    return [line for line in joined if line.strip()]


def _wrap(line: str, width: int) -> list[str]:
    """The rows of a line, each two cells shorter than `width`, so that a mark fits; its indentation stays."""
    indent = " " * min(len(line) - len(line.lstrip()), 8)
    return textwrap.wrap(line, max(20, width - 4), subsequent_indent=indent, break_on_hyphens=False, expand_tabs=False)


def _choose_start(rows: Sequence[str], window: int, words: Words) -> int:
    """The first row of the window with most different words, then with most of them, then the earliest."""
    held = [[lexeme for _, _, lexeme in words.find(row)] for row in rows]

    def weigh(start: int) -> tuple[int, int]:
        lexemes = [lexeme for row in held[start : start + window] for lexeme in row]
        return len(set(lexemes)), len(lexemes)

    return max(range(len(rows) - window + 1), key=weigh)


def _paint(row: str, words: Words, screen: Screen) -> str:
    if not screen.color:
        return row
    parts, last = [], 0
    for start, end, _ in words.find(row):
        parts += [row[last:start], screen.paint(row[start:end], _BOLD)]
        last = end
    return "".join((*parts, row[last:]))
