"""A memo under another name: every reference and link that has to follow it."""

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import replace

from recall_core.frontmatter.edit import without_overlaps
from recall_core.frontmatter.reference import normalise_key
from recall_core.graph.corpus import Naming
from recall_core.model.memo import Memo, Reference
from recall_core.model.span import TextEdit
from recall_lint.lsp.link_target import find_path
from recall_lint.lsp.links import leads_to, rewrite_link
from recall_lint.lsp.navigation import find_pages
from recall_lint.lsp.page import Desk, Page
from recall_lint.rules.graph.written_form import rename
from recall_lint.suppress import render_target


def list_moves(desk: Desk, old: str, new: str) -> Mapping[str, str]:
    """The memos that move when the file or folder at `old` becomes `new`, each with its new path."""
    if desk.corpus.memo(old) is not None:
        return {old: new}
    start = f"{old.rstrip('/')}/"
    inside = (memo.path for memo in desk.corpus.memos if memo.path.startswith(start) and not memo.path.endswith("/"))
    return {path: f"{new.rstrip('/')}/{path[len(start) :]}" for path in inside}


def move(desk: Desk, moves: Mapping[str, str]) -> Mapping[str, list[TextEdit]]:
    """The edits by the path before the move; a name that several memos share is left to its author."""
    memos = [memo for path in moves if (memo := desk.corpus.memo(path)) is not None]
    pages = {page.path: page for page in find_pages(desk, *memos)}
    for path in moves:  # links of a moved memo lead elsewhere, whatever they name
        if path not in pages and (page := desk.page(path)) is not None:
            pages[path] = page
    edits = {}
    for path, page in sorted(pages.items()):
        found = [[each] for each in (*_references(page, moves), *_declines(page, moves), *_links(page, moves))]
        kept = [edit for group in without_overlaps(found) for edit in group]
        if kept:
            edits[path] = kept
    return edits


def _references(page: Page, moves: Mapping[str, str]) -> Iterator[TextEdit]:
    for reference in page.reading.memo.supersedes:
        memo = _moved(page, reference, moves)
        if memo is not None:
            declarer = moves.get(page.path, page.path)
            new = rename(reference, memo, declarer)
            if new is not None and new.written != reference.written:
                yield TextEdit(reference.span, new.written)


def _declines(page: Page, moves: Mapping[str, str]) -> Iterator[TextEdit]:
    for decline in page.reading.declines:
        memo = _moved(page, decline.target, moves) if decline.target is not None else None
        if memo is not None and decline.target is not None:
            new = rename(decline.target, memo, moves.get(page.path, page.path))
            written = None if new is None else render_target(new.value)
            if written is not None and written != decline.target.written:
                yield TextEdit(decline.target.span, written)


def _moved(page: Page, reference: Reference, moves: Mapping[str, str]) -> Memo | None:
    """The memo that a reference names, as it is called after the move; None for one that stays."""
    found = page.desk.corpus.resolve(page.memo, reference)
    if found.naming not in (Naming.ONE, Naming.SELF, Naming.PART) or len(found.memos) != 1:
        return None
    new = moves.get(found.memos[0].path)
    return None if new is None else replace(found.memos[0], path=new, key=normalise_key(new))


def _links(page: Page, moves: Mapping[str, str]) -> Iterator[TextEdit]:
    declarer = moves.get(page.path, page.path)
    for link in page.links:
        target = next((new for old, new in moves.items() if leads_to(page, link, old)), None)
        if target is None and posixpath.dirname(declarer) != posixpath.dirname(page.path):
            target = _stays(page, find_path(link, page.path), link.path)
        if target is not None:
            edit = rewrite_link(page, link, target, declarer=declarer)
            if edit is not None:
                yield edit


def _stays(page: Page, path: str | None, written: str) -> str | None:
    """The memo that a relative link of a moved memo leads to, which is not moved itself."""
    if path is None or written.startswith("/"):
        return None
    return next((each for each in (path, f"{path}.md") if page.desk.corpus.memo(each) is not None), None)


def name_file(old: str, typed: str) -> str:
    """The new path of the memo at `old` whose new name was typed: a stem, a file name or a path of the root."""
    name = typed.strip().strip("[]\"'").removeprefix("/")
    if not name.lower().endswith(".md"):
        name = f"{name}.md"
    return name if "/" in name else posixpath.join(posixpath.dirname(old), name)


def is_name(path: str) -> bool:
    """Whether a memo can be called so: it stays in the root, and has a key."""
    normal = posixpath.normpath(path)
    return normal == path and not path.startswith(("..", "/")) and "\0" not in path and bool(normalise_key(path))
