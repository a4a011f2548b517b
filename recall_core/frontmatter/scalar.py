"""Text as a YAML scalar that every reader takes for that text, whatever a file is called."""

import re
from typing import Final

# Narrower than YAML: letters first (or a number, a sign and a letter: `0012-plan`), and no sign that means something.
_PLAIN: Final = re.compile(r"(?:\.{0,2}/)?(?:[^\W\d]|[0-9]+[-_][^\W\d_])[\w./'()+-]*(?: [\w./'()+-]+)*")
_WORDS: Final = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def write_scalar(text: str, quote: str = "") -> str | None:
    """`text` as a YAML scalar that every reader takes for that text, in a flow list too.

    It is plain where that is safe and no `quote` (`'` or `"`) is asked for. None for a name that UTF-8 cannot hold.
    """
    if any("\ud800" <= character <= "\udfff" for character in text):
        return None
    if not quote and _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    if quote == "'" and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return '"' + "".join(_ESCAPES.get(character) or _escape(character) for character in text) + '"'


def _escape(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
