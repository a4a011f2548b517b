r"""Text of unknown origin made fit to be shown: what would act, reorder or hide is spelt out instead.

File names and memo text are written by anybody. A terminal obeys ESC, a page reorders by bidi controls, a build log
takes `##[…]` for an order, and two names that differ by an invisible character look like one. All of it becomes a
visible escape, in one spelling everywhere:

- `\n` `\r` `\t`, and `\x1b` for every other character below U+0080;
- `\xff` for a byte of a file name that is not UTF-8 (it arrives as a lone surrogate, `os.fsdecode`);
- `\u200b` `\U000e0041` for every other character, so that U+0085 and the byte 0x85 stay apart.

Spelt out are control characters, line and paragraph separators, bidi controls, characters without a glyph (zero-width
joiners too: in a message about names an invisible difference is the very thing to show), blanks that look like a space
and are none, and the second `#` of what a build system would obey (`##[group]`, `##vso[task…]`).
A backslash itself stands: the result is for reading, never for parsing back, and escaping twice changes nothing.
"""

import re

_SURROGATES = "\ud800-\udfff"

_UNSAFE = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # C0, DEL, C1
    "\u00a0\u1680\u2000-\u200a\u202f\u205f"  # look like a space
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0"  # no glyph: soft hyphen, joiners, fillers
    "\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero width, bidi, line and paragraph separators
    "\ufe00-\ufe0d\ufeff\ufff0-\ufffb\ufffe\uffff"  # variation selectors, BOM, interlinear marks
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # shorthand and music format, tags
    f"{_SURROGATES}]"
    # A presentation selector belongs to a symbol (a warning sign in colour); anywhere else it only hides.
    "|(?<![\u203c-\u2fff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff])[\ufe0e\ufe0f]"
    "|(?<=#)#(?=[A-Za-z]{0,16}\\[)"
)
_LONE_SURROGATE = re.compile(f"[{_SURROGATES}]")

_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _spell(match: re.Match[str]) -> str:
    character = match[0]
    code = ord(character)
    if code < 0x80:
        return _NAMED.get(character) or f"\\x{code:02x}"
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def visible(text: str, *, limit: int | None = None) -> str:
    """`text` on one line, with everything that acts or hides spelt out; plain text comes back as it is.

    Longer than `limit` characters, its middle gives way to `…` before escaping, so that both ends stay readable.
    """
    if limit is not None and len(text) > limit:
        tail = limit // 3
        text = f"{text[: limit - tail - 1]}…{text[len(text) - tail :]}"
    if text.isascii() and text.isprintable() and "##" not in text:
        return text
    return _UNSAFE.sub(_spell, text)


def visible_characters(text: str) -> list[str]:
    """What `visible` shows for each character of `text`, in order; one item a character, so that places can be kept."""
    shown = list(text)
    for match in _UNSAFE.finditer(text):
        shown[match.start()] = _spell(match)
    return shown


def encodable(text: str) -> str:
    """`text` with its lone surrogates alone spelt out, so that it is Unicode to every encoder and strict parser."""
    return text if text.isascii() else _LONE_SURROGATE.sub(_spell, text)
