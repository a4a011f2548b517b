"""The questions of `check` for people: the sentence, where it stands, and the line to paste."""

from collections.abc import Iterator

from recall_core.model.escape import visible
from recall_core.prose.candidate import Evidence, Refusal
from recall_lint.check.suggestion import Kind, Suggestion
from recall_lint.diagnostic import Severity
from recall_lint.formats import full
from recall_lint.formats.asking import WHY_HELD_BACK, ask, name, tell, where_to_write
from recall_lint.formats.check import CheckedMemo, CheckReport
from recall_lint.formats.line_start import leading_path
from recall_lint.formats.paint import BOLD, CYAN, FAINT, paint
from recall_lint.formats.report import View, build_report
from recall_lint.formats.summary import counted

_QUESTION = "1;33"
_SENTENCE_LIMIT = 400
_RESEMBLANCES_SHOWN = 3


def render(report: CheckReport, view: View) -> Iterator[str]:
    """Questions first, then what is held back, likenesses and findings; nothing where nothing is to be said."""
    seen: set[object] = set()
    said = False
    for memo in report.memos:
        for block in _blocks(memo, report, view, seen):
            said = True
            yield "".join(f"{line}\n" for line in block) + "\n"
    if said:
        yield f"{_summary(report)}\n"


def _blocks(memo: CheckedMemo, report: CheckReport, view: View, seen: set[object]) -> Iterator[list[str]]:
    for each in memo.suggestions:
        if each.is_question and each not in seen:
            seen.add(each)
            yield list(question_lines(each, memo.path, view))
    held = [each for each in memo.suggestions if _is_worth_telling(each) and each not in seen]
    if held:
        seen.update(held)
        yield list(_held_lines(held, memo.path, view))
    alike = [each for each in memo.suggestions if each.is_open and each.kind is Kind.RESEMBLES and each not in seen]
    if alike:
        seen.update(alike)
        yield list(_likeness_lines(alike[:_RESEMBLANCES_SHOWN], memo.path, view))
    if memo.hint:
        yield [f"{_bold(leading_path(memo.path), view)}: {visible(memo.hint)}"]
    found = [each for each in memo.diagnostics if each.severity is not Severity.INFO and each not in seen]
    seen.update(found)
    as_lint = build_report(tool_version="", root="", at=report.at, memos=0, diagnostics=found)
    *blocks, _ = full.render(as_lint, view)  # the last is a summary of lint's
    for block in blocks:
        yield block.splitlines()[:-1]


def _is_worth_telling(suggestion: Suggestion) -> bool:
    """Whether what is held back is shown: a catalogue says of everything that it was replaced."""
    held = suggestion.held_back
    return suggestion.is_open and held is not None and held is not Refusal.CATALOGUE


def question_lines(suggestion: Suggestion, path: str, view: View) -> Iterator[str]:
    """One question: what is asked, the sentence, and how to answer. `path` is the memo that the author is at."""
    evidence = suggestion.evidence
    kind = paint("question", _QUESTION, color=view.color)
    place = _place(evidence, view) if evidence is not None else _bold(leading_path(path), view)
    yield f"{place}: {kind}: {visible(ask(suggestion))}"
    if evidence is not None:
        yield _sentence(evidence, view)
    yield _label("= yes:", f"{where_to_write(suggestion)}", view)
    command = f"recall check {shell_word(path)}"
    other = shell_word(suggestion.other(path))
    yield _label("=", f"    or run `{command} --accept {other}`", view)
    yield _label("= no:", f" `{command} --decline {other}`", view)


def _held_lines(held: list[Suggestion], path: str, view: View) -> Iterator[str]:
    yield f"{_bold(leading_path(path), view)}: held back, nobody is asked:"
    for each in held:
        reason = each.held_back
        if each.evidence is None or reason is None:
            continue
        place = f"{leading_path(each.evidence.path)}:{each.evidence.span.line}:{each.evidence.span.column}"
        yield f"  {place}: {visible(tell(each))}: {reason.value}, {WHY_HELD_BACK[reason]}"
        yield _sentence(each.evidence, view)
    if any(each.held_back is Refusal.AUGMENTING for each in held):
        yield _label("=", "a memo that only adds to another may be left alone: nothing needs to be declared", view)
    if any(each.held_back not in (Refusal.TARGET_MISSING, Refusal.TARGET_AMBIGUOUS) for each in held):
        yield _label("=", f"if one is meant all the same: `recall check {shell_word(path)} --accept TARGET`", view)


def _likeness_lines(alike: list[Suggestion], path: str, view: View) -> Iterator[str]:
    yield f"{_bold(leading_path(path), view)}: resembles, though no sentence says anything:"
    for each in alike:
        yield f"  {leading_path(name(each.other(path)))}: {visible(each.why)}"
    yield _label("=", f"if one replaces the other: `recall check {shell_word(path)} --accept TARGET`", view)


def _summary(report: CheckReport) -> str:
    warnings = {each for memo in report.memos for each in memo.diagnostics if each.severity is Severity.WARNING}
    counts = {"question": report.questions, "error": report.errors, "warning": len(warnings)}
    parts = [counted(number, noun) for noun, number in counts.items() if number]
    if report.held_back:
        parts.append(f"{report.held_back} held back")
    return f"{', '.join(parts) or 'No question'} in {counted(len(report.memos), 'memo')}."


def _place(evidence: Evidence, view: View) -> str:
    return _bold(f"{leading_path(evidence.path)}:{evidence.span.line}:{evidence.span.column}", view)


def _bold(text: str, view: View) -> str:
    return paint(text, BOLD, color=view.color)


def _sentence(evidence: Evidence, view: View) -> str:
    gutter = paint(f"  {evidence.span.line} |", FAINT, color=view.color)
    return f"{gutter} {visible(' '.join(evidence.text.split()), limit=_SENTENCE_LIMIT)}"


def _label(label: str, text: str, view: View) -> str:
    return f"  {paint(label, CYAN, color=view.color)} {visible(text)}"


def shell_word(path: str) -> str:
    """A path as one word of a shell's command line; a dash in front would be an option."""
    from shlex import quote  # noqa: PLC0415 - only where something is said

    return quote(f"./{path}" if path.startswith("-") else path)
