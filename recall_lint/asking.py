"""Where questions are put, by configuration and by comments: what RL301 and `recall check` hold in common."""

from collections.abc import Sequence
from functools import partial

from recall_core.graph.corpus import Corpus
from recall_core.model.span import Span
from recall_core.prose.names import Names
from recall_lint.config import Settings
from recall_lint.questions.text import ReadTexts
from recall_lint.questions.told import Among, Asking, Told, among_all
from recall_lint.reading import Reading
from recall_lint.register.known import Known, KnownCorpus
from recall_lint.register.part import KnownSpeakers
from recall_lint.rules import RULES
from recall_lint.rules.prose.undeclared_closure import RULE as UNDECLARED
from recall_lint.suppress import apply


def open_told(readings: Sequence[Reading], corpus: Corpus, settings: Settings, read: ReadTexts) -> Told:
    """What the bodies of a corpus tell where RL301 is not silenced; `read` gives the few texts that are needed."""
    by_path = {reading.memo.path: reading for reading in readings}
    return Told(by_path, corpus, _asking(settings), read, among_all(by_path, corpus))


def open_told_of_part(part: Sequence[Reading], known: Known, settings: Settings, read: ReadTexts) -> Told:
    """What they tell in a corpus that is known through its register; the corpus of the answer holds `part` alone."""
    names = Names(tables=known)
    corpus = KnownCorpus((reading.memo for reading in part), known)
    among = Among(names, partial(KnownSpeakers, known, names))
    return Told(known, corpus, _asking(settings), read, among)


def _asking(settings: Settings) -> Asking:
    def is_silenced(path: str) -> bool:
        return UNDECLARED.code in settings.ignored_at(path)

    return Asking(settings.is_index, is_silenced, _is_suppressed)


def _is_suppressed(reading: Reading, span: Span) -> bool:
    """Whether an inline comment silences RL301 at a place of a memo."""
    path = reading.memo.path
    finding = UNDECLARED.at(path, span, "")
    return bool(apply([finding], {path: reading.suppressions}, RULES, lambda _code: False).suppressed)
