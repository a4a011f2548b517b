"""`recall check --accept` and `--decline`: what the author says, written into the memo that it belongs in."""

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from recall_core.adapters.output import remark, write
from recall_core.errors import UsageError
from recall_lint.cli.check import Options
from recall_lint.cli.check_run import Check, show, status_of

if TYPE_CHECKING:
    from recall_core.model.memo import Memo
    from recall_lint.check.gather import Gathered
    from recall_lint.check.suggestion import Suggestion
    from recall_lint.fix.write import NotWritten, Writer, Written

COULD_NOT_WRITE = 2


def write_answers(check: Check, options: Options) -> int:
    """Write what is accepted and declined for the one memo, then say what is still open there."""
    gathered = check.gather()
    if len(gathered) != 1:
        raise UsageError("--accept and --decline answer for one memo", help="name one FILE of the corpus")
    accepted = [_find_target(check, gathered[0], target) for target in options.accept]
    declined = [_find_target(check, gathered[0], target) for target in options.decline]
    writer = open_writer(check)
    outcomes = accept(writer, gathered[0], accepted)
    outcomes += [decline(writer, gathered[0].memo.path, target.path, options.reason or "") for target in declined]
    write(say_outcomes(outcomes))
    say_what_to_stage(check, outcomes)
    if any(map(failed, outcomes)):
        return COULD_NOT_WRITE
    report = check.again().report()
    show(report, options, check.environment)
    return status_of(report, options)


def open_writer(check: Check) -> "Writer":
    """A writer over the files that `check` looked at.

    An author is let do what brings a warning, and told of it afterwards; an error is never written.
    """
    from recall_lint.diagnostic import Severity
    from recall_lint.fix.verify import CONSEQUENCES
    from recall_lint.fix.write import Writer
    from recall_lint.rules import RULES

    # RL002 is a warning on disk, and mended by the `git add` that every new memo needs.
    permit = {"RL002", *(rule.code for rule in RULES if rule.severity is Severity.WARNING)}
    return Writer(check.session, check.settings, at=check.instant, permit=CONSEQUENCES | permit)


def accept(writer: "Writer", gathered: "Gathered", targets: Sequence["Memo"]) -> list["Written | NotWritten"]:
    """Declare the edges between a memo and others, each in the memo that the text says, else in this one."""
    from recall_lint.fix.write import Edge

    path, edges = gathered.memo.path, []
    for target in targets:
        told = _told(gathered, target.path)
        if told is None:
            remark(f"no sentence tells of {target.path}: declared because you say so")
            edges.append(Edge(path, target.path))
        else:
            edges.append(Edge(told.declare_in, told.target))
    return list(writer.write(writer.prepare(edges)).values()) if edges else []


def decline(writer: "Writer", path: str, target: str, reason: str = "") -> "Written | NotWritten":
    """Let the memo at `path` say that nothing is replaced between it and `target`."""
    return writer.write(writer.prepare_decline(path, target, reason))[path]


def failed(outcome: "Written | NotWritten") -> bool:
    """Whether the file does not say what it was to say."""
    from recall_lint.fix.write import NotWritten

    return isinstance(outcome, NotWritten)


def say_outcomes(outcomes: Iterable["Written | NotWritten"]) -> list[str]:
    """A line for each memo that was written; what was not is remarked."""
    from recall_core.model.escape import visible
    from recall_lint.fix.write import NotWritten

    lines = []
    for each in outcomes:
        if isinstance(each, NotWritten):
            remark("; ".join(filter(None, (each.reason, each.help))))
        elif each.is_new:
            shown = " / ".join(each.change.line.split("\n"))
            lines.append(f"{visible(each.change.path)}: written: {visible(shown)}\n")
        else:
            lines.append(f"{visible(each.change.path)}: says so already\n")
    return lines


def say_what_to_stage(check: Check, outcomes: Iterable["Written | NotWritten"]) -> None:
    """Print the `git add` to type: nothing is ever staged for an author."""
    from recall_lint.fix.write import NotWritten
    from recall_lint.formats.check_full import shell_word

    changed = sorted({each.change.path for each in outcomes if not isinstance(each, NotWritten) and each.is_new})
    if changed and check.workspace.git is not None:
        folder = os.path.realpath(check.environment.folder)
        root = os.path.realpath(check.workspace.root)
        names = [os.path.relpath(os.path.join(root, path), folder) for path in changed]
        write([f"next: git add {' '.join(map(shell_word, names))}\n"])


def _told(gathered: "Gathered", other: str) -> "Suggestion | None":
    """What speaks of the pair, the question first: it says which of the two replaces the other."""
    path = gathered.memo.path
    pair = frozenset((path, other))
    return next((each for each in gathered.suggestions if each.pair == pair), None)


def _find_target(check: Check, gathered: "Gathered", written: str) -> "Memo":
    """The memo that TARGET names: a path, or a reference in any form. Raises UsageError where it is not exactly one."""
    from recall_core.frontmatter.reference import build_reference
    from recall_core.model.memo import Style
    from recall_core.model.span import START

    gatherer = check.gatherer
    relative = check.workspace.relative(written, check.environment.folder)
    by_path = [memo for path in (relative, written) if path and (memo := gatherer.corpus.memo(path)) is not None]
    found = by_path[:1]
    if not found:
        reference = build_reference(written, written, START, Style.PLAIN)
        keys = dict.fromkeys(key for key in (reference.key, reference.name) if key)
        found = next((list(same) for key in keys if (same := gatherer.corpus.memos_with_key(key))), [])
    if not found:
        found = [memo for path in gatherer.find_named(written) if (memo := gatherer.corpus.memo(path)) is not None]
    if not found:
        raise UsageError(f"`{written}` names no memo of this corpus", help="write a file name")
    if len(found) > 1:
        places = ", ".join(memo.path for memo in found)
        raise UsageError(f"`{written}` names {len(found)} memos: {places}", help="write the path of the one you mean")
    if found[0] is gathered.memo:
        raise UsageError(f"`{written}` is this memo itself", help="name the other one")
    return found[0]
