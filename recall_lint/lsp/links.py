"""Links of a body written anew to lead to another path: what the author wrote around the name stays."""

import posixpath
import re
from urllib.parse import quote

from recall_core.frontmatter.reference import normalise_key
from recall_core.model.span import TextEdit
from recall_core.prose.link import Link, LinkKind
from recall_lint.lsp.link_target import find_path
from recall_lint.lsp.page import Page

_SAFE = "/!$&'()*+,;=:@~-._"


def rewrite_link(page: Page, link: Link, path: str, *, declarer: str | None = None) -> TextEdit | None:
    """The edit by which a link leads to the memo at `path`, from its own memo or from it at the path `declarer`.

    None where it needs none, and where a program should not write it: a web address, a link by its label.
    """
    place = _find_target(page, link)
    if place is None:
        return None
    start, end = place
    old = page.sheet.text[start:end]
    new = (
        _write_wikilink(old, path) if link.kind is LinkKind.WIKILINK else _write_path(old, path, declarer or page.path)
    )
    return None if new is None or new == old else TextEdit(page.sheet.table.span(start, end), new)


def _find_target(page: Page, link: Link) -> tuple[int, int] | None:
    """The offsets of what names the memo: in a wikilink the name, else the path without anchor and query."""
    text = page.sheet.text
    if link.kind is LinkKind.WIKILINK:
        opening = text.find("[[", link.start, link.end)
        start = opening + 2
        inside = text[start : link.end - 2]
        cut = next((at for at, sign in enumerate(inside) if sign in "|#"), len(inside))
        name = inside[:cut].rstrip("\\")
        start += len(name) - len(name.lstrip(" \t"))
        return (start, start + len(name.strip(" \t"))) if opening >= 0 and name.strip(" \t") else None
    if not link.is_local:
        return None
    if link.kind is LinkKind.INLINE:
        start = text.find(link.target, link.label_end, link.end)
    else:
        definition = re.compile(rf"^[ \t>]{{0,12}}\[[^\]\r\n]+\]:[ \t]*<?({re.escape(link.target)})", re.MULTILINE)
        match = definition.search(text, page.fence.body)
        start = match.start(1) if match is not None else -1
    if start < 0:
        return None
    cut = next((at for at, sign in enumerate(link.target) if sign in "#?"), len(link.target))
    return (start, start + cut) if cut else None


def _write_wikilink(old: str, path: str) -> str | None:
    key = normalise_key(path)
    if any(sign in key for sign in "[]|#\r\n"):
        return None
    suffix = old[-3:] if old[-3:].lower() == ".md" else ""
    folder = posixpath.dirname(path)
    before = f"{folder}/" if "/" in old and folder else ""
    return f"{before}{key}{suffix}"


def _write_path(old: str, path: str, declarer: str) -> str | None:
    if any("\ud800" <= character <= "\udfff" for character in path):
        return None
    if old.startswith("/"):
        new = f"/{path}"
    else:
        new = posixpath.relpath(path, posixpath.dirname(declarer) or ".")
        if old.startswith("./") and not new.startswith("."):
            new = f"./{new}"
    if not old.lower().endswith(".md") and new.lower().endswith(".md"):
        new = new[:-3]
    return quote(new, safe=_SAFE) if "%" in old or re.search(r"[\s()<>\\%#?]", new) else new


def leads_to(page: Page, link: Link, path: str) -> bool:
    """Whether a link names the memo at `path` by name or path, and so has to follow it."""
    if link.kind is LinkKind.WIKILINK:
        memos = page.desk.corpus.memos_with_key(normalise_key(link.path))
        return len(memos) == 1 and memos[0].path == path
    found = find_path(link, page.path)
    return found is not None and path in (found, f"{found}.md")
