"""The judgment of a search's hits. Pure: the same arguments give the same result, and nothing else is asked."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from types import MappingProxyType

from recall_core.trust.abstain import Background, abstain
from recall_core.trust.candidate import Candidate, Standing
from recall_core.trust.gap import is_gap
from recall_core.trust.grounds import Grounds
from recall_core.trust.instants import Instants
from recall_core.trust.order import put_valid_first
from recall_core.trust.promote import promote
from recall_core.trust.result import TrustResult
from recall_core.trust.staleness import judge_staleness
from recall_core.trust.threshold import Threshold
from recall_core.trust.verdicts import judge_hits

_NOBODY: Mapping[str, Standing] = MappingProxyType({})


def judge(
    candidates: Sequence[Candidate],
    *,
    grounds: Grounds,
    threshold: Threshold | None,
    instants: Instants,
    fetched: Sequence[Candidate] = (),
    standings: Mapping[str, Standing] = _NOBODY,
    dense_cosines: Sequence[float] = (),
    newest: datetime | None = None,
    max_age: timedelta | None = None,
) -> TrustResult:
    """What of `candidates`, best first, can be relied on.

    `threshold` is this query's. `fetched` holds the best chunks of the successors that `find_missing_successors` names,
    `standings` what is known of successors by path, for the reason alone. `dense_cosines` are those of the dense leg.
    `newest` is when the newest content was indexed, `max_age` from when on that is stale. At a knowledge instant the
    standings are to be those of what was known then.

    The cost grows with the number of candidates alone. Raises SearchRefusedError where the policy admits no judgment.
    """
    applied = grounds.choose_threshold(threshold)
    hits = judge_hits(candidates, instants, applied, grounds.source)
    hits = promote(hits, fetched, instants, applied)
    ordered = put_valid_first(hits)
    return TrustResult(
        ordered,
        abstain(ordered, applied, Background((*fetched, *candidates), standings, instants)),
        is_gap(dense_cosines, applied),
        judge_staleness(newest, clock=instants.clock, max_age=max_age),
        applied,
        instants,
        grounds,
    )
