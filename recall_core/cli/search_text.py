"""What people read of a search. Memo text is anybody's: nothing that acts, reorders or hides reaches a terminal."""

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Final

from recall_core.adapters.terminal import Screen
from recall_core.app.answer import Refused, SearchResult
from recall_core.cli.search_json import list_why
from recall_core.cli.snippet import Words, read_words, render_snippet
from recall_core.model.escape import visible
from recall_core.model.hit import HitVerdict
from recall_core.trust.grounds import TrustState
from recall_core.trust.hit import Hit
from recall_core.trust.result import TrustResult
from recall_core.trust.verdicts import judge_standing

_FIRST_ROWS, _OTHER_ROWS = 4, 2
_BAR = 10
_WIDEST = 300
_SECONDS_A_DAY = 86_400
_PLAIN: Final = Screen()
_BOLD, _FAINT, _RED, _GREEN, _YELLOW = "1", "2", "1;31", "1;32", "1;33"
_SHOWN: Final = (HitVerdict.OK, HitVerdict.UNVERIFIED)
_DECLARED: Final = {
    HitVerdict.INVALID_METADATA: "its frontmatter cannot be read as a window",
    HitVerdict.NOT_YET_KNOWN: "it had not been written by then",
    HitVerdict.AMBIGUOUS_SUPERSESSION: "several memos have the name that is replaced, and which is meant is not known",
    HitVerdict.EXPIRED: "it has expired",
    HitVerdict.NOT_YET_VALID: "it is not yet valid",
}
"""What an unverified hit's own memo says against it; of a replaced one its successors are told."""


def render(result: SearchResult, *, all_hits: bool, explain: bool, screen: Screen = _PLAIN) -> Iterator[str]:
    """The hits that hold, or all, and one line that counts the rest; marked where nothing was verified.

    An abstention comes before any hit. `explain` adds the inputs of each verdict, and shows the chunks in full.
    """
    judged = result.judged
    yield from _tell_state(judged, screen)
    if judged.abstained:
        yield f"{screen.paint('no answer', _YELLOW)}: {visible(judged.reason)}\n"
    elif not judged.hits:
        yield f"{screen.paint('nothing was found', _YELLOW)}\n"
    shown = [hit for hit in judged.hits if all_hits or hit.verdict in _SHOWN]
    if judged.abstained and shown:
        yield "\n"
    words = read_words(result.query, result.generation.pipeline.text_search)
    for number, hit in enumerate(shown, 1):
        yield _head(number, hit, screen)
        yield from (f"   {line}\n" for line in _tell_standing(hit, judged))
        rows = None if explain else _FIRST_ROWS if number == 1 else _OTHER_ROWS
        yield from _tell_text(hit, words, rows, screen)
        if explain:
            yield from (f"   {line}\n" for line in _tell_why(hit, judged))
        yield "\n"
    yield from _rest([hit for hit in judged.hits if not all_hits and hit.verdict not in _SHOWN])
    if judged.gap_warning and judged.threshold is not None:
        yield "the corpus may say nothing about this: even the nearest passage is far\n"
    if judged.staleness.is_stale:
        days = int((judged.staleness.age_seconds or 0) // _SECONDS_A_DAY)
        yield f"the index is {days} days old: `recall index --promote` brings in what changed since\n"
    for note in result.notes:
        yield f"note: {visible(note)}\n"


def describe_refusal(refused: Refused, screen: Screen = _PLAIN) -> str:
    """A refusal for stderr: the code, what to type, and what is known beyond that."""
    code = screen.paint(f"refused: {refused.refusal.failure_code.value}", _RED)
    line = f"recall: {code}: {visible(refused.refusal.advice)}"
    return f"{line}\n  = note: {visible(refused.detail)}" if refused.detail else line


def _tell_state(judged: TrustResult, screen: Screen) -> Iterator[str]:
    """Why nothing is claimed, where it is not."""
    if judged.trust_state is TrustState.TRUSTED:
        return
    failure, threshold = judged.grounds.failure_code, judged.threshold
    why = failure.value if failure is not None else "development mode"
    yield f"{screen.paint(f'degraded ({why}): nothing below is verified', _YELLOW)}\n"
    if threshold is not None and failure is not None:
        yield f"judged by an uncertified threshold, {threshold.value:.3f}\n"
    yield "\n"


def _head(number: int, hit: Hit, screen: Screen) -> str:
    """The verdict, the confidence as a bar and a number, and the place."""
    where = hit.provenance
    lines = f"{where.line}-{where.end_line}" if where.end_line > where.line else str(where.line)
    verdict = screen.paint(hit.verdict.value, _GREEN if hit.verdict is HitVerdict.OK else _YELLOW)
    bar = f"  {_draw_bar(hit.confidence, screen)} {hit.confidence:.2f}" if hit.confidence is not None else ""
    cosine = f"  {screen.paint(f'cosine {hit.cosine:.3f}', _FAINT)}" if hit.cosine is not None else ""
    return f"{number}. {verdict}{bar}  {screen.paint(visible(hit.path), _BOLD)}:{lines}{cosine}\n"


def _draw_bar(confidence: float, screen: Screen) -> str:
    full = round(confidence * _BAR)
    on, off = ("\u2588", "\u2591") if screen.draws_blocks else ("#", "-")
    return on * full + off * (_BAR - full)


def _tell_standing(hit: Hit, judged: TrustResult) -> Iterator[str]:
    """What replaced the memo, what else it declares, and how long it holds."""
    validity = hit.validity
    if validity.superseded_by:
        yield f"replaced by {', '.join(map(visible, validity.superseded_by))}"
    standing = judge_standing(hit.candidate.memo, judged.instants)
    if hit.verdict is HitVerdict.UNVERIFIED and standing in _DECLARED:
        yield _DECLARED[standing]
    if hit.promoted_from is not None:
        yield f"in the place of {visible(hit.promoted_from)}, which it replaces"
    bounds = (("from", validity.valid_from), ("until", validity.valid_until))
    if window := " ".join(f"{name} {visible(bound)}" for name, bound in bounds if bound is not None):
        yield f"valid {window}"


def _tell_text(hit: Hit, words: Words, rows: int | None, screen: Screen) -> Iterator[str]:
    heading = hit.provenance.heading
    if heading:
        yield f"   {screen.paint(visible(heading, limit=min(_WIDEST, screen.width)), _FAINT)}\n"
    for row in render_snippet(hit.text, heading, words, rows=rows, screen=screen):
        yield f"   | {row}\n"


def _tell_why(hit: Hit, judged: TrustResult) -> Iterator[str]:
    for name, value in list_why(hit, judged).items():
        if name == "edge_paths" and isinstance(value, Sequence):
            yield from (f"edge_path: {' > '.join(map(visible, path))}" for path in value)
        elif value is not None:
            yield f"{name}: {visible(str(value.value if isinstance(value, Enum) else value))}"


def _rest(hidden: list[Hit]) -> Iterator[str]:
    if not hidden:
        return
    counts = Counter(hit.verdict.value for hit in hidden)
    ends = dict.fromkeys(path for hit in hidden for path in hit.superseded_by)
    by = f" (replaced by {', '.join(map(visible, list(ends)[:3]))})" if ends else ""
    replaced = HitVerdict.SUPERSEDED.value
    if by and replaced not in counts:  # in development mode nothing has a verdict
        replaced = next(iter(counts))
    told = ", ".join(f"{number} {verdict}{by if verdict == replaced else ''}" for verdict, number in counts.items())
    yield f"not shown: {told}; `--all` shows them\n"
