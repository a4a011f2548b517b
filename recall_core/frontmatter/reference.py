"""How a reference names a memo: one normalised key for references and file names alike (DESIGN §3 `supersedes`)."""

import unicodedata

from recall_core.model.memo import Reference, Style
from recall_core.model.span import Span

BLANKS = " \t\r\n"
"""What is trimmed: blanks and line ends, and nothing else that Unicode calls a space."""

_PLACEHOLDERS = frozenset({"n/a", "na", "none", "nil", "tbd", "todo", "-", "?"})


def normalise_key(text: str) -> str:
    """The key that `text` names: `[[a]]`, `a.md`, `dir/a.MD` and `a` all give `a`; "" where it names nothing."""
    if text.isascii() and text.endswith(".md"):
        stem = text[text.rfind("/") + 1 : -3]
        if stem.replace("-", "").replace("_", "").isalnum():
            return stem  # nearly every file name; the loop below would say the same, five times slower
    # Brackets and suffix first, as often as they come: `[[dir/a]]` cut at its slash would keep one bracket.
    while True:
        text = text.strip(BLANKS)
        if len(text) > 1 and text[0] == "[" and text[-1] == "]":
            text = text[1:-1]
        elif text[-3:].lower() == ".md":
            text = text[:-3]
        elif "/" in text:
            text = text[text.rfind("/") + 1 :]
        else:
            return unicodedata.normalize("NFC", text)


def build_reference(written: str, value: str, span: Span, style: Style) -> Reference:
    """A reference from its source text and its scalar's text; alias and anchor are cut for `name` and `part`."""
    value = value.strip(BLANKS)
    key = normalise_key(value)
    if "|" not in value and "#" not in value:
        return Reference(written, value, span, style, key, key)
    rest = _unwrap(value)
    rest = rest.partition("|")[0].removesuffix("\\")
    name, _, part = rest.partition("#")
    return Reference(written, value, span, style, key, normalise_key(name), part.strip(BLANKS))


def _unwrap(text: str) -> str:
    while len(text) > 1 and text[0] == "[" and text[-1] == "]":
        text = text[1:-1].strip(BLANKS)
    return text


def is_placeholder(value: str) -> bool:
    """Whether a value stands for "nothing yet": `n/a`, `TBD`, `NNNN-title` (rule RL108). It declares nothing."""
    if value.strip(BLANKS).lower() in _PLACEHOLDERS:
        return True
    return normalise_key(value).upper().startswith(("NNNN", "XXXX"))


def is_outside(value: str, path: str) -> bool:
    """Whether a reference written in the memo at `path` is an address, or climbs out of the root."""
    if "://" in value:
        return True
    value = _unwrap(value.strip(BLANKS))
    if ".." not in value:
        return False
    depth = path.count("/")
    for segment in value.split("/")[:-1]:
        if segment == "..":
            depth -= 1
        elif segment not in ("", "."):
            depth += 1
        if depth < 0:
            return True
    return False
