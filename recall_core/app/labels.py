"""Labelled queries as they come: a file, whose drafts count only once they are accepted, or a set that is stored."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from recall_core.calibration.queryset import QuerySet, parse_query_set
from recall_core.calibration.rule import Rule
from recall_core.errors import UsageError
from recall_core.ports.calibrations import CalibrationStore

PUBLISHED = "published"
_OF_DRAFTS = ("accepted", "origin")


@dataclass(frozen=True, slots=True)
class Labels:
    """A query set, and the rule that it was measured with when it was last published; None where it comes anew.

    `waiting` counts the drafts that nobody has accepted or dropped.
    """

    queries: QuerySet
    rule: Rule | None = None
    waiting: int = 0


def read_labels(text: str, name: str) -> Labels:
    """The set that a file holds; of drafts those alone whose `accepted` is true. `name` is the file's, for messages.

    Raises UsageError as `parse_query_set`, for an `accepted` that is none of true, false and null, and where nothing is
    accepted.
    """
    drafts = _find_drafts(text)
    if drafts is None:
        return Labels(parse_query_set(text, name))
    kept: list[object] = []
    waiting = 0
    for number, each in enumerate(drafts, 1):
        accepted = each.get("accepted") if isinstance(each, Mapping) else True
        if not isinstance(each, Mapping) or accepted is True or "accepted" not in each:
            kept.append(_strip(each))
        elif accepted is None:
            waiting += 1
        elif accepted is not False:
            raise UsageError(
                f"{name}: entry {number}: `accepted` is `true`, `false` or `null`", help="write it without quotes"
            )
    if not kept:
        raise UsageError(
            f"{name}: none of the {len(drafts)} drafts is accepted, and only accepted ones are used",
            help="read each one, and set its `accepted` to `true` where query and label are right",
        )
    return Labels(parse_query_set(json.dumps(kept), f"{name}, accepted entries"), waiting=waiting)


def find_labels(calibrations: CalibrationStore, tenant: str, asked: str) -> Labels:
    """The stored set that `published` or a digest (or its beginning) names. Raises UsageError where there is none."""
    if asked == PUBLISHED:
        last = calibrations.last_published(tenant)
        if last is None or last.artifact is None:
            raise UsageError(
                f"no calibration was published in the tenant `{tenant}`, so there are no labels to measure again",
                help="measure with labelled queries: `recall calibrate --queries FILE --publish`; "
                "`recall calibration suggest --output FILE` drafts some",
            )
        digest, rule = last.artifact.query_set_digest, last.artifact.rule
    else:
        digest, rule = _find_digest(calibrations, tenant, asked), None
    queries = calibrations.query_set(tenant, digest)
    if queries is None:
        raise UsageError(
            f"the tenant `{tenant}` has no whole query set {digest}",
            help="`recall calibration list --format json` shows the digests; "
            "measure with a file instead: `recall calibrate --queries FILE`",
        )
    return Labels(queries, rule)


def _find_digest(calibrations: CalibrationStore, tenant: str, asked: str) -> str:
    known = {each.artifact.query_set_digest for each in calibrations.calibrations(tenant) if each.artifact is not None}
    wanted = asked.removeprefix("sha256:")
    close = [digest for digest in known if wanted and digest.removeprefix("sha256:").startswith(wanted)]
    return close[0] if len(close) == 1 else asked


def _find_drafts(text: str) -> list[object] | None:
    """The entries, where any of them is a draft; None for anything that is for `parse_query_set` alone to judge."""
    try:
        value = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, list):
        return None
    return value if any(isinstance(each, Mapping) and "accepted" in each for each in value) else None


def _strip(entry: object) -> object:
    if not isinstance(entry, Mapping):
        return entry
    return {name: value for name, value in entry.items() if name not in _OF_DRAFTS}
