"""What `fix` proposes and refuses, for people and for programs."""

from collections.abc import Iterator
from dataclasses import dataclass

from recall_core.adapters.encode import dumps, text
from recall_core.adapters.terminal import DEFAULT_WIDTH
from recall_core.model.escape import visible
from recall_lint.check.suggestion import Suggestion
from recall_lint.formats.asking import WHY_HELD_BACK, name, tell
from recall_lint.formats.candidate_object import candidate_object
from recall_lint.formats.line_start import leading_path
from recall_lint.formats.paint import BOLD, CYAN, FAINT, paint
from recall_lint.formats.report import View
from recall_lint.formats.summary import counted

_SENTENCE_LIMIT = 400


@dataclass(frozen=True, slots=True)
class Failure:
    """A memo that could not be written, and why; the sentence names it."""

    path: str
    why: str


@dataclass(frozen=True, slots=True)
class FixReport:
    """One run of `fix`, after it wrote what it wrote.

    `proposals` are proofs not written, `written` those that are, `refusals` what is told and proves nothing. `failures`
    are memos that could not be written; `diffs` holds a unified diff, in lines, for each memo that would change.
    """

    tool_version: str
    root: str
    at: str
    proposals: tuple[Suggestion, ...] = ()
    written: tuple[Suggestion, ...] = ()
    refusals: tuple[Suggestion, ...] = ()
    failures: tuple[Failure, ...] = ()
    diffs: tuple[str, ...] = ()


def render(name_: str, report: FixReport, *, color: bool = False, width: int = DEFAULT_WIDTH) -> Iterator[str]:
    """`report` as `full` or `json`, in chunks that each end a line."""
    return render_json(report) if name_ == "json" else render_full(report, View(color=color, width=width))


def render_full(report: FixReport, view: View) -> Iterator[str]:
    """Each proposal with its proof, the diff, the refusals with their reasons, and the counts."""
    for each in (*report.proposals, *report.written):
        is_written = each in report.written
        yield "".join(f"{line}\n" for line in _proposal_lines(each, view, is_written=is_written)) + "\n"
    yield from report.diffs
    if report.diffs:
        yield "\n"
    for each in report.refusals:
        yield "".join(f"{line}\n" for line in _refusal_lines(each, view))
    if report.refusals:
        yield "\n"
    for failure in report.failures:
        yield f"not written: {visible(failure.why)}\n"
    yield f"{_counts(report)}\n"


def _proposal_lines(suggestion: Suggestion, view: View, *, is_written: bool) -> Iterator[str]:
    verb = "now declares" if is_written else "would declare"
    path = paint(leading_path(suggestion.declare_in), BOLD, color=view.color)
    yield f"{path}: {verb} that it replaces `{visible(name(suggestion.target))}`"
    yield from _proof(suggestion, view)


def _refusal_lines(suggestion: Suggestion, view: View) -> Iterator[str]:
    evidence, reason = suggestion.evidence, suggestion.held_back
    path = evidence.path if evidence is not None else suggestion.declare_in
    place = f"{leading_path(path)}:{evidence.span.line}:{evidence.span.column}" if evidence else leading_path(path)
    why = f"{reason.value}, {WHY_HELD_BACK[reason]}" if reason is not None else "no proof; `recall check` asks about it"
    yield f"{paint(place, BOLD, color=view.color)}: refused: {visible(tell(suggestion))}: {why}"
    if evidence is not None:
        yield _sentence(evidence.span.line, evidence.text, view)


def _proof(suggestion: Suggestion, view: View) -> Iterator[str]:
    evidence = suggestion.evidence
    if evidence is not None:
        place = f"{visible(evidence.path)}:{evidence.span.line}:{evidence.span.column}"
        yield f"  {paint('= proof:', CYAN, color=view.color)} {place}"
        yield _sentence(evidence.span.line, evidence.text, view)


def _sentence(line: int, sentence: str, view: View) -> str:
    gutter = paint(f"  {line} |", FAINT, color=view.color)
    return f"{gutter} {visible(' '.join(sentence.split()), limit=_SENTENCE_LIMIT)}"


def _counts(report: FixReport) -> str:
    parts = []
    if report.written:
        parts.append(f"{counted(len(report.written), 'edge')} written")
    if report.proposals:
        parts.append(f"{counted(len(report.proposals), 'proposal')} not written")
    if not parts:
        parts.append("Nothing to propose")
    if report.refusals:
        parts.append(f"{len(report.refusals)} refused")
    hint = " `recall fix --write` writes them." if report.proposals and not report.written else ""
    return f"{', '.join(parts)}.{hint}"


def render_json(report: FixReport) -> Iterator[str]:
    """One object; its schema is `recall_lint/schema/fix.schema.json`. `written` counts what this run wrote."""
    head = {"version": 1, "tool_version": report.tool_version, "root": text(report.root), "at": report.at}
    yield f'{dumps(head)[:-1]},"proposals":['
    yield from _rows(report.proposals)
    yield '],"refusals":['
    yield from _rows(report.refusals)
    yield f'],"written":{len(report.written)}}}\n'


def _rows(suggestions: tuple[Suggestion, ...]) -> Iterator[str]:
    separator = "\n"
    for each in suggestions:
        yield f"{separator}{dumps(candidate_object(each))}"
        separator = ",\n"
    if suggestions:
        yield "\n"
