"""Our edits as edits of the protocol."""

from collections.abc import Iterable, Mapping

from lsprotocol import types

from recall_core.frontmatter.lines import LINE_END
from recall_core.model.span import TextEdit
from recall_lint.lsp.page import Desk, Page


def convert_edits(page: Page, edits: Iterable[TextEdit]) -> list[types.TextEdit]:
    """The edits of one memo; line ends in their texts become those of the memo."""
    end = page.sheet.line_end
    return [types.TextEdit(page.sheet.range(each.span), LINE_END.sub(end, each.text)) for each in edits]


def replace_text(page: Page, after: bytes) -> list[types.TextEdit]:
    """The one edit that makes `after` of the text; none where it is that already."""
    old, new = page.sheet.text, after.decode().lstrip("\ufeff")
    if old == new:
        return []
    start, most = 0, min(len(old), len(new))
    while start < most and old[start] == new[start]:
        start += 1
    behind = 0
    while behind < most - start and old[-1 - behind] == new[-1 - behind]:
        behind += 1
    if "\r" in (old[start - 1 : start], old[len(old) - behind - 1 : len(old) - behind]):
        start, behind = old.rfind("\n", 0, start) + 1, 0  # a CR LF is never taken apart
    place = page.sheet.range_between(start, len(old) - behind)
    return [types.TextEdit(place, new[start : len(new) - behind])]


def build_workspace_edit(
    desk: Desk,
    edits: Mapping[str, list[types.TextEdit]],
    versions: Mapping[str, int | None],
    *,
    renames: Iterable[types.RenameFile] = (),
    with_documents: bool,
) -> types.WorkspaceEdit:
    """Edits by path relative to the root. `versions` are those of the open documents by address.

    `with_documents` tells whether the editor takes edits with versions, and `renames` behind them.
    """
    if not with_documents:
        return types.WorkspaceEdit({desk.address(path): changed for path, changed in edits.items()})
    changes: list[types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile] = []
    for path, changed in edits.items():
        address = desk.address(path)
        named = types.OptionalVersionedTextDocumentIdentifier(address, versions.get(address))
        changes.append(types.TextDocumentEdit(named, [*changed]))
    return types.WorkspaceEdit(document_changes=[*changes, *renames])
