"""What a search answers once its hits were judged."""

from dataclasses import dataclass

from recall_core.model.hit import HitVerdict
from recall_core.trust.abstain import Abstention
from recall_core.trust.grounds import Grounds, TrustState
from recall_core.trust.hit import Hit
from recall_core.trust.instants import Instants
from recall_core.trust.staleness import Staleness
from recall_core.trust.threshold import Threshold


@dataclass(frozen=True, slots=True)
class TrustResult:
    """Hits in the order to be read, only the `OK` ones to be acted on.

    `abstention` is None where a hit is `OK`, and where there was no threshold to judge by. `threshold` is the one that
    was applied, `gap_warning` whether no dense candidate cleared it.
    """

    hits: tuple[Hit, ...]
    abstention: Abstention | None
    gap_warning: bool
    staleness: Staleness
    threshold: Threshold | None
    instants: Instants
    grounds: Grounds

    @property
    def abstained(self) -> bool:
        """Whether nothing can be relied on: a decision of its own, with a reason."""
        return self.abstention is not None

    @property
    def reason(self) -> str:
        """Why it abstained, as a sentence; empty where it did not."""
        return "" if self.abstention is None else self.abstention.reason

    @property
    def reason_code(self) -> str | None:
        """The class of that reason, for programs; None where it did not abstain."""
        return None if self.abstention is None else self.abstention.code.value

    @property
    def ok_hits(self) -> tuple[Hit, ...]:
        """What can be relied on."""
        return tuple(hit for hit in self.hits if hit.verdict is HitVerdict.OK)

    @property
    def trust_state(self) -> TrustState:
        """Whether the result as a whole is trusted."""
        return self.grounds.trust_state

    @property
    def is_calibrated(self) -> bool:
        """Whether a certified calibration, exactly of this generation, made the threshold."""
        return self.grounds.is_calibrated
