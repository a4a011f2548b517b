"""The gate of a search: what is known of a generation before anything is retrieved from it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from recall_core.calibration.artifact import Artifact, Lineage, State
from recall_core.calibration.artifact_json import is_sealed
from recall_core.calibration.status import Record, resolve
from recall_core.generation.pipeline import Pipeline
from recall_core.ports.store import Generation
from recall_core.trust.grounds import Grounds
from recall_core.trust.policy import CalibrationStatus, FailureCode, Readiness, TrustPolicy


@dataclass(frozen=True, slots=True)
class Examined:
    """What the gate found. `detail` says more of a failure; empty where nothing is wrong.

    `artifact` is the calibration to judge by: the one that serves; in development mode, where none does, the published
    one if it was measured with the same model, certified or not; else None.
    """

    grounds: Grounds
    artifact: Artifact | None
    detail: str


def examine(
    policy: TrustPolicy,
    generation: Generation,
    records: Sequence[Record],
    serving: Pipeline,
    *,
    known_at: datetime | None = None,
) -> Examined:
    """Whether a generation may be searched, by its calibrations and by what embeds the queries.

    `records` are as they stood at `known_at`, or as they stand.
    """
    lineage = Lineage(serving.embedder, serving.dimension, serving.fingerprint)
    resolution = resolve(records, generation.binding, lineage)
    artifact = resolution.artifact
    grounds = Grounds(
        policy,
        Readiness(True, True, resolution.has_same_lineage, resolution.status),
        generation.tenant,
        generation.id,
        source=f"{generation.root}@{generation.revision}",
        pipeline_fingerprint=generation.pipeline.fingerprint,
        corpus_fingerprint=generation.corpus_fingerprint,
    )
    code = grounds.failure_code
    if code is None:
        detail = ""
    elif code is FailureCode.LINEAGE_MISMATCH and generation.pipeline != serving:
        detail = _tell_difference(generation, serving)
    else:
        detail = resolution.reason
        if known_at is not None:
            detail = (
                f"as it was at {known_at.isoformat()}: {detail}; a generation of that time can be asked with"
                " `--generation`, or ask without `--known-at`"
            )
    if artifact is None and not policy.is_strict and resolution.has_same_lineage:
        artifact = _find_uncertified(records, generation, lineage)
    if artifact is not None:
        grounds = replace(grounds, calibration_id=artifact.id, query_set_digest=artifact.query_set_digest)
    return Examined(grounds, artifact, detail)


def examine_nothing(policy: TrustPolicy, tenant: str, *, is_reachable: bool) -> Grounds:
    """The grounds where there is no generation, or where nobody could ask whether there is one."""
    return Grounds(policy, Readiness(is_reachable, False, False, CalibrationStatus.UNKNOWN), tenant)


def _find_uncertified(records: Sequence[Record], generation: Generation, lineage: Lineage) -> Artifact | None:
    for record in records:
        artifact = record.artifact
        if (
            record.state is State.PUBLISHED
            and artifact is not None
            and (artifact.binding.tenant, artifact.binding.generation) == (generation.tenant, generation.id)
            and artifact.binding.lineage == lineage
            and is_sealed(artifact)
        ):
            return artifact
    return None


def _tell_difference(generation: Generation, serving: Pipeline) -> str:
    """What of the pipeline is another than when the generation was built."""
    built = generation.pipeline
    if (built.embedder, built.dimension) == (serving.embedder, serving.dimension):
        differing = [name for name, value in built.to_json().items() if serving.to_json()[name] != value]
        return f"{generation.id} was built by another version ({', '.join(differing)})"
    return f"{generation.id} was built with the embedder {built.embedder}, and {serving.embedder} is chosen now"
