"""What people read of a search. Memo text is anybody's: nothing that acts, reorders or hides reaches a terminal."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from recall_core.app.answer import Refused, SearchResult
from recall_core.cli.search_json import list_why
from recall_core.model.escape import visible
from recall_core.model.hit import HitVerdict
from recall_core.trust.hit import Hit
from recall_core.trust.result import TrustResult
from recall_core.trust.verdicts import judge_standing

_LINES = 8
_WIDEST = 300
_SECONDS_A_DAY = 86_400
_SHOWN: Final = (HitVerdict.OK, HitVerdict.UNVERIFIED)
_DECLARED: Final = {
    HitVerdict.INVALID_METADATA: "its frontmatter cannot be read as a window",
    HitVerdict.NOT_YET_KNOWN: "it had not been written by then",
    HitVerdict.AMBIGUOUS_SUPERSESSION: "several memos have the name that is replaced, and which is meant is not known",
    HitVerdict.EXPIRED: "it has expired",
    HitVerdict.NOT_YET_VALID: "it is not yet valid",
}
"""What an unverified hit's own memo says against it; of a replaced one its successors are told."""


def render(result: SearchResult, *, all_hits: bool, explain: bool) -> Iterator[str]:
    """The hits that hold, or all, and one line that counts the rest; marked where nothing was verified."""
    judged = result.judged
    failure = judged.grounds.failure_code
    if failure is not None:
        yield f"degraded ({failure.value}): nothing below is verified\n\n"
    shown = [hit for hit in judged.hits if all_hits or hit.verdict in _SHOWN]
    for number, hit in enumerate(shown, 1):
        yield from _hit(number, hit, judged)
        if explain:
            why = list_why(hit, judged)
            yield from (f"   {name}: {visible(_plain(value))}\n" for name, value in why.items() if value is not None)
        yield "\n"
    if judged.abstained:
        yield f"no answer: {visible(judged.reason)}\n"
    elif not judged.hits:
        yield "nothing was found\n"
    yield from _rest([hit for hit in judged.hits if not all_hits and hit.verdict not in _SHOWN])
    if judged.gap_warning and judged.threshold is not None:
        yield "the corpus may say nothing about this: even the nearest passage is far\n"
    if judged.staleness.is_stale:
        days = int((judged.staleness.age_seconds or 0) // _SECONDS_A_DAY)
        yield f"the index is {days} days old: `recall index --promote` brings in what changed since\n"
    for note in result.notes:
        yield f"note: {visible(note)}\n"


def describe_refusal(refused: Refused) -> str:
    """A refusal for stderr: the code, what to type, and what is known beyond that."""
    line = f"recall: refused: {refused.refusal.failure_code.value}: {visible(refused.refusal.advice)}"
    return f"{line}\n  = note: {visible(refused.detail)}" if refused.detail else line


def _hit(number: int, hit: Hit, judged: TrustResult) -> Iterator[str]:
    where, validity = hit.provenance, hit.validity
    lines = f"{where.line}-{where.end_line}" if where.end_line > where.line else str(where.line)
    measured = (("confidence", hit.confidence), ("cosine", hit.cosine))
    numbers = "".join(f"  {name} {value:.3f}" for name, value in measured if value is not None)
    yield f"{number}. {hit.verdict.value}  {visible(hit.path)}:{lines}{numbers}\n"
    if validity.superseded_by:
        yield f"   replaced by {', '.join(map(visible, validity.superseded_by))}\n"
    standing = judge_standing(hit.candidate.memo, judged.instants)
    if hit.verdict is HitVerdict.UNVERIFIED and standing in _DECLARED:
        yield f"   {_DECLARED[standing]}\n"
    if hit.promoted_from is not None:
        yield f"   in the place of {visible(hit.promoted_from)}, which it replaces\n"
    bounds = (("from", validity.valid_from), ("until", validity.valid_until))
    if window := " ".join(f"{name} {visible(bound)}" for name, bound in bounds if bound is not None):
        yield f"   valid {window}\n"
    text = [line for line in hit.text.splitlines() if line.strip()]
    if where.heading and (not text or text[0].lstrip("# ") != where.heading):
        yield f"   {visible(where.heading, limit=_WIDEST)}\n"
    yield from (f"   | {visible(line, limit=_WIDEST)}\n" for line in text[:_LINES])
    if len(text) > _LINES:
        yield f"   | … {len(text) - _LINES} more lines\n"


def _plain(value: object) -> str:
    return str(getattr(value, "value", value))


def _rest(hidden: list[Hit]) -> Iterator[str]:
    if not hidden:
        return
    counts = Counter(hit.verdict.value for hit in hidden)
    told = ", ".join(f"{number} {verdict}" for verdict, number in counts.items())
    ends = dict.fromkeys(path for hit in hidden for path in hit.superseded_by)
    by = f" (replaced by {', '.join(map(visible, list(ends)[:3]))})" if ends else ""
    yield f"not shown: {told}{by}; `--all` shows them\n"
