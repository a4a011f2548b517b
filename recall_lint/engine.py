"""From readings to findings: the rules over the whole corpus, then severities, per-file ignores and suppressions."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import NamedTuple

from recall_core.graph.corpus import Corpus
from recall_core.graph.evaluate import Evaluation
from recall_lint.asking import open_told
from recall_lint.config import Settings
from recall_lint.diagnostic import Diagnostic, Severity
from recall_lint.inspection import Inspection, Surroundings
from recall_lint.questions.told import Told
from recall_lint.reading import Reading
from recall_lint.rules import REGISTERED, RULES
from recall_lint.rules.prose.undeclared_closure import RULE as UNDECLARED
from recall_lint.rules.suppression.unused_suppression import RULE as UNUSED
from recall_lint.rules.suppression.unused_suppression import report_unused
from recall_lint.suppress import apply


class Findings(NamedTuple):
    """What a run found, by path, line, column and code; how many findings a suppression took; the number of memos."""

    diagnostics: tuple[Diagnostic, ...]
    suppressed: int
    memos: int


def lint(
    readings: Sequence[Reading],
    settings: Settings,
    *,
    at: datetime,
    surroundings: Surroundings | None = None,
    told: Told | None = None,
    asked: Collection[str] | None = None,
) -> Findings:
    """All findings of the enabled rules over `readings`, which are every memo of the corpus in order of paths.

    `told` is what their bodies tell, where that is known already. With `asked` somebody else asks the questions: no
    body is read for RL301 but those of the memos at these paths, for the comments that silence it there.
    """
    around = surroundings or Surroundings()
    if told is None:
        told = open_told(readings, Corpus(reading.memo for reading in readings), settings, around.read_texts)
    corpus = told.corpus
    asks = settings.is_enabled(UNDECLARED.code)
    inspection = Inspection(
        Evaluation(corpus, at=at),
        around,
        settings.expiring_within_days,
        {
            reading.memo.path: reading.declines
            for reading in readings
            if reading.declines and asks and told.is_asked(reading.memo.path)
        },
        find_questions=told.find_questions if asked is None else partial(told.find_silenced, asked),
        may_tell=told.may_tell,
    )
    found = _weigh(_check(inspection, settings), settings)
    memos = sum(not memo.path.endswith("/") for memo in corpus.memos)  # a folder that cannot be listed is none
    suppressions = {reading.memo.path: reading.suppressions for reading in readings if reading.suppressions}
    if not suppressions:
        return Findings(tuple(sorted(found, key=sort_key)), 0, memos)
    applied = apply(found, suppressions, RULES, settings.is_enabled)
    unused = _weigh(report_unused(applied.unused, corpus), settings) if settings.is_enabled(UNUSED.code) else ()
    return Findings(tuple(sorted([*applied.kept, *unused], key=sort_key)), len(applied.suppressed), memos)


def sort_key(diagnostic: Diagnostic) -> tuple[str, int, int, str]:
    """The order of a report."""
    return diagnostic.path, diagnostic.span.line, diagnostic.span.column, diagnostic.code


def _check(inspection: Inspection, settings: Settings) -> Iterable[Diagnostic]:
    for registered in REGISTERED:
        if settings.is_enabled(registered.rule.code):
            yield from registered.check(inspection)


def _weigh(diagnostics: Iterable[Diagnostic], settings: Settings) -> list[Diagnostic]:
    """The findings with configured severities, without those that are off, not enabled or ignored at their place."""
    kept = []
    for diagnostic in diagnostics:
        severity = settings.severity_of(diagnostic.code, diagnostic.severity)
        if severity is Severity.OFF or diagnostic.code in settings.ignored_at(diagnostic.path):
            continue
        kept.append(diagnostic if severity is diagnostic.severity else diagnostic._replace(severity=severity))
    return kept
