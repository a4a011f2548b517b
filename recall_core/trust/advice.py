"""What to type when no trustworthy decision is possible."""

import shlex
from typing import Final

from recall_core.trust.policy import FailureCode

_NO_DECISION: Final = "No trustworthy decision was possible"

_REASONS: Final = {
    FailureCode.DEPENDENCY_UNAVAILABLE: "the store or the embedder cannot be reached",
    FailureCode.INDEX_NOT_READY: "this tenant has no active generation",
    FailureCode.LINEAGE_MISMATCH: "the embedder or the pipeline is not the one that the generation was built with",
    FailureCode.CALIBRATION_STALE: "the certified calibration no longer fits this generation",
    FailureCode.CALIBRATION_UNCERTIFIED: "no calibration of this generation is both certified and published",
    FailureCode.CALIBRATION_MISSING: "this generation has not been calibrated",
}

_REMEDIES: Final = {
    FailureCode.DEPENDENCY_UNAVAILABLE: "Run `{recall} doctor`, and ask again once it finds nothing.",
    FailureCode.INDEX_NOT_READY: (
        "Build a generation with `{recall} index`, calibrate it with"
        " `{recall} calibrate --generation ID --queries FILE --publish`,"
        " and serve it with `{recall} generation promote ID`."
    ),
    FailureCode.LINEAGE_MISMATCH: (
        "Configure that embedder again, or build with the present one: `{recall} index --promote`."
    ),
    FailureCode.CALIBRATION_STALE: (
        "Measure again with the published labels: `{recall} calibrate{generation} --query-set published --publish`."
    ),
    FailureCode.CALIBRATION_UNCERTIFIED: (
        "See what was measured with `{recall} calibration list`, then certify and publish a replacement:"
        " `{recall} calibrate{generation} --queries FILE --publish`."
    ),
    FailureCode.CALIBRATION_MISSING: (
        "Calibrate it against labelled questions: `{recall} calibrate{generation} --queries FILE --publish`."
    ),
}


def advise(code: FailureCode, *, tenant_id: str = "", generation_id: str | None = None) -> str:
    """Three sentences at most: that no trustworthy decision was possible, why, and the command that mends it.

    The commands name the tenant (unless it is the default one or unknown) and the generation, quoted for a shell.
    """
    recall = f"recall --tenant {shlex.quote(tenant_id)}" if tenant_id not in ("", "default") else "recall"
    generation = f" --generation {shlex.quote(generation_id)}" if generation_id else ""
    return f"{_NO_DECISION}: {_REASONS[code]}. {_REMEDIES[code].format(recall=recall, generation=generation)}"
