"""Calibrations as programs read them."""

import math
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from recall_core import __version__
from recall_core.adapters.encode import dumps, text
from recall_core.calibration.artifact import Artifact
from recall_core.calibration.certificate import Certificate, Limit
from recall_core.calibration.words import tell_promise, tell_remedies, tell_verdict

if TYPE_CHECKING:
    from recall_core.app.calibrate import Calibrated
    from recall_core.app.drift import DriftReport
    from recall_core.calibration.stored import StoredCalibration


def render_calibrated_json(found: "Calibrated") -> Iterator[str]:
    """One object; its schema is `recall_lint/schema/calibrate.schema.json`."""
    shortfall = found.shortfall
    value = {
        "version": 1,
        "tool_version": __version__,
        "tenant_id": text(found.generation.tenant),
        "generation_id": found.generation.id,
        "rule": str(found.rule),
        "certified": found.certified,
        "calibration": calibration_object(found.stored) if found.stored is not None else None,
        "shortfall": {"needed": shortfall.needed, "missing": shortfall.missing} if shortfall is not None else None,
        "declined": {"message": text(found.declined), "help": text(found.help)} if found.declined else None,
        "drafts_waiting": found.labels.waiting,
        "unknown_paths": [text(path) for path in found.unknown],
    }
    yield f"{dumps(value)}\n"


def render_list_json(tenant: str, calibrations: Iterable["StoredCalibration"]) -> Iterator[str]:
    """One object, the calibrations newest first; its schema is `recall_lint/schema/calibration.schema.json`."""
    value = {
        "version": 1,
        "tenant_id": text(tenant),
        "calibrations": [calibration_object(each) for each in calibrations],
    }
    yield f"{dumps(value)}\n"


def render_drift_json(report: "DriftReport") -> Iterator[str]:
    """One object; its schema is `recall_lint/schema/drift.schema.json`."""
    drift = report.drift
    value = {
        "version": 1,
        "tenant_id": text(report.generation.tenant),
        "generation_id": report.generation.id,
        "calibration_id": report.artifact.id if report.artifact is not None else None,
        "finding": drift.finding.value,
        "reason": text(drift.reason),
        "certified": drift.certificate.certified if drift.certificate is not None else None,
        "answerable_change": _number(drift.answerable_change),
        "unanswerable_change": _number(drift.unanswerable_change),
    }
    yield f"{dumps(value)}\n"


def calibration_object(stored: "StoredCalibration") -> dict[str, object]:
    """A calibration by name; what only an artifact has is null for a file of the former format."""
    return {
        "id": text(stored.id),
        "state": stored.state.value,
        "origin": stored.origin.value,
        "generation_id": stored.generation,
        "stored_by": text(stored.stored_by),
        "stored_at": instant(stored.stored_at),
        "published_at": instant(stored.published_at) if stored.published_at is not None else None,
        "ended_at": instant(stored.ended_at) if stored.ended_at is not None else None,
        "artifact": _artifact_object(stored.artifact) if stored.artifact is not None else None,
    }


def instant(value: datetime) -> str:
    """An instant: RFC 3339, UTC, whole seconds."""
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _artifact_object(artifact: Artifact) -> dict[str, object]:
    certificate = artifact.certificate
    found = certificate.separability
    return {
        "checksum": artifact.checksum,
        "embedder": text(artifact.binding.embedder),
        "dimension": artifact.binding.dimension,
        "pipeline_fingerprint": artifact.binding.pipeline_fingerprint,
        "corpus_fingerprint": artifact.binding.corpus_fingerprint,
        "query_set_digest": artifact.query_set_digest,
        "rule": str(artifact.rule),
        "threshold": artifact.threshold,
        "scale": artifact.placement.scale,
        "midgap": artifact.placement.midgap,
        "certified": certificate.certified,
        "ground": found.ground.value,
        "auroc": found.auroc,
        "hanley_mcneil": [found.hanley_mcneil.low, found.hanley_mcneil.high] if found.hanley_mcneil else None,
        "logit_delong": [found.logit_delong.low, found.logit_delong.high] if found.logit_delong else None,
        "answerable": found.answerable,
        "unanswerable": found.unanswerable,
        "false_answers": _limit_object(certificate.false_answers),
        "coverage": _limit_object(certificate.coverage),
        "target": certificate.target,
        "missing_labels": certificate.missing_labels,
        **_rates(certificate),
        "signals_admitted": artifact.admission.admitted,
        "signals_reason": text(artifact.admission.reason),
        "verdict": text(tell_verdict(artifact)),
        "promise": text(tell_promise(artifact)),
        "remedies": [text(remedy) for remedy in tell_remedies(artifact)],
        "created_at": instant(artifact.created_at),
        "actor": text(artifact.actor),
        "tool_version": text(artifact.tool),
    }


def _rates(certificate: Certificate) -> dict[str, object]:
    return {
        name: {
            "false_answer": _number(rates.false_answer),
            "false_abstention": _number(rates.false_abstention),
        }
        for name, rates in (("in_sample", certificate.in_sample), ("leave_one_out", certificate.leave_one_out))
    }


def _limit_object(limit: Limit) -> dict[str, object]:
    return {
        "events": limit.events,
        "trials": limit.trials,
        "rate": limit.rate,
        "limit": limit.limit,
        "confidence": limit.confidence,
    }


def _number(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value
