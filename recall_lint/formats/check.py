"""What `check` asks, for people and for programs: one report, rendered by format."""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import NamedTuple, cast

from recall_core.adapters.terminal import DEFAULT_WIDTH
from recall_lint.check.suggestion import Suggestion
from recall_lint.diagnostic import Diagnostic, Severity
from recall_lint.formats.report import View

FORMATS = {
    "full": "recall_lint.formats.check_full",
    "concise": "recall_lint.formats.check_concise",
    "json": "recall_lint.formats.check_json",
    "jsonl": "recall_lint.formats.check_jsonl",
    "rdjsonl": "recall_lint.formats.rdjsonl",
}


class CheckedMemo(NamedTuple):
    """One memo and what there is to say of it.

    `declared` holds the paths that it declares to replace, `diagnostics` what is wrong in it and what it breaks
    elsewhere, `suggestions` stand in the order to ask in. `hint` is a sentence for a memo that speaks of replacement
    without a name; "" otherwise.
    """

    path: str
    declared: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()
    hint: str = ""

    @property
    def questions(self) -> tuple[Suggestion, ...]:
        """The open questions, the best first."""
        return tuple(each for each in self.suggestions if each.is_question)

    @property
    def needs_attention(self) -> bool:
        """Whether a question is open, or an error found that does not depend on the day."""
        return bool(self.questions) or any(map(counts, self.diagnostics))


class CheckReport(NamedTuple):
    """The memos that were asked for; `at` is the day that they were judged on.

    `prefix` leads from the top of the repository to the root (`docs/`), for services that know of the repository only.
    """

    tool_version: str
    root: str
    at: str
    memos: tuple[CheckedMemo, ...]
    prefix: str = ""

    @property
    def questions(self) -> int:
        """How many questions are open. What two memos of the report share counts once."""
        return len({_identity(each) for memo in self.memos for each in memo.questions})

    @property
    def held_back(self) -> int:
        """How many tellings are held back and not answered, each once."""
        return len(
            {
                _identity(each)
                for memo in self.memos
                for each in memo.suggestions
                if each.held_back is not None and each.answer is None
            }
        )

    @property
    def errors(self) -> int:
        """How many errors count for the exit status."""
        return len({each for memo in self.memos for each in memo.diagnostics if counts(each)})


def counts(diagnostic: Diagnostic) -> bool:
    """Whether a finding counts for the exit status of `check`: an error, whatever day it is."""
    return diagnostic.severity is Severity.ERROR and not diagnostic.clock


def _identity(suggestion: Suggestion) -> tuple[object, ...]:
    evidence = suggestion.evidence
    place = (evidence.path, evidence.span) if evidence is not None and suggestion.held_back is not None else None
    return suggestion.target, suggestion.declare_in, place


def render(name: str, report: CheckReport, *, color: bool = False, width: int = DEFAULT_WIDTH) -> Iterator[str]:
    """`report` in the format `name`, in chunks that each end a line. KeyError for a name not in `FORMATS`."""
    module = import_module(FORMATS[name])
    renderer = cast("Callable[[CheckReport, View], Iterator[str]]", module.render)
    return renderer(report, View(color=color, width=width))
