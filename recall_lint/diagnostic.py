"""What a rule says of a memo: a value, rendered by `formats`, converted by the editor, counted for the exit status."""

from enum import Enum
from typing import NamedTuple

from recall_core.model.span import Span, TextEdit


class Severity(Enum):
    """How much a finding weighs. `off` only in configuration."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    OFF = "off"

    @property
    def weight(self) -> int:
        """0 (off) to 3 (error)."""
        return {"off": 0, "info": 1, "warning": 2, "error": 3}[self.value]


class Applicability(Enum):
    """Whether a fix may be written unattended (`safe`), on request (`unsafe`), or only shown (`display`)."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"


class Fix(NamedTuple):
    """Edits of the finding's own file that mend it."""

    applicability: Applicability
    edits: tuple[TextEdit, ...]


class Related(NamedTuple):
    """Another place that the finding is about."""

    path: str
    message: str
    span: Span | None = None


class Diagnostic(NamedTuple):
    """One finding. `clock` means that its truth depends on the day; `line_text` is the source line of `span.line`."""

    code: str
    rule: str
    severity: Severity
    path: str
    span: Span
    message: str
    help: str = ""
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    clock: bool = False
    line_text: str = ""
