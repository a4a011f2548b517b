"""Keys that resemble the three of the vocabulary: one edit, letter case or a hyphen away (rule RL104)."""

from functools import lru_cache

from recall_core.frontmatter.fence import VALIDITY_KEYS

SUPERSEDED_BY = "superseded_by"
"""The other direction: never ours, since the memo that replaces declares the edge."""

_FOLDED = {key.replace("_", ""): key for key in (*VALIDITY_KEYS, SUPERSEDED_BY)}
_LENGTHS = {len(folded) + change for folded in _FOLDED for change in (-1, 0, 1)}


@lru_cache(maxsize=1024)
def meant_key(name: str) -> str | None:
    """The key that `name` is a spelling of, or None; `superseded_by` in any spelling included."""
    folded = name.strip(" \t:").lower().replace("_", "").replace("-", "").replace(" ", "")
    if (exact := _FOLDED.get(folded)) is not None:
        return exact
    if len(folded) not in _LENGTHS:
        return None
    return next((key for known, key in _FOLDED.items() if _is_one_edit_away(folded, known)), None)


def _is_one_edit_away(one: str, other: str) -> bool:
    """One insertion, deletion, substitution or swap of neighbours (Damerau 1964)."""
    if len(one) > len(other):
        one, other = other, one
    if len(other) - len(one) > 1:
        return False
    first = 0
    while first < len(one) and one[first] == other[first]:
        first += 1
    if len(one) == len(other):
        rest_one, rest_other = one[first:], other[first:]
        swapped = rest_one[1:2] + rest_one[:1] == rest_other[:2] and rest_one[2:] == rest_other[2:]
        return rest_one[1:] == rest_other[1:] or swapped
    return one[first:] == other[first + 1 :]
