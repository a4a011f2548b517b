"""JSON as all our machine formats write it."""

import json

from recall_core.model.escape import encodable


def dumps(value: object) -> str:
    """`value` as one line of JSON that any strict parser accepts and any log or page may carry.

    ASCII only, so no control or bidi character is in it raw, and `<`, `>`, `&` escaped, so no markup ends or begins.
    Strings must have passed `text` where they come from outside.
    """
    encoded = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    # These three stand only inside strings.
    return encoded.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def text(value: str) -> str:
    r"""A string from outside. A byte that is not UTF-8, in a file name, is the four characters `\xff`.

    JSON could carry it as a lone surrogate, which strict parsers refuse, and with it the whole output.
    """
    return encodable(value)
