"""Artifacts to JSON and back: version 2 of the format, in which every field is written and none is unknown."""

import math
from collections.abc import Mapping
from dataclasses import replace

from recall_core.calibration.artifact import Artifact
from recall_core.calibration.codec import decode, encode
from recall_core.errors import RecallError, UsageError
from recall_core.generation.digest import Plain, canonical_json, digest

VERSION = 2
_ID_SIGNS = 20
_PREFIX = len("sha256:")


def seal(artifact: Artifact) -> Artifact:
    """The artifact with the checksum of its content, and the id that follows from it.

    Raises ValueError where it was made without a time zone, or has a number that JSON does not have.
    """
    checksum = digest(_content(artifact_to_json(artifact)))
    return replace(artifact, checksum=checksum, id=f"cal_{checksum[_PREFIX : _PREFIX + _ID_SIGNS]}")


def is_sealed(artifact: Artifact) -> bool:
    """Whether checksum and id are those of the content: evidence that was changed is none."""
    sealed = seal(artifact)
    return (sealed.checksum, sealed.id) == (artifact.checksum, artifact.id)


def artifact_to_json(artifact: Artifact) -> dict[str, Plain]:
    """All of the artifact, with its id, its checksum and the version of the format."""
    written = encode(artifact)
    assert isinstance(written, dict)  # noqa: S101 - a dataclass is an object
    return {**written, "version": VERSION}


def artifact_from_json(value: object) -> Artifact:
    """The artifact that `artifact_to_json` wrote.

    Raises UsageError for another version, for what is no artifact, and where checksum or id are not those of the
    content.
    """
    if not isinstance(value, Mapping) or value.get("version") != VERSION:
        raise UsageError(
            f"this is no calibration artifact of version {VERSION}",
            help="export it again with this version of recall",
        )
    try:
        artifact = _read(value)
        is_whole = is_sealed(artifact)
    except (ValueError, TypeError, OverflowError, RecallError) as error:
        raise UsageError(f"this is no calibration artifact: {error}", help="export it again") from error
    if not is_whole:
        raise UsageError(
            "the checksum of the artifact does not fit its content: it was changed",
            help="export it again from where it was measured, or measure again with `recall calibrate`",
        )
    return artifact


def _read(value: Mapping[str, object]) -> Artifact:
    artifact: Artifact = decode(
        Artifact, {name: each for name, each in value.items() if name != "version"}, "the artifact"
    )
    placement = artifact.placement
    if not (placement.scale > 0 and math.isfinite(placement.threshold) and math.isfinite(placement.scale)):
        raise ValueError("its threshold and scale are no threshold and scale")
    # Two spellings of one value, `1` and `1.0`, would otherwise pass under one checksum.
    if canonical_json(artifact_to_json(artifact)) != canonical_json(dict(value)):  # type: ignore[arg-type]
        raise ValueError("a value is not in its canonical form")
    return artifact


def _content(written: Mapping[str, Plain]) -> dict[str, Plain]:
    return {name: each for name, each in written.items() if name not in ("id", "checksum")}
