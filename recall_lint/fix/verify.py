"""What must be true of a change to a memo before it is written, and once more after it was."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property

from recall_core.frontmatter.declare import Declaration, Names, declare_all
from recall_core.frontmatter.fence import BOM
from recall_core.frontmatter.lines import LINE_END, LineTable
from recall_core.graph.corpus import Corpus, Naming
from recall_core.model.memo import Memo, Reference
from recall_core.model.span import TextEdit
from recall_lint.collection import paused_collection
from recall_lint.config import Settings
from recall_lint.diagnostic import Diagnostic, Severity
from recall_lint.engine import lint
from recall_lint.fix.answer import declines
from recall_lint.inspection import Surroundings
from recall_lint.questions.text import Text, read_text
from recall_lint.reading import Reading, read_file

CONSEQUENCES = frozenset({"RL302", "RL901"})
"""Codes that an edge brings by what it says: a link elsewhere now leads to a replaced memo, and what silenced the
question is not needed any more."""

_WEIGHTY = (Severity.ERROR, Severity.WARNING)


@dataclass(frozen=True, slots=True)
class Change:
    """One memo before and after: the edits, the lines that they make, the targets declared and declined by it."""

    path: str
    before: bytes
    after: bytes
    edits: tuple[TextEdit, ...]
    line: str
    targets: tuple[Memo, ...] = ()
    declined: tuple[str, ...] = ()
    """Keys."""


class Verifier:
    """A corpus in memory and the findings in it: a change swaps one reading.

    Read from the disk are only the few bodies that may hold a question, each once. The findings of the corpus are
    computed when first needed, then once for any number of changes together.
    """

    def __init__(
        self,
        readings: Sequence[Reading],
        settings: Settings,
        *,
        at: datetime,
        surroundings: Surroundings,
        permit: frozenset[str] = CONSEQUENCES,
    ) -> None:
        self._readings = {reading.memo.path: reading for reading in readings}
        self._settings, self._at, self._permit = settings, at, permit
        self._read = surroundings.read_texts
        self._texts: dict[str, Text | None] = {}
        # Recorded times cost a question to Git, and writing to the disk does not change them.
        self._surroundings = surroundings._replace(recorded=cache(surroundings.recorded))

    @cached_property
    def corpus(self) -> Corpus:
        """The memos as they are now."""
        return Corpus(reading.memo for reading in self._readings.values())

    @cached_property
    def _found(self) -> Counter[tuple[str, str]]:
        return Counter((each.path, each.code) for each in self._lint({}, {}))

    def take(self, readings: Iterable[Reading]) -> None:
        """Let these readings, of memos that the corpus has, stand for what it is now."""
        changed = {each.memo.path: each for each in readings if self._readings.get(each.memo.path) != each}
        if changed:
            self._readings |= changed
            for path in changed:
                self._texts.pop(path, None)
            self.__dict__.pop("corpus", None)
            self.__dict__.pop("_found", None)

    def names(self, memo: Memo) -> Names:
        """What the references of `memo`, in any state of its text, name: one other memo, or nothing."""
        standing = self.corpus.memo(memo.path) or memo

        def find(reference: Reference) -> Memo | None:
            found = self.corpus.resolve(standing, reference)
            return found.memos[0] if found.naming is Naming.ONE else None

        return find

    def explain(self, change: Change, content: bytes) -> str:
        """Why `content` is not what `change` was to make of its file, or "". The corpus is not asked for findings."""
        if content != change.after:
            return "it does not hold what was to be written"
        if not is_faithful(change.before, content, change.edits):
            return "text outside the inserted place would change"
        reading = read_file(change.path, content)
        if not reading.memo.readable:
            return "its metadata could not be read any more"
        find = self.names(reading.memo)
        named = {memo.path for memo in map(find, reading.memo.supersedes) if memo is not None}
        if any(target.path not in named for target in change.targets):
            return "the edge would not be read back"
        if not all(declines(reading.declines, key) for key in change.declined):
            return "the answer would not be read back"
        again = declare_all(content, reading.memo, [(target, None) for target in change.targets], names=find)
        if not isinstance(again, Declaration) or again.edits:
            return "declaring it once more would change it again"
        return ""

    def admit(self, changes: Sequence[Change]) -> dict[str, Diagnostic]:
        """The changes, by path, that bring a new error or warning, each with that finding.

        The others together bring none. All are judged at once, and only where that fails by halves.
        """
        readings = {change.path: read_file(change.path, change.after) for change in changes}
        texts = {change.path: read_text(change.after) for change in changes}
        admitted: dict[str, Reading] = {}
        rejected: dict[str, Diagnostic] = {}
        pending = [list(readings)] if readings else []
        with paused_collection():
            while pending:
                batch = pending.pop()
                trial = admitted | {path: readings[path] for path in batch}
                new = self._find_new(trial, texts)
                if new is None:
                    admitted = trial
                elif len(batch) == 1:
                    rejected[batch[0]] = new
                else:
                    middle = len(batch) // 2
                    pending += [batch[middle:], batch[:middle]]
        return rejected

    def _find_new(self, overlay: Mapping[str, Reading], texts: Mapping[str, Text | None]) -> Diagnostic | None:
        """The first finding that the corpus does not have without `overlay`: of a code more often in a memo."""
        spare = self._found.copy()
        for each in self._lint(overlay, texts):
            spare[each.path, each.code] -= 1
            if spare[each.path, each.code] < 0:
                return each
        return None

    def _lint(self, overlay: Mapping[str, Reading], texts: Mapping[str, Text | None]) -> list[Diagnostic]:
        """What weighs, in order. What is true today alone is left out: it must not decide about writing.

        `texts` hold those of the memos in `overlay`.
        """

        def read(paths: Sequence[str]) -> dict[str, Text]:
            missing = [path for path in paths if path not in overlay and path not in self._texts]
            if missing:
                found = self._read(missing)
                self._texts |= {path: found.get(path) for path in missing}
            read = {path: (texts if path in overlay else self._texts).get(path) for path in paths}
            return {path: text for path, text in read.items() if text is not None}

        readings = [overlay.get(path, reading) for path, reading in self._readings.items()]
        found = lint(readings, self._settings, at=self._at, surroundings=self._surroundings._replace(read_texts=read))
        return [
            each
            for each in found.diagnostics
            if each.severity in _WEIGHTY and not each.clock and each.code not in self._permit
        ]


def is_faithful(before: bytes, after: bytes, edits: Iterable[TextEdit]) -> bool:
    """Whether `after` is `before`, byte for byte, but for what `edits` put in and take out; BOMs and line ends too."""
    old, new = before.decode(), after.decode()
    text = old.lstrip(BOM)
    table = LineTable(text)
    start = at = len(old) - len(text)
    if old[:start] != new[:at]:
        return False
    first = LINE_END.search(text)
    ending = first[0] if first else "\n"
    position = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        begin = table.offset(edit.span.line, edit.span.column)
        kept = text[position:begin]
        inserted = LINE_END.sub(ending, edit.text)
        if not new.startswith(kept + inserted, at):
            return False
        at += len(kept) + len(inserted)
        position = table.offset(edit.span.end_line, edit.span.end_column)
    return new[at:] == text[position:]
