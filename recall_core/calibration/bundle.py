"""An artifact and its labels as a file that travels: two checksums, and nothing is believed on import."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from recall_core.calibration.artifact import Artifact, Binding, State
from recall_core.calibration.artifact_json import artifact_from_json, artifact_to_json
from recall_core.calibration.measure import find_contradiction, is_measured
from recall_core.calibration.queryset import QuerySet, build_query_set
from recall_core.errors import RefusedError, UsageError
from recall_core.generation.digest import Plain, digest
from recall_core.model.escape import visible

FORMAT = "recall-calibration"
_EXPORT_AGAIN = "export it again from where it was measured: `recall calibration export ID --output FILE`"


@dataclass(frozen=True, slots=True)
class Bundle:
    """An artifact with the labelled queries that it was measured with."""

    artifact: Artifact
    queries: QuerySet

    @property
    def state(self) -> State:
        """Where an import puts it: never published."""
        return self.artifact.first_state


def render_bundle(bundle: Bundle) -> str:
    """The text of an export, in ASCII with a newline at its end: the same on every machine."""
    return json.dumps(_seal(bundle), indent=1, sort_keys=True, ensure_ascii=True, allow_nan=False) + "\n"


def parse_bundle(text: str) -> Bundle:
    """What an export holds. Raises UsageError for what is none, RefusedError for one of which a byte was changed."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"this is no calibration export: {error}", help=_EXPORT_AGAIN) from error
    if not isinstance(value, Mapping) or value.get("format") != FORMAT:
        raise UsageError("this is no calibration export", help=_EXPORT_AGAIN)
    try:
        bundle = Bundle(artifact_from_json(value.get("artifact")), build_query_set(value.get("queries"), "the export"))
    except UsageError as error:
        raise RefusedError(f"the export was changed: {error.message}", help=_EXPORT_AGAIN) from error
    # Rendering again covers both checksums, and whatever stands beside what they cover.
    if render_bundle(bundle) != text:
        raise RefusedError("the export was changed: its checksums do not fit its content", help=_EXPORT_AGAIN)
    return bundle


def check_import(bundle: Bundle, here: Binding) -> None:
    """Refuse a bundle that is not evidence about the generation `here`.

    Raises RefusedError for another tenant, generation, pipeline, corpus, embedder or dimension, for labels that are not
    those that were measured, and for numbers that do not follow from the scores.
    """
    artifact = bundle.artifact
    for name, theirs, ours in (
        ("tenant", artifact.binding.tenant, here.tenant),
        ("generation", artifact.binding.generation, here.generation),
        ("embedder", artifact.binding.embedder, here.embedder),
        ("dimension", artifact.binding.dimension, here.dimension),
        ("pipeline", artifact.binding.pipeline_fingerprint, here.pipeline_fingerprint),
        ("corpus", artifact.binding.corpus_fingerprint, here.corpus_fingerprint),
    ):
        if theirs != ours:
            raise RefusedError(
                f"{artifact.id} was measured on another {name}: {visible(str(theirs))}, not {visible(str(ours))}",
                help="measure here with the same labels: `recall calibrate --queries FILE`",
            )
    if bundle.queries.digest != artifact.query_set_digest or not is_measured(bundle.queries, artifact.samples):
        raise RefusedError(f"the labels are not those that {artifact.id} was measured with", help=_EXPORT_AGAIN)
    if contradiction := find_contradiction(artifact):
        raise RefusedError(f"{artifact.id} contradicts itself: {contradiction}", help="measure here with the labels")


def _seal(bundle: Bundle) -> dict[str, Plain]:
    content: dict[str, Plain] = {
        "format": FORMAT,
        "artifact": artifact_to_json(bundle.artifact),
        "artifact_checksum": bundle.artifact.checksum,
        "queries": bundle.queries.to_json(),
    }
    return {**content, "bundle_checksum": digest(content)}
