"""A memo as its author wrote it: keys, references and dates with their places, and what could not be read."""

from dataclasses import dataclass
from datetime import date
from enum import Enum

from recall_core.model.span import Span, TextEdit


class Style(Enum):
    """How a reference or a date is written in YAML."""

    PLAIN = "plain"
    QUOTED = "quoted"
    WIKILINK = "wikilink"
    """`[[name]]` without quotes, which YAML reads as a list in a list."""
    BLOCK = "block"
    """A literal or folded scalar."""


class ProblemKind(Enum):
    """Why a memo, or a part of it, could not be read as its author meant it."""

    UNREADABLE_FILE = "unreadable-file"
    UNCLOSED_BLOCK = "unclosed-block"
    INVALID_BLOCK = "invalid-block"
    DUPLICATE_KEY = "duplicate-key"
    DUPLICATE_VALIDITY_KEY = "duplicate-validity-key"
    MISPLACED_BLOCK = "misplaced-block"
    LEADING_BLANK_BLOCK = "leading-blank-block"
    """A block that would be one, were there not blank lines before it."""
    UNUSUAL_FENCE = "unusual-fence"
    COMMENTED_VALUE = "commented-value"
    """`supersedes: #12`: YAML reads a comment and no value."""
    PLACEHOLDER_VALUE = "placeholder-value"
    """`supersedes: n/a`; the edits remove it."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One defect of a memo, in words for its author. `related` are other places in the same file."""

    kind: ProblemKind
    span: Span
    message: str
    help: str = ""
    related: tuple[tuple[Span, str], ...] = ()
    edits: tuple[TextEdit, ...] = ()


@dataclass(frozen=True, slots=True)
class Reference:
    """One item of `supersedes`.

    `written` is the source text, quotes and brackets included; `value` the scalar's text, trimmed; `key` the normalised
    name of the whole value. `name` is the key of what remains when an alias (`|`) and an anchor (`#`) are cut off, and
    `part` the anchor's text: the two differ from `key` and "" only where there was something to cut.
    """

    written: str
    value: str
    span: Span
    style: Style
    key: str
    name: str
    part: str = ""


@dataclass(frozen=True, slots=True)
class Bound:
    """A date key: the day it names, or None where the text is no real `YYYY-MM-DD` day (or no scalar at all).

    `value` is the scalar's text, trimmed; None for a list or a mapping, and for a real day, which is written as it is.
    """

    written: str
    day: date | None
    span: Span
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Key:
    """A top-level frontmatter key that resembles one of the three: its name, its value's text and both places.

    `value` is None where the value is no scalar; `plain` means written without quotes, `null` that nothing is declared.
    `references` is what the value names, where the key is a spelling of `superseded_by`; `is_free` whether the block
    does not hold the key that this one resembles.
    """

    name: str
    span: Span
    value: str | None
    value_span: Span
    plain: bool
    null: bool
    references: tuple[Reference, ...] = ()
    is_free: bool = False


@dataclass(frozen=True, slots=True)
class Memo:
    """One Markdown file of the corpus.

    `path` is relative to the root, with forward slashes. `readable` is False where the file or its block could not be
    read: then nothing in it is declared. `title` is the frontmatter's, else the first heading. `block_end` is the line
    of the closing fence, 0 without a block. `keys` holds the keys that resemble the three.
    """

    path: str
    key: str
    title: str = ""
    label: str = ""
    supersedes: tuple[Reference, ...] = ()
    valid_from: Bound | None = None
    valid_until: Bound | None = None
    readable: bool = True
    block_end: int = 0
    problems: tuple[Problem, ...] = ()
    keys: tuple[Key, ...] = ()

    @property
    def has_window(self) -> bool:
        """Whether either end of a validity window is declared."""
        return self.valid_from is not None or self.valid_until is not None

    @property
    def has_empty_window(self) -> bool:
        """Whether both ends are real days and the start comes after the end."""
        first, last = self.valid_from, self.valid_until
        return bool(first and last and first.day and last.day and first.day > last.day)

    @property
    def is_valid(self) -> bool:
        """False where the verdict is `invalid_metadata`: unreadable, a date that is no day, or an empty window."""
        if not self.readable:
            return False
        if any(bound is not None and bound.day is None for bound in (self.valid_from, self.valid_until)):
            return False
        return not self.has_empty_window
