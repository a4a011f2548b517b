"""The states of a generation, and which may follow which."""

from enum import Enum
from typing import Final


class State(Enum):
    """Where a generation stands. At most one of a tenant is `active`."""

    BUILDING = "building"
    VALIDATING = "validating"
    READY = "ready"
    """Complete, and never served yet."""
    ACTIVE = "active"
    RETIRED = "retired"
    """Complete, and no longer served: a rollback makes it active again."""
    FAILED = "failed"


FOLLOWING: Final = {
    State.BUILDING: frozenset({State.VALIDATING, State.FAILED}),
    State.VALIDATING: frozenset({State.READY, State.FAILED}),
    State.READY: frozenset({State.ACTIVE, State.RETIRED}),
    State.ACTIVE: frozenset({State.RETIRED}),
    State.RETIRED: frozenset({State.ACTIVE}),
    State.FAILED: frozenset[State](),
}
"""The states that may follow each."""

COMPLETE: Final = frozenset({State.READY, State.ACTIVE, State.RETIRED})
"""The states in which a generation holds a whole corpus: what may be searched by its id, and calibrated."""
