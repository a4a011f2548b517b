"""Whether answers need a certified calibration."""

from enum import Enum


class Mode(Enum):
    """`strict` is the default everywhere; `development` answers without a calibration, and says so."""

    STRICT = "strict"
    DEVELOPMENT = "development"


def parse_mode(text: str | None) -> Mode:
    """What RECALL_TRUST_MODE says; anything but `development`, in any letter case, is strict."""
    return Mode.DEVELOPMENT if (text or "").strip().lower() == Mode.DEVELOPMENT.value else Mode.STRICT
