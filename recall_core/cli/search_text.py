"""What people read of a search. Memo text is anybody's: nothing that acts, reorders or hides reaches a terminal."""

from collections import Counter
from collections.abc import Iterator

from recall_core.app.answer import Hit, Refusal, SearchResult
from recall_core.model.escape import visible

_LINES = 8
_WIDEST = 300
_RELIED_ON = ("ok", "unverified")


def render(result: SearchResult, *, all_hits: bool, explain: bool) -> Iterator[str]:
    """The hits that hold, or all, and one line that counts the rest; marked where nothing was verified."""
    if not result.is_trusted:
        yield f"degraded ({result.failure_code}): nothing below is verified\n\n"
    shown = [hit for hit in result.judged.hits if all_hits or hit.verdict in _RELIED_ON]
    for number, hit in enumerate(shown, 1):
        yield from _hit(number, hit, explain=explain)
        yield "\n"
    if result.judged.abstained:
        yield f"no answer: {visible(result.judged.reason)}\n"
    yield from _rest([hit for hit in result.judged.hits if not all_hits and hit.verdict not in _RELIED_ON])
    if result.judged.gap_warning:
        yield "the corpus may say nothing about this: even the nearest passage is far\n"
    if result.staleness.stale:
        yield f"the index is {result.staleness.age.days} days old: `recall index` brings it up to date\n"
    for note in result.notes:
        yield f"note: {visible(note)}\n"


def describe_refusal(refusal: Refusal) -> str:
    """A refusal in one line, for stderr."""
    return f"recall: refused: {refusal.failure_code}: {visible(refusal.advice)}"


def _hit(number: int, hit: Hit, *, explain: bool) -> Iterator[str]:
    chunk = hit.chunk
    lines = f"{chunk.line}-{chunk.end_line}" if chunk.end_line > chunk.line else str(chunk.line)
    measured = (("confidence", hit.confidence), ("cosine", hit.cosine))
    numbers = [f"{name} {value:.3f}" for name, value in measured if value is not None]
    yield f"{number}. {hit.verdict}  {visible(hit.path)}:{lines}{'  ' if numbers else ''}{'  '.join(numbers)}\n"
    if hit.superseded_by:
        yield f"   replaced by {', '.join(map(visible, hit.superseded_by))}\n"
    if hit.promoted_from is not None:
        yield f"   in the place of {visible(hit.promoted_from)}, which it replaces\n"
    window = [f"from {hit.valid_from}" if hit.valid_from else "", f"until {hit.valid_until}" if hit.valid_until else ""]
    if any(window):
        yield f"   valid {' '.join(filter(None, window))}\n"
    if chunk.heading:
        yield f"   {visible(chunk.heading, limit=_WIDEST)}\n"
    text = chunk.text.splitlines()
    yield from (f"   | {visible(line, limit=_WIDEST)}\n" for line in text[:_LINES])
    if len(text) > _LINES:
        yield f"   | … {len(text) - _LINES} more lines\n"
    if explain:
        yield from (f"   {name}: {visible(str(value))}\n" for name, value in hit.why.items() if value is not None)


def _rest(hidden: list[Hit]) -> Iterator[str]:
    if not hidden:
        return
    counts = Counter(hit.verdict for hit in hidden)
    told = ", ".join(f"{number} {verdict}" for verdict, number in counts.items())
    ends = dict.fromkeys(path for hit in hidden for path in hit.superseded_by)
    by = f" (replaced by {', '.join(map(visible, list(ends)[:3]))})" if ends else ""
    yield f"not shown: {told}{by}; `--all` shows them\n"
