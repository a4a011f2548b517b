"""A memo's file as text, for those few memos whose sentences are read."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from recall_core.frontmatter.fence import Shape, find_fence
from recall_core.frontmatter.read import decode


class Text(NamedTuple):
    """A memo's file as it is, its body as text, and the number of the body's first line."""

    data: bytes
    body: str
    first_line: int


ReadTexts = Callable[[Sequence[str]], Mapping[str, Text]]
"""Gives the texts of the memos at some paths; those that cannot be read are left out."""


def read_text(content: bytes) -> Text | None:
    """A file's text; None where it is none, or where its body begins is anybody's guess."""
    text = decode(content)
    if text is None:
        return None
    fence = find_fence(text)
    if fence.shape is Shape.UNCLOSED:
        return None
    before = text[: fence.body].replace("\r\n", "\n").replace("\r", "\n")
    return Text(content, text[fence.body :], before.count("\n") + 1)
