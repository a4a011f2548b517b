"""From what was measured for a query set to the artifact, or to how many labels a target lacks."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from recall_core.calibration.admission import admit_signals
from recall_core.calibration.artifact import Artifact, Binding
from recall_core.calibration.artifact_json import seal
from recall_core.calibration.certify import certify
from recall_core.calibration.queryset import LabelledQuery, QuerySet
from recall_core.calibration.rule import Rule
from recall_core.calibration.sample import Sample
from recall_core.calibration.threshold import Shortfall, place_threshold


@dataclass(frozen=True, slots=True)
class Maker:
    """Who measured, when (aware), and with which version of the tool."""

    actor: str
    at: datetime
    tool: str


def take_sample(labelled: LabelledQuery, cosine: float | None, signals: tuple[float, ...] = ()) -> Sample:
    """The sample of one labelled query, whose best hit has this cosine; None where the dense leg gave no hit."""
    best = -1.0 if cosine is None else float(cosine)
    return Sample(labelled.digest, labelled.answerable, best, best, labelled.kind, tuple(map(float, signals)))


def build_artifact(
    queries: QuerySet, samples: Sequence[Sample], rule: Rule, binding: Binding, maker: Maker
) -> Artifact | Shortfall:
    """The sealed artifact of a query set that was measured in full, in whatever order.

    The signals of the samples count only where they are admitted. A target that the labels cannot carry is a Shortfall,
    and nothing is made. Raises ValueError where the samples are not one for each entry of the set.
    """
    ordered = sorted(samples, key=lambda sample: sample.entry)
    if not is_measured(queries, ordered):
        raise ValueError("there is one sample for each labelled query, with its label")
    judged = admit_signals(ordered)
    placed = place_threshold(
        [sample.score for sample in judged.samples if sample.answerable],
        [sample.score for sample in judged.samples if not sample.answerable],
        rule,
    )
    if isinstance(placed, Shortfall):
        return placed
    certificate = certify(judged.samples, placed, rule)
    return seal(
        Artifact(
            id="",
            checksum="",
            binding=binding,
            query_set_digest=queries.digest,
            rule=rule,
            placement=placed,
            certificate=certificate,
            evidence=judged.evidence,
            admission=judged.admission,
            samples=judged.samples,
            created_at=maker.at,
            actor=maker.actor,
            tool=maker.tool,
        )
    )


def is_measured(queries: QuerySet, samples: Sequence[Sample]) -> bool:
    """Whether there is one sample for each labelled query, with its label, and no other."""
    measured = sorted((sample.entry, sample.answerable) for sample in samples)
    return measured == sorted((entry.digest, entry.answerable) for entry in queries)


def remeasure(artifact: Artifact, samples: Sequence[Sample]) -> tuple[Sample, ...]:
    """New samples, scored by the model of an artifact that exists; without a model the score is the cosine."""
    evidence = artifact.evidence
    return tuple(
        replace(sample, score=sample.cosine if evidence is None else sample.cosine + evidence.shift(sample.signals))
        for sample in samples
    )


def find_contradiction(artifact: Artifact) -> str:
    """What in an artifact does not follow from its own scores; empty where everything does.

    A checksum shows that nothing was changed by accident. This shows that nobody wrote other numbers and summed anew.
    """
    answerable = [sample.score for sample in artifact.samples if sample.answerable]
    unanswerable = [sample.score for sample in artifact.samples if not sample.answerable]
    placed = place_threshold(answerable, unanswerable, artifact.rule)
    if placed != artifact.placement:
        return "its threshold is not the one that its rule places for its scores"
    if artifact.evidence is None and any(sample.score != sample.cosine for sample in artifact.samples):
        return "its scores are not its cosines, and it names no model that moved them"
    certificate = certify(artifact.samples, artifact.placement, artifact.rule)
    if certificate.certified != artifact.certificate.certified:
        return "its scores do not give the certificate that it claims"
    return ""
