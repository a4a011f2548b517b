"""An artifact as a list of names and values, for a page and for a terminal."""

from recall_core.calibration.artifact import Artifact
from recall_core.calibration.certificate import Certificate
from recall_core.calibration.codec import render_instant
from recall_core.calibration.intervals import Interval


def list_facts(artifact: Artifact, state: str) -> dict[str, str]:
    """What an artifact is bound to and what was counted, by name; not escaped."""
    binding, certificate = artifact.binding, artifact.certificate
    return {
        "state": state,
        "tenant": binding.tenant,
        "generation": binding.generation,
        "embedder": f"{binding.embedder}, {binding.dimension} dimensions",
        "rule": str(artifact.rule),
        "threshold": f"{artifact.threshold:.3f} (midgap alone {artifact.placement.midgap:.3f})",
        "scale of confidence": f"{artifact.placement.scale:.4f}",
        **_tell_separability(certificate),
        "in sample": f"{_rate(certificate.in_sample.false_answer)} false answers,"
        f" {_rate(certificate.in_sample.false_abstention)} false abstentions",
        "leave one out": f"{_rate(certificate.leave_one_out.false_answer)} false answers,"
        f" {_rate(certificate.leave_one_out.false_abstention)} false abstentions",
        "signals": artifact.admission.reason,
        **{
            f"unanswerable, {each.kind or 'no kind said'}": f"{each.answered} of {each.queries} answered"
            for each in certificate.slices
        },
        "query set": artifact.query_set_digest,
        "corpus": binding.corpus_fingerprint,
        "pipeline": binding.pipeline_fingerprint,
        "measured": f"{render_instant(artifact.created_at)} by {artifact.actor}, recall {artifact.tool}",
        "checksum": artifact.checksum,
    }


def _tell_separability(certificate: Certificate) -> dict[str, str]:
    found = certificate.separability
    if found.auroc is None:
        return {}
    return {
        "AUROC": f"{found.auroc:.4f} over {found.answerable} answerable and {found.unanswerable} unanswerable",
        "Hanley-McNeil, 95 %": _interval(found.hanley_mcneil),
        "logit-DeLong, 95 %": _interval(found.logit_delong),
    }


def _interval(interval: Interval | None) -> str:
    return f"{interval.low:.4f} to {interval.high:.4f}" if interval is not None else "none"


def _rate(share: float) -> str:
    return "unknown" if share != share else f"{100 * share:.1f} %"  # noqa: PLR0124 - a NaN differs from itself
