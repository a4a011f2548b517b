"""Canonical digests: the same values give the same text in every process, locale and time zone."""

import hashlib
import json
from collections.abc import Mapping, Sequence

Plain = None | bool | int | float | str | Sequence["Plain"] | Mapping[str, "Plain"]


def canonical_json(value: Plain) -> str:
    """JSON with sorted keys, no blanks and ASCII alone. Raises ValueError for a number that JSON does not have."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def digest(value: Plain) -> str:
    """`sha256:` and the hexadecimal digest of the canonical JSON."""
    return f"sha256:{hashlib.sha256(canonical_json(value).encode('ascii')).hexdigest()}"
