"""Declined questions: comments by which an author says that this memo does not replace another.

`<!-- recall: not-superseding TARGET reason -->`, in frontmatter `# recall: not-superseding TARGET reason`. TARGET is
a reference as in `supersedes`; one with blanks stands in quotes or wikilink brackets. It holds for the whole memo.
"""

import re
from typing import NamedTuple

from recall_core.frontmatter.lines import LineTable
from recall_core.frontmatter.reference import BLANKS, build_reference
from recall_core.model.memo import Reference, Style
from recall_core.model.span import Span, TextEdit

_TARGET = re.compile(
    r'[ \t\r\n]*+(?P<written>(?P<double>"(?:[^"\\\r\n]|\\[^\r\n])*+")(?=[ \t\r\n,;:]|\Z)'
    r"|(?P<single>'(?:[^'\r\n]|'')*+')(?=[ \t\r\n,;:]|\Z)"
    r"|(?P<link>\[\[[^\[\]\r\n]++\]\]|\[[^\[\]\r\n]++\])"
    r"|[^ \t\r\n]++)"
)
_REASON_BEGINS = ",;:"
"""What may stand right behind a plain target: `limits-v1: a reason`. A name that ends so is written in quotes."""

_ESCAPE = re.compile(
    r'\\(?:(["\\])|([nrt])|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U(000[0-9a-fA-F]{5}|0010[0-9a-fA-F]{4}))'
)
_LETTERS = {"n": "\n", "r": "\r", "t": "\t"}
_PLAIN = re.compile(r"(?:\.{0,2}/)?\w[\w./-]*|\[\[\w(?:[\w./ -]*[\w./-])?\]\]")
_ENDS_COMMENT = re.compile(r"(?<=--)!?>")
_UNWRITABLE = re.compile(r"[\ud800-\udfff\ufffe\uffff]")
_NO_TEXT = re.compile(r"[\s\x00-\x1f\x7f-\x9f]++")


class Decline(NamedTuple):
    """A comment that declines a question. `target` is None where it names none; `span` is the whole comment.

    `removal` takes the comment out, with its line where it stands alone there.
    """

    target: Reference | None
    span: Span
    removal: TextEdit


def parse_target(text: str, start: int, end: int, table: LineTable) -> Reference | None:
    """The reference that begins between two offsets, after blanks; None where nothing does."""
    match = _TARGET.match(text, start, end)
    if match is None:
        return None
    written = match["written"]
    if match["double"]:
        style, value = Style.QUOTED, _ESCAPE.sub(_unescape, written[1:-1])
    elif match["single"]:
        style, value = Style.QUOTED, written[1:-1].replace("''", "'")
    elif match["link"]:
        style, value = Style.WIKILINK, written
    else:
        style, value = Style.PLAIN, written.rstrip(_REASON_BEGINS)
        if not any(map(str.isalnum, value)):
            return None  # `-- a reason`, `: a reason`
        written = value
    begin = match.start("written")
    return build_reference(written, value, table.span(begin, begin + len(written)), style)


def _unescape(match: re.Match[str]) -> str:
    itself, letter, *numbers = match.groups()
    if itself is not None:
        return str(itself)
    return _LETTERS[letter] if letter is not None else chr(int(next(filter(None, numbers)), 16))


def render_decline(target: str, reason: str = "") -> str:
    """The line, without its end, that declines `target`, a reference in any written form.

    Reading it gives the same reference back. Nothing in either text can end the comment; a reason is put on one line.
    """
    said = _ENDS_COMMENT.sub(r" \g<0>", _on_one_line(reason))
    return f"<!-- {_render_words(target, said)} -->"


def render_yaml_decline(target: str, reason: str = "") -> str:
    """As `render_decline`, for a line of its own in frontmatter."""
    return f"# {_render_words(target, _on_one_line(reason))}"


def _on_one_line(reason: str) -> str:
    return _NO_TEXT.sub(" ", _UNWRITABLE.sub("\ufffd", reason)).strip()


def _render_words(target: str, said: str) -> str:
    return " ".join(filter(None, ("recall: not-superseding", render_target(target), said)))


def render_target(target: str) -> str:
    """A reference as a decline names it: plain, as a wikilink, or in double quotes."""
    target = target.strip(BLANKS)
    if _PLAIN.fullmatch(target) and any(map(str.isalnum, target)):
        return target
    return '"' + "".join(map(_escape, target)) + '"'


def _escape(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    # `>` may end a comment, `-->` and `--!>` alike.
    if character.isprintable() and character != ">":
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
