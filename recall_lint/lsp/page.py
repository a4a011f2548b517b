"""A memo that a request is about: its text with places, its reading, and what it refers to at a place."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from recall_core.frontmatter.fence import Fence, Shape, find_fence
from recall_core.graph.corpus import Corpus
from recall_core.model.memo import Memo, Reference
from recall_core.model.span import Span
from recall_core.prose.link import Link
from recall_core.prose.links import find_links
from recall_lint.lsp.address import address_of
from recall_lint.lsp.judgment import Judgment
from recall_lint.lsp.link_target import find_named
from recall_lint.lsp.root import Root
from recall_lint.lsp.sheet import Encoding, Sheet
from recall_lint.reading import Reading, read_file


class Mention(NamedTuple):
    """A place that names memos: offsets in the text of a sheet, the memos, and how they are named.

    `reference` is set for one of `supersedes` or of a declined question, `link` for one of the body.
    """

    start: int
    end: int
    memos: tuple[Memo, ...]
    reference: Reference | None = None
    link: Link | None = None


@dataclass(frozen=True, slots=True)
class Desk:
    """A root with its judgment, and in what places are counted."""

    root: Root
    judgment: Judgment
    encoding: Encoding

    @property
    def corpus(self) -> Corpus:
        """All memos."""
        return self.judgment.corpus

    def address(self, path: str) -> str:
        """The address of a file of the root."""
        return address_of(self.root.full(path))

    def page(self, path: str) -> "Page | None":
        """The memo at `path` as it stands; None where it cannot be read."""
        content = self.root.content(path)
        return None if content is None else Page(self, path, content)


class Page:
    """The text of one memo as it stands, on a desk."""

    def __init__(self, desk: Desk, path: str, content: bytes) -> None:
        self.desk, self.path, self.content = desk, path, content
        self.sheet = Sheet(content.decode("utf-8", "replace"), desk.encoding)

    @cached_property
    def reading(self) -> Reading:
        """What the text gives to the linter."""
        return self.desk.root.reading(self.path) or read_file(self.path, self.content)

    @property
    def memo(self) -> Memo:
        """The memo as it stands, or as the corpus has it where it says the same."""
        return self.desk.corpus.memo(self.path) or self.reading.memo

    @cached_property
    def fence(self) -> Fence:
        """The block of the text."""
        return find_fence(self.sheet.text)

    @cached_property
    def links(self) -> list[Link]:
        """The links of the body; offsets count in the text of the sheet."""
        if self.fence.shape is Shape.UNCLOSED:
            return []
        shift = self.fence.body
        return [
            link._replace(
                start=link.start + shift,
                end=link.end + shift,
                label_start=link.label_start + shift,
                label_end=link.label_end + shift,
            )
            for link in find_links(self.sheet.text[shift:])
        ]

    def mentions(self) -> Iterator[Mention]:
        """Every place that names a memo, in no particular order."""
        corpus = self.desk.corpus
        for reference in self.references():
            start, end = self.offsets(reference.span)
            yield Mention(start, end, corpus.resolve(self.memo, reference).memos, reference)
        for link in self.links:
            label = self.sheet.text[link.label_start : link.label_end]
            paths = find_named(link, label, self.path, corpus, self.desk.judgment.names)
            memos = tuple(memo for path in paths if (memo := corpus.memo(path)) is not None)
            yield Mention(link.start, link.end, memos, link=link)

    def references(self) -> Iterator[Reference]:
        """What the memo declares, and what it declines."""
        yield from self.reading.memo.supersedes
        for decline in self.reading.declines:
            if decline.target is not None:
                yield decline.target

    def mention_at(self, offset: int) -> Mention | None:
        """The innermost place around an offset that names something."""
        around = [each for each in self.mentions() if each.start <= offset <= each.end]
        return min(around, key=lambda each: each.end - each.start, default=None)

    def offsets(self, span: Span) -> tuple[int, int]:
        """The offsets of a span of this text."""
        table = self.sheet.table
        return table.offset(span.line, span.column), table.offset(span.end_line, span.end_column)
