"""A corpus as one run sees it: which files are its memos, and when each was recorded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from recall_core.model.escape import encodable
from recall_core.ports.corpus import CorpusSource, Entry


@dataclass(frozen=True, slots=True)
class CorpusView:
    """One corpus, looked at in one way.

    `memos` are the entries that are memos, by path; `unlisted` names what could not be listed, with the reason: a file
    that would be a memo, or a folder, whose path then ends in a slash. `revision` is a commit, `index`, `work-tree` or
    `folder`. A name that is not UTF-8 is known to an index as it is shown, a byte of it as four characters.

    `recorded` gives the instant at which a memo entered the corpus; where `knows_history` is False a memo without one
    has an unknown time, and `is_outside_git` says that nobody else will ever tell. `said` are sentences about what
    could not be known.
    """

    root: str
    revision: str
    source: CorpusSource
    memos: Sequence[Entry]
    unlisted: Sequence[tuple[str, str]] = ()
    recorded: Mapping[str, datetime] = field(default_factory=dict)
    knows_history: bool = False
    is_outside_git: bool = True
    said: tuple[str, ...] = ()

    @property
    def paths(self) -> list[str]:
        """Every path that a generation of this corpus will hold, sorted."""
        return sorted(map(encodable, [*(entry.path for entry in self.memos), *(path for path, _ in self.unlisted)]))

    def recorded_at(self, path: str, now: datetime) -> datetime | None:
        """When the memo at a path entered the corpus; what nobody recorded yet is recorded `now`."""
        found = self.recorded.get(path)
        return now if found is None and (self.knows_history or self.is_outside_git) else found
