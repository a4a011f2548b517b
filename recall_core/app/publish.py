"""What is done with a calibration that is stored: found by its id, published, exported, imported."""

import json
from collections.abc import Mapping

from recall_core.calibration.bundle import FORMAT, Bundle, parse_bundle, render_bundle
from recall_core.calibration.stored import Origin, StoredCalibration
from recall_core.errors import RefusedError, UsageError
from recall_core.ports.calibrations import CalibrationStore


def find_calibration(calibrations: CalibrationStore, tenant: str, asked: str) -> StoredCalibration:
    """The calibration of this id, or the only one whose id begins so. Raises UsageError where there is none."""
    if (exact := calibrations.calibration(tenant, asked)) is not None:
        return exact
    close = [each for each in calibrations.calibrations(tenant) if asked and each.id.startswith(asked)]
    if len(close) == 1:
        return close[0]
    what = "several calibrations have an id that begins with" if close else "there is no calibration"
    raise UsageError(f"{what} `{asked}` in the tenant `{tenant}`", help="`recall calibration list` shows them")


def choose_calibration(calibrations: CalibrationStore, tenant: str, asked: str | None) -> StoredCalibration:
    """As `find_calibration`; without an id the newest one that was measured. Raises UsageError where there is none."""
    if asked is not None:
        return find_calibration(calibrations, tenant, asked)
    for each in calibrations.calibrations(tenant):
        if each.artifact is not None:
            return each
    raise UsageError(f"the tenant `{tenant}` has no calibration", help="`recall calibrate --queries FILE` makes one")


def publish(calibrations: CalibrationStore, tenant: str, asked: str, *, actor: str) -> StoredCalibration:
    """Make a draft what searches are judged by; raises as `CalibrationStore.publish` and `find_calibration`."""
    return calibrations.publish(tenant, find_calibration(calibrations, tenant, asked).id, actor=actor)


def open_bundle(calibrations: CalibrationStore, tenant: str, stored: StoredCalibration) -> Bundle:
    """The artifact with its labels. Raises RefusedError where either cannot be read, or there is none."""
    again = "measure again: `recall calibrate --queries FILE`"
    if stored.artifact is None:
        is_legacy = stored.legacy is not None
        what = "is a file of the former format" if is_legacy else "cannot be read: its row was changed"
        raise RefusedError(f"{stored.id} {what}", help=again)
    queries = calibrations.query_set(tenant, stored.artifact.query_set_digest)
    if queries is None:
        raise RefusedError(f"the labelled queries of {stored.id} are not there", help=again)
    return Bundle(stored.artifact, queries)


def export_calibration(calibrations: CalibrationStore, tenant: str, stored: StoredCalibration) -> str:
    """The text of an export; a file of the former format goes out as it came in. Raises as `open_bundle`."""
    if stored.legacy is not None:
        return stored.legacy
    return render_bundle(open_bundle(calibrations, tenant, stored))


def import_calibration(calibrations: CalibrationStore, tenant: str, text: str, *, actor: str) -> StoredCalibration:
    """Take in an export, as a draft or rejected, or a file of the former format, which is bound to nothing.

    Raises UsageError for a text that is neither; RefusedError for an export of which a byte was changed, or that is not
    evidence about a generation of this tenant as it stands.
    """
    if _is_legacy(text):
        return calibrations.save_legacy(tenant, text, actor=actor)
    return calibrations.save(tenant, parse_bundle(text), origin=Origin.IMPORTED, actor=actor)


def _is_legacy(text: str) -> bool:
    """Whether it is a JSON object of the former format: a threshold, and no name of a format."""
    try:
        value = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return False
    return isinstance(value, Mapping) and value.get("format") != FORMAT and "threshold" in value
