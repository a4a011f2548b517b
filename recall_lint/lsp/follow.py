"""Requests to rename: what an editor is to change beside the file itself."""

import os
from collections.abc import Iterable

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from recall_lint.lsp.address import path_of
from recall_lint.lsp.edits import build_workspace_edit, convert_edits
from recall_lint.lsp.navigation import subject
from recall_lint.lsp.page import Desk, Page
from recall_lint.lsp.renaming import is_name, list_moves, move, name_file
from recall_lint.lsp.service import Service


def follow_files(service: Service, files: Iterable[types.FileRename]) -> types.WorkspaceEdit | None:
    """The edits that files which are about to be renamed bring elsewhere; None where there are none."""
    moves: dict[str, dict[str, str]] = {}
    desks: dict[str, Desk] = {}
    for each in files:
        root, old = service.locate(each.old_uri)
        new_path = path_of(each.new_uri)
        new = root.relative(new_path) if root is not None and new_path is not None else None
        if root is not None and new is not None and (desk := service.desk(root)) is not None:
            desks[root.folder] = desk
            moves.setdefault(root.folder, {}).update(list_moves(desk, old, new))
    built = [_build(service, desks[folder], by_path, ()) for folder, by_path in moves.items() if by_path]
    if not built:
        return None
    changes = {address: edits for each in built for address, edits in (each.changes or {}).items()}
    documents = [change for each in built for change in each.document_changes or ()]
    return types.WorkspaceEdit(changes or None, documents or None)


def prepare_rename(page: Page, position: types.Position) -> types.PrepareRenamePlaceholder | None:
    """The name that would be changed at a place: that of the memo named there, else of the memo itself."""
    memo = subject(page, position)
    if memo is None:
        return None
    mention = page.mention_at(page.sheet.offset(position))
    start, end = (mention.start, mention.end) if mention is not None else (0, len(page.sheet.line(1)))
    return types.PrepareRenamePlaceholder(page.sheet.range_between(start, end), memo.path.rpartition("/")[2])


def rename_memo(service: Service, page: Page, position: types.Position, typed: str) -> types.WorkspaceEdit | None:
    """The edits and the renaming of the file by which a memo gets the name that was typed.

    Raises JsonRpcInvalidParams, with a sentence for the author, where it cannot be called so.
    """
    memo = subject(page, position)
    if memo is None:
        return None
    new = name_file(memo.path, typed)
    client, desk = service.client, page.desk
    if not (client.takes_document_changes and client.takes_file_renames):
        raise JsonRpcInvalidParams("this editor cannot rename files: rename the file itself, and references follow")
    if not is_name(new):
        raise JsonRpcInvalidParams(f"`{typed}` is no name for a memo: write a file name")
    if new == memo.path:
        return None
    if os.path.lexists(desk.root.full(new)) or desk.corpus.memo(new) is not None:
        raise JsonRpcInvalidParams(f"{new} exists already: choose another name")
    renamed = types.RenameFile(
        desk.address(memo.path), desk.address(new), options=types.RenameFileOptions(overwrite=False)
    )
    return _build(service, desk, {memo.path: new}, (renamed,))


def _build(
    service: Service, desk: Desk, moves: dict[str, str], renames: Iterable[types.RenameFile]
) -> types.WorkspaceEdit:
    edits = {}
    for path, changed in move(desk, moves).items():
        page = desk.page(path)
        if page is not None:
            edits[path] = convert_edits(page, changed)
    with_documents = service.client.takes_document_changes
    return build_workspace_edit(desk, edits, service.versions, renames=renames, with_documents=with_documents)
