"""`recall lint --fix` and `--diff`: fixes made until nothing is left to fix, each file written whole or not at all."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from recall_core.adapters.cache import DataCache
from recall_core.adapters.files import write_atomically
from recall_core.adapters.output import remark, write, write_bytes
from recall_core.adapters.overlay import OverlaySource
from recall_core.adapters.workspace import Workspace, open_source_again
from recall_core.errors import WriteError
from recall_core.frontmatter.edit import EditError, apply_edits, without_overlaps
from recall_core.ports.corpus import ReadFailure
from recall_lint.config import Settings
from recall_lint.diagnostic import Applicability, Diagnostic
from recall_lint.formats.summary import counted
from recall_lint.session import Session
from recall_lint.suppress.apply import UNUSED_SUPPRESSION

if TYPE_CHECKING:
    from recall_core.ports.corpus import CorpusSource

_MOST_PASSES = 8
"""A fix may uncover another finding that has one; a pair of rules that never agree must not go on for ever."""


class Fixes:
    """The fixes of one run over the files on disk. `selected` limits which memos are edited."""

    def __init__(
        self,
        workspace: Workspace,
        settings: Settings,
        at: datetime,
        cache: DataCache | None,
        selected: frozenset[str] | None,
        *,
        unsafe: bool,
    ) -> None:
        self._workspace, self._settings, self._at = workspace, settings, at
        self._cache, self._selected = cache, selected
        self._wanted = {Applicability.SAFE, *([Applicability.UNSAFE] if unsafe else [])}
        self._base: CorpusSource = workspace.source

    def show_diff(self, buffers: Mapping[str, bytes]) -> bool:
        """Print a unified diff of all that would change; whether there is anything."""
        before, after, _ = self._plan(buffers)
        write(self._diff(before, after))
        return bool(after)

    def write(self, session: Session, buffers: Mapping[str, bytes]) -> Session:
        """Write the fixes and give a session over what is there now. A buffer's result goes to stdout instead."""
        before, after, counts = self._plan(buffers)
        if buffers:
            for path, content in buffers.items():
                write_bytes(after.get(path, content))
            return self._session(after | {path: after.get(path, content) for path, content in buffers.items()})
        written: list[str] = []
        for path, content in sorted(after.items()):
            full = os.path.join(self._workspace.root, path)
            try:
                write_atomically(full, content, expected=before[path], root=self._workspace.root)
                written.append(path)
            except WriteError as error:
                remark(error.message)
        if written:
            count = sum(counts[path] for path in written)
            fixes = "1 fix" if count == 1 else f"{count} fixes"
            remark(f"{fixes} written in {counted(len(written), 'memo')}")
            return Session(open_source_again(self._workspace), self._cache)
        return session

    def _session(self, contents: Mapping[str, bytes]) -> Session:
        source = OverlaySource(self._base, contents) if contents else self._base
        return Session(replace(self._workspace, source=source), self._cache if not contents else None)

    def _plan(self, buffers: Mapping[str, bytes]) -> tuple[dict[str, bytes], dict[str, bytes], Mapping[str, int]]:
        """The contents before and after, of the memos that change, and the number of fixes made in each."""
        before: dict[str, bytes] = dict(buffers)
        after: dict[str, bytes] = {}
        counts: Counter[str] = Counter()
        for _ in range(_MOST_PASSES):
            session = self._session(dict(buffers) | after)
            fixable = self._fixable(session)
            if not fixable:
                break
            contents = dict(after)
            entries = [entry for entry in session.memos if entry.path in fixable]
            for entry, content in session.workspace.source.read(entries):
                if isinstance(content, ReadFailure):
                    remark(f"{entry.path}: not fixed: {content.reason}")
                    continue
                before.setdefault(entry.path, content)
                groups = without_overlaps(each.fix.edits for each in fixable[entry.path] if each.fix is not None)
                try:
                    contents[entry.path] = apply_edits(content, [edit for group in groups for edit in group])
                    counts[entry.path] += len(groups)
                except EditError as error:
                    remark(f"{entry.path}: not fixed: {error}")
            if contents == after:
                break
            after = contents
        return before, {path: content for path, content in after.items() if content != before[path]}, counts

    def _fixable(self, session: Session) -> dict[str, list[Diagnostic]]:
        found: list[Diagnostic] = []
        for each in session.lint(self._settings, at=self._at).findings.diagnostics:
            chosen = self._selected is None or each.path in self._selected
            if chosen and each.fix is not None and each.fix.applicability in self._wanted:
                found.append(each)
        # What silences nothing now may be needed once the rest is mended, so it goes last.
        first = [each for each in found if each.code != UNUSED_SUPPRESSION] or found
        by_path: dict[str, list[Diagnostic]] = {}
        for each in first:
            by_path.setdefault(each.path, []).append(each)
        return by_path

    def _diff(self, before: Mapping[str, bytes], after: Mapping[str, bytes]) -> Iterator[str]:
        from difflib import unified_diff

        from recall_core.model.escape import visible

        for path, content in sorted(after.items()):
            old, new = (_lines(data) for data in (before[path], content))
            for line in unified_diff(old, new, f"a/{visible(path)}", f"b/{visible(path)}", lineterm=""):
                # A CR at the end of a line does nothing to a terminal, and `patch` wants it.
                text, carriage_return = (line[:-1], "\r") if line.endswith("\r") else (line, "")
                yield visible(text.removesuffix(_NO_LINE_END)) + carriage_return + "\n"
                if line.endswith(_NO_LINE_END):
                    yield "\\ No newline at end of file\n"


_NO_LINE_END = "\0"
"""Ends the last line of a file that ends without a line feed; a memo with a NUL has no fix."""


def _lines(data: bytes) -> list[str]:
    *lines, last = data.decode("utf-8", "backslashreplace").split("\n")
    return [*lines, last + _NO_LINE_END] if last else lines
