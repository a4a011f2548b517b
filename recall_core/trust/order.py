"""The order in which hits are shown."""

from collections.abc import Iterable

from recall_core.model.hit import HitVerdict
from recall_core.trust.hit import Hit


def put_valid_first(hits: Iterable[Hit]) -> tuple[Hit, ...]:
    """The `OK` hits, then the others, each group in the order given."""
    return tuple(sorted(hits, key=_is_not_ok))


def _is_not_ok(hit: Hit) -> bool:
    return hit.verdict is not HitVerdict.OK
