"""A measurement as evidence: immutable, bound to one generation of one tenant, and named by its own content."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from recall_core.calibration.admission import Admission
from recall_core.calibration.certificate import Certificate
from recall_core.calibration.evidence import Evidence
from recall_core.calibration.rule import Rule
from recall_core.calibration.sample import Sample
from recall_core.calibration.threshold import Placement


class State(Enum):
    """Where an artifact stands. It is no part of the artifact, which never changes."""

    DRAFT = "draft"
    """Certified, and not served: nobody has published it."""
    PUBLISHED = "published"
    """What searches of its generation are judged by; at most one of a generation."""
    SUPERSEDED = "superseded"
    """Published once; another one took its place."""
    REJECTED = "rejected"
    """Not certified: kept as evidence, never published."""
    LEGACY_UNBOUND = "legacy_unbound"
    """A file of the former format, which cannot say what it was measured on: kept, never selected."""


@dataclass(frozen=True, slots=True)
class Lineage:
    """What makes vectors comparable: the embedder with its revision, their length, and the pipeline around it."""

    embedder: str
    dimension: int
    pipeline_fingerprint: str


@dataclass(frozen=True, slots=True)
class Binding:
    """What a measurement is evidence about. `embedder` and `dimension` are the model's full identity."""

    tenant: str
    generation: str
    embedder: str
    dimension: int
    pipeline_fingerprint: str
    corpus_fingerprint: str

    @property
    def lineage(self) -> Lineage:
        """The part of it that has to be the same in generation, artifact and serving."""
        return Lineage(self.embedder, self.dimension, self.pipeline_fingerprint)


@dataclass(frozen=True, slots=True)
class Artifact:
    """One measurement of one query set on one generation, the threshold placed for it, and what that proves.

    `samples` are in the order of their entries. `evidence` is None where no signals were admitted. `created_at` is
    aware, `actor` who measured, `tool` the version that did. `checksum` is over all of it in canonical JSON, and `id`
    is made of the checksum: the same measurement has the same id wherever it is imported.
    """

    id: str
    checksum: str
    binding: Binding
    query_set_digest: str
    rule: Rule
    placement: Placement
    certificate: Certificate
    evidence: Evidence | None
    admission: Admission
    samples: tuple[Sample, ...]
    created_at: datetime
    actor: str
    tool: str

    @property
    def first_state(self) -> State:
        """Where a measurement begins: as a draft when it is certified, else rejected for good."""
        return State.DRAFT if self.certificate.certified else State.REJECTED

    @property
    def threshold(self) -> float:
        """The threshold of a usual query, in units of cosine."""
        return self.placement.threshold

    def threshold_for(self, signals: Sequence[float]) -> float:
        """The threshold of a query with these signals, as `compute_signals` gives them.

        A hit of that query is at or above it exactly when its cosine is; without a model it is the artifact's own.
        """
        return self.threshold if self.evidence is None else self.threshold - self.evidence.shift(signals)
