"""What can be said of a memo's standing at an instant."""

from enum import Enum


class Verdict(Enum):
    """Validity Frontmatter 1.0, Level 3; the members stand in order of precedence."""

    INVALID_METADATA = "invalid_metadata"
    NOT_YET_KNOWN = "not_yet_known"
    AMBIGUOUS_SUPERSESSION = "ambiguous_supersession"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    NOT_YET_VALID = "not_yet_valid"
    OK = "ok"
