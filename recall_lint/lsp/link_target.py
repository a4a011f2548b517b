"""Where a link of a body leads: by its path, and as prose is read where that leads nowhere."""

import posixpath
from collections.abc import Sequence

from recall_core.graph.corpus import Corpus
from recall_core.prose.link import Link, LinkKind
from recall_core.prose.names import Names


def find_path(link: Link, declarer: str) -> str | None:
    """The path relative to the root that a Markdown link in the memo at `declarer` leads to by its path alone."""
    if link.kind is LinkKind.WIKILINK or not link.is_local:
        return None
    return join(declarer, link.path)


def join(declarer: str, path: str) -> str | None:
    """`path`, as written in the memo at `declarer`, relative to the root; None where it leaves the root."""
    folder = "" if path.startswith("/") else posixpath.dirname(declarer)
    joined = posixpath.normpath(posixpath.join(folder, path.lstrip("/")))
    return None if joined.startswith("../") or joined == ".." else joined


def find_named(link: Link, label: str, declarer: str, corpus: Corpus, names: Names) -> Sequence[str]:
    """The paths of the memos that a link in the memo at `declarer` names: none, one or several."""
    path = find_path(link, declarer)
    for candidate in () if path is None else (path, f"{path}.md"):
        if corpus.memo(candidate) is not None:
            return (candidate,)
    return names.by_link(link, label)
