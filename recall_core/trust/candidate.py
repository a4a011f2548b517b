"""What the trust layer asks of a hit before it is judged. The values of the store's port have these fields."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from recall_core.generation.chunk import Chunk
from recall_core.model.memo import Memo


class Succession(Protocol):
    """Where the walk from a replaced memo ends. `steps` are the paths of the walk, both ends included."""

    @property
    def path(self) -> str:
        """The terminal successor."""
        ...

    @property
    def steps(self) -> tuple[str, ...]:
        """The paths from the replaced memo to the terminal, both included."""
        ...


class Standing(Protocol):
    """What a generation knows of a memo, as far as it was known at the knowledge instant."""

    @property
    def memo(self) -> Memo:
        """What it declares."""
        ...

    @property
    def recorded(self) -> datetime | None:
        """When it entered the corpus; None where that is unknown."""
        ...

    @property
    def ambiguous(self) -> bool:
        """Whether an edge names it without saying which of several memos is meant."""
        ...

    @property
    def successors(self) -> Sequence[Succession]:
        """What replaced it in the end, the last asserted first; empty where nothing did."""
        ...


class Candidate(Protocol):
    """A chunk that was retrieved. `cosine` is the true one, also of a lexical hit; None without an embedding."""

    @property
    def memo(self) -> Standing:
        """The memo that the chunk is a part of."""
        ...

    @property
    def chunk(self) -> Chunk:
        """The part of it."""
        ...

    @property
    def cosine(self) -> float | None:
        """Its cosine to the query."""
        ...

    @property
    def indexed_at(self) -> datetime:
        """When it entered the index."""
        ...
