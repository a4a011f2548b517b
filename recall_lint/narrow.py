"""A session that says of a few memos what one over the whole corpus would, and reads little more than these."""

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from functools import cached_property, partial

from recall_core.frontmatter.reference import normalise_key
from recall_core.model.memo import Memo
from recall_core.ports.corpus import Entry
from recall_lint.asking import open_told_of_part
from recall_lint.check.near import find_near_known
from recall_lint.config import Settings
from recall_lint.engine import Findings, lint
from recall_lint.kept_register import KeptRegister
from recall_lint.questions.told import Told
from recall_lint.reading import Reading, read_file
from recall_lint.register.known import Known
from recall_lint.register.part import select_part
from recall_lint.register.register import Register
from recall_lint.session import Session

_MOST_CHANGED = 64
"""Memos written since a register was made, beside those asked for: with more of them a new one is cheaper."""
_FEWEST_TOGETHER = 200
_MOST_OF = 10
"""Memos that hang together, as a part of all, beyond which looking at all of them is as cheap."""


class NarrowSession(Session):
    """A session in which `narrow` was asked for. Where it cannot be, it looks at everything."""

    _part: tuple[Known, Sequence[Reading]] | None = None
    _is_registered = False

    @cached_property
    def _kept(self) -> KeptRegister:
        workspace = self.workspace
        return KeptRegister(self._cache, workspace.source.kind, workspace.configuration.fingerprint(), self._listed_at)

    @cached_property
    def _register(self) -> Register | None:
        return self._kept.load()

    @cached_property
    def _split(self) -> tuple[list[Entry], list[Entry]]:
        """The memos, and the other Markdown files; what was a memo before is one without asking the patterns."""
        known = frozenset(self._register.paths) if self._register is not None else frozenset()
        memos, others = self._select(entry for entry in self._listing.entries if entry.path not in known)
        if known:
            new = {entry.path for entry in memos}
            memos = [entry for entry in self._listing.entries if entry.path in known or entry.path in new]
        return memos, others

    def narrow(self, paths: Collection[str], gone: Collection[str] = ()) -> None:
        """Look from now on only at what concerns the memos at `paths`, if the corpus is known from a run before.

        `gone` holds the paths that the change under inspection takes away. `open_told`, `find_near` and
        `lint_beside_questions` then answer for these memos as they would otherwise.
        """
        register = self._register if not self.unlisted else None
        if register is None:
            return
        held = dict(zip(register.paths, register.identities, strict=True))
        changed = [entry for entry in self.memos if held.pop(entry.path, None) != entry.identity]
        past = held.keys() | {entry.path for entry in changed}
        stale = [record for record, path in enumerate(register.paths) if path in past]
        if len(changed) + len(stale) > _MOST_CHANGED + 2 * len(paths):
            return
        self._is_registered = True
        read = self.workspace.source.read(changed)
        known = Known(
            register, {entry.path: read_file(entry.path, got) for entry, got in read}, stale, self._kept.decode
        )
        most = max(_FEWEST_TOGETHER, len(self.memos) // _MOST_OF)
        part = select_part(known, paths, {normalise_key(path) for path in gone}, self._renamed, most=most)
        self._part = None if part is None else (known, part)

    def _renamed(self) -> Collection[str]:
        return self.changes.renamed.values() if self.changes is not None else ()

    def keep(self) -> None:
        """Let the next run narrow its look, where this one could not."""
        if not (self._is_registered or self._unread or self.unlisted):
            self._kept.save(self.readings, self.memos)

    @property
    def find_near(self) -> Callable[[Memo], Iterable[Memo]] | None:
        """Gives the memos that could resemble one, where they are known without reading all; else None."""
        return None if self._part is None else partial(find_near_known, known=self._part[0])

    def lint_beside_questions(self, settings: Settings, paths: Collection[str], *, at: datetime) -> Findings:
        """Those in the memos that the look was narrowed to, and those that name them; else all."""
        if self._part is None:
            return super().lint_beside_questions(settings, paths, at=at)
        around, told = self.surroundings(), self.open_told(settings)
        return lint(self._part[1], settings, at=at, surroundings=around, told=told, asked=paths)

    def open_told(self, settings: Settings) -> Told:
        """What the bodies tell, under these settings; made once."""
        if self._part is None:
            return super().open_told(settings)
        if self._told is None or self._told[0] is not settings:
            known, part = self._part
            self._told = settings, open_told_of_part(part, known, settings, self.read_texts)
        return self._told[1]
