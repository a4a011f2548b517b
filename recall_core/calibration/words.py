"""What an artifact says, in sentences: whether it is certified, what it promises, what would make it better."""

from recall_core.calibration.artifact import Artifact
from recall_core.calibration.certificate import Ground, Limit
from recall_core.calibration.certify import LEAST_PER_CLASS
from recall_core.calibration.rule import Midgap


def tell_verdict(artifact: Artifact) -> str:
    """Certified or not, and why."""
    separability = artifact.certificate.separability
    return f"{'certified' if artifact.certificate.certified else 'not certified'}: {separability.reason}"


def tell_promise(artifact: Artifact) -> str:
    """The limits of false answers and of coverage at the threshold, with what was counted."""
    certificate = artifact.certificate
    wrong, covered = certificate.false_answers, certificate.coverage
    moved = ", which signals move for each query," if artifact.evidence is not None else ","
    return (
        f"at a threshold of {artifact.threshold:.3f}{moved} with {_percent(wrong.confidence)} confidence each, at most"
        f" {_share(wrong.limit)} of unanswerable questions are answered ({_count(wrong)} here), and at least"
        f" {_share(covered.limit)} of answerable ones are ({_count(covered)} here);"
        " this holds for questions like the labelled ones"
    )


def tell_remedies(artifact: Artifact) -> list[str]:
    """What would make the certificate better, the most needed first; empty where nothing is known to."""
    certificate = artifact.certificate
    separability = certificate.separability
    remedies = []
    short = [
        f"{LEAST_PER_CLASS - labels} more {name} labels"
        for name, labels in (("answerable", separability.answerable), ("unanswerable", separability.unanswerable))
        if labels < LEAST_PER_CLASS
    ]
    if short:
        remedies.append(f"{' and '.join(short)}: {LEAST_PER_CLASS} of either class are the least")
    if separability.ground is Ground.OVERLAP:
        remedies.append(
            "look at the answerable queries with the lowest scores and the unanswerable ones with the highest: a wrong"
            " label, or a memo that answers and is not there; a better embedder moves the classes apart"
        )
    if certificate.missing_labels:
        missing = certificate.missing_labels
        remedies.append(
            f"{missing} more unanswerable {'label' if missing == 1 else 'labels'}, all refused, would prove at most"
            f" {_share(certificate.target)} of false answers"
        )
        if isinstance(artifact.rule, Midgap) and certificate.false_answers.events:
            remedies.append(
                f"a rule with a target is stricter than midgap: `--rule conformal:{certificate.target:g}` or"
                f" `--rule bounded:{certificate.target:g},0.10`"
            )
    return remedies


def _count(limit: Limit) -> str:
    return f"{limit.events} of {limit.trials}"


def _share(share: float) -> str:
    return _percent(share, digits=1)


def _percent(share: float, digits: int = 0) -> str:
    return f"{100 * share:.{digits}f} %"
