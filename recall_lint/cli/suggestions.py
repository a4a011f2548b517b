"""The suggestions of a session: texts are read from where the session reads its memos."""

from recall_lint.check.gather import Gatherer
from recall_lint.config import Settings
from recall_lint.session import Session


def open_gatherer(session: Session, settings: Settings) -> Gatherer:
    """Gathers suggestions over what `session` lists; a memo is read only when its text is asked for."""
    return Gatherer(session.open_told(settings))
