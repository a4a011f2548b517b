"""The suggestions of a session: texts are read from where the session reads its memos."""

from collections.abc import Mapping, Sequence

from recall_core.frontmatter.fence import Shape, find_fence
from recall_core.frontmatter.read import decode
from recall_lint.check.gather import Gatherer, Text
from recall_lint.config import Settings
from recall_lint.session import Session


def open_gatherer(session: Session, settings: Settings) -> Gatherer:
    """Gathers suggestions over what `session` lists; a memo is read only when its text is asked for."""
    entries = {entry.path: entry for entry in session.memos}

    def read(paths: Sequence[str]) -> Mapping[str, Text]:
        wanted = [entries[path] for path in paths if path in entries]
        found = {}
        for entry, content in session.workspace.source.read(wanted):
            if isinstance(content, bytes) and (text := _read_text(content)) is not None:
                found[entry.path] = text
        return found

    return Gatherer(session.readings, settings, read)


def _read_text(content: bytes) -> Text | None:
    text = decode(content)
    if text is None:
        return None
    fence = find_fence(text)
    if fence.shape is Shape.UNCLOSED:
        return None  # where its body begins is anybody's guess
    before = text[: fence.body].replace("\r\n", "\n").replace("\r", "\n")
    return Text(content, text[fence.body :], before.count("\n") + 1)
