"""`recall check --interactive`: each question with the keys that answer it, written at once and undoable."""

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from recall_core.adapters.output import write
from recall_core.errors import UsageError
from recall_lint.cli.check_answers import decline, failed, open_writer, say_outcomes, say_what_to_stage
from recall_lint.cli.check_run import Check, status_of, wants_color

if TYPE_CHECKING:
    from recall_lint.check.suggestion import Suggestion
    from recall_lint.fix.write import NotWritten, Writer, Written

_KEYS = "a accept, d decline, s skip, u undo, q quit"


def run_interactive(check: Check) -> int:
    """Put every open question; the exit status is that of a run over what is there afterwards.

    Raises UsageError where nobody can press a key.
    """
    if sys.stdin is None or not sys.stdin.isatty() or not check.environment.stdout_is_terminal:
        raise UsageError("--interactive needs a terminal", help="answer with --accept TARGET or --decline TARGET")
    dialogue = _Dialogue(check, open_writer(check), _collect(check))
    if dialogue.questions:
        dialogue.run()
    else:
        write(["No question is open.\n"])
    say_what_to_stage(check, dialogue.answers.values())
    return status_of(check.again().report(), check.options)


@dataclass(frozen=True, slots=True)
class _Question:
    """A suggestion, and the memo that its author is at."""

    path: str
    suggestion: "Suggestion"


def _collect(check: Check) -> list[_Question]:
    found: dict[frozenset[str], _Question] = {}
    for gathered in check.gather():
        for each in gathered.suggestions:
            if each.is_question:
                found.setdefault(each.pair, _Question(gathered.memo.path, each))
    return list(found.values())


@dataclass(slots=True)
class _Dialogue:
    """The questions, the place in them, and what was written, by the question's position."""

    check: Check
    writer: "Writer"
    questions: list[_Question]
    answers: "dict[int, Written | NotWritten]" = field(default_factory=dict)
    at: int = 0

    def run(self) -> None:
        """Until every question is passed or somebody quits."""
        while self.at < len(self.questions):
            self._show()
            if not self._answer(_press()):
                return

    def _show(self) -> None:
        from recall_lint.formats.check_full import question_lines
        from recall_lint.formats.report import View

        question, environment = self.questions[self.at], self.check.environment
        view = View(color=wants_color(self.check.options.color, environment), width=environment.width)
        lines = question_lines(question.suggestion, question.path, view)
        write([f"\n[{self.at + 1}/{len(self.questions)}] ", *(f"{line}\n" for line in lines), f"{_KEYS}: "])

    def _answer(self, key: str) -> bool:
        """Do what a key says; False to stop."""
        from recall_lint.fix.write import Edge

        question = self.questions[self.at]
        suggestion = question.suggestion
        match key:
            case "a":
                prepared = self.writer.prepare([Edge(suggestion.declare_in, suggestion.target)])
                self._keep(self.writer.write(prepared)[suggestion.declare_in], "accepted")
            case "d":
                self._keep(decline(self.writer, question.path, suggestion.other(question.path)), "declined")
            case "s":
                write(["skipped\n"])
                self.at += 1
            case "u":
                self._undo()
            case "q":
                write(["quit\n"])
                return False
            case _:
                write([f"press one of: {_KEYS}\n"])
        return True

    def _keep(self, outcome: "Written | NotWritten", word: str) -> None:
        if failed(outcome):
            write(["not written\n"])
            say_outcomes([outcome])
        else:
            write([f"{word}\n", *say_outcomes([outcome])])
            self.answers[self.at] = outcome
        self.at += 1

    def _undo(self) -> None:
        """Take back the last answer and put its question again; without one the former question comes back."""
        from recall_lint.fix.write import Written

        if not self.answers:
            write(["nothing to undo\n"])
            self.at = max(0, self.at - 1)
            return
        position, last = self.answers.popitem()
        if isinstance(last, Written):
            outcome = self.writer.undo(last)
            if failed(outcome):
                write(["not undone\n"])
                say_outcomes([outcome])
                return
        write(["undone\n"])
        self.at = position


def _press() -> str:
    """One key, in lower case; the end of input quits."""
    import click

    try:
        return click.getchar().lower()
    except EOFError:
        return "q"
