"""What an author can do about a place: fixes, the questions of `recall check`, successors and silence."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from lsprotocol import types

from recall_core.frontmatter.declare import Declaration, Refused, declare
from recall_core.graph.corpus import Naming
from recall_core.model.escape import visible
from recall_core.model.memo import Memo, Reference
from recall_core.model.span import TextEdit
from recall_lint.check.suggestion import Kind, Suggestion
from recall_lint.diagnostic import Applicability, Diagnostic
from recall_lint.fix.answer import decline
from recall_lint.formats.asking import WHY_HELD_BACK
from recall_lint.lsp.edits import build_workspace_edit, convert_edits, replace_text
from recall_lint.lsp.findings import SOURCE, convert_finding
from recall_lint.lsp.fix_all import fix_all
from recall_lint.lsp.links import rewrite_link
from recall_lint.lsp.page import Mention, Page
from recall_lint.lsp.service import Client
from recall_lint.lsp.silence import silence
from recall_lint.rules.graph.written_form import rename

FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.{SOURCE}"
"""The kind of the action that writes every safe fix of a memo."""

KINDS = [types.CodeActionKind.QuickFix, types.CodeActionKind.RefactorRewrite, FIX_ALL]
_PUT_OFF = types.CodeActionKind.RefactorRewrite


@dataclass(frozen=True, slots=True)
class Actions:
    """The actions for one place of a memo. `versions` are those of the open documents by address."""

    page: Page
    client: Client
    versions: Mapping[str, int | None]

    def find(self, place: types.Range, only: Iterable[str] | None) -> Iterator[types.CodeAction]:
        """The actions of the kinds that are asked for, the likeliest first."""
        sheet = self.page.sheet
        first, last = sheet.number(place.start), sheet.number(place.end)
        if _is_asked(FIX_ALL, only):
            yield from self._fix_all(is_asked_for=only is not None)
        if _is_asked(types.CodeActionKind.QuickFix, only):
            found = self.page.desk.judgment.findings.get(self.page.path, ())
            here = [each for each in found if each.span.line <= last and each.span.end_line >= first]
            yield from self._fixes(here)
            yield from self._questions(first, last)
            yield from self._silence(here)
        if _is_asked(_PUT_OFF, only):
            yield from self._successors(sheet.offset(place.start), sheet.offset(place.end))

    def _fixes(self, here: Iterable[Diagnostic]) -> Iterator[types.CodeAction]:
        for each in here:
            if each.fix is None or each.fix.applicability is Applicability.DISPLAY:
                continue
            safe = each.fix.applicability is Applicability.SAFE
            title = f"{each.code}: {each.help or each.message}{'' if safe else ' (look at it first)'}"
            edits = convert_edits(self.page, each.fix.edits)
            yield self._action(title, edits, about=each, is_preferred=safe or None)

    def _fix_all(self, *, is_asked_for: bool) -> Iterator[types.CodeAction]:
        found = self.page.desk.judgment.findings.get(self.page.path, ())
        if not any(each.fix is not None and each.fix.applicability is Applicability.SAFE for each in found):
            return
        # Only an editor that asks for it waits for the work; a menu gets it by asking again.
        after = fix_all(self.page)
        edits = replace_text(self.page, after)
        if edits or is_asked_for:
            yield self._action("recall: write every safe fix", edits, kind=FIX_ALL)

    def _questions(self, first: int, last: int) -> Iterator[types.CodeAction]:
        path, judgment = self.page.path, self.page.desk.judgment
        at_top = first <= max(self.page.reading.memo.block_end, 1)
        alike = frozenset((path,)) if at_top else frozenset[str]()
        for gathered in judgment.gatherer.gather((path,), resembling=alike):
            for each in gathered.suggestions:
                evidence = each.evidence
                if evidence is not None and evidence.path == path:
                    is_here = evidence.span.line <= last and evidence.span.end_line >= first
                else:
                    is_here = at_top
                if is_here and each.is_open:
                    yield from self._answers(each)

    def _answers(self, suggestion: Suggestion) -> Iterator[types.CodeAction]:
        corpus = self.page.desk.corpus
        memo, target = corpus.memo(suggestion.declare_in), corpus.memo(suggestion.target)
        page = self.page if suggestion.declare_in == self.page.path else self.page.desk.page(suggestion.declare_in)
        if memo is None or target is None or memo is target or page is None:
            return
        reading = page.reading
        made = declare(page.content, reading.memo, target, names=lambda reference: self._only(memo, reference))
        yield from self._answer(page, made, f"declare that {_name(memo)} replaces {_name(target)}{_doubt(suggestion)}")
        said_no = decline(page.content, reading, target)
        if suggestion.kind is Kind.TOLD:
            yield from self._answer(page, said_no, f"say that {_name(memo)} does not replace {_name(target)}")

    def _answer(self, page: Page, made: Declaration | Refused, title: str) -> Iterator[types.CodeAction]:
        if isinstance(made, Declaration) and made.edits:
            yield self._action(title, convert_edits(page, made.edits), page=page)

    def _only(self, memo: Memo, reference: Reference) -> Memo | None:
        found = self.page.desk.corpus.resolve(memo, reference)
        return found.memos[0] if found.naming is Naming.ONE else None

    def _successors(self, start: int, end: int) -> Iterator[types.CodeAction]:
        for mention in self.page.mentions():
            if mention.start > end or mention.end < start or len(mention.memos) != 1:
                continue
            for successor in self.page.desk.judgment.successors(mention.memos[0]):
                if successor.path == self.page.path:
                    continue
                edit = self._name_instead(mention, successor)
                if edit is not None:
                    title = f"name {_name(successor)}, which replaces {_name(mention.memos[0])}"
                    yield self._action(title, convert_edits(self.page, [edit]), kind=_PUT_OFF)

    def _name_instead(self, mention: Mention, successor: Memo) -> TextEdit | None:
        if mention.link is not None:
            return rewrite_link(self.page, mention.link, successor.path)
        if mention.reference not in self.page.reading.memo.supersedes or mention.reference is None:
            return None
        new = rename(mention.reference, successor, self.page.path)
        return None if new is None else TextEdit(mention.reference.span, new.written)

    def _silence(self, here: Iterable[Diagnostic]) -> Iterator[types.CodeAction]:
        for each in here:
            edit = silence(self.page, each)
            if edit is not None:
                yield self._action(f"ignore {each.code} here", convert_edits(self.page, [edit]), about=each)

    def _action(
        self,
        title: str,
        edits: list[types.TextEdit],
        *,
        about: Diagnostic | None = None,
        kind: types.CodeActionKind | str = types.CodeActionKind.QuickFix,
        is_preferred: bool | None = None,
        page: Page | None = None,
    ) -> types.CodeAction:
        page = page or self.page
        diagnostics = None
        if about is not None:
            related, tags = self.client.takes_related, self.client.takes_tags
            diagnostics = [convert_finding(about, self.page, with_related=related, with_tags=tags)]
        edit = build_workspace_edit(
            page.desk, {page.path: edits}, self.versions, with_documents=self.client.takes_document_changes
        )
        return types.CodeAction(visible(title), kind, diagnostics, is_preferred, edit=edit)


def _is_asked(kind: str, only: Iterable[str] | None) -> bool:
    """Whether a kind is one of those asked for, which stand for all that they begin."""
    return only is None or any(not each or kind == each or kind.startswith(f"{each}.") for each in only)


def _name(memo: Memo) -> str:
    return f"`{memo.path}`"


def _doubt(suggestion: Suggestion) -> str:
    if suggestion.held_back is not None:
        return f" ({WHY_HELD_BACK[suggestion.held_back]})"
    return f" ({suggestion.why})" if suggestion.why else ""
