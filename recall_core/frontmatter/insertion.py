"""Where a text takes one more reference under `supersedes`, for every form in which YAML may hold the key."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import yaml

from recall_core.frontmatter.block import BlockText
from recall_core.frontmatter.fence import Fence, Shape
from recall_core.frontmatter.items import find_items
from recall_core.frontmatter.lines import LineTable
from recall_core.frontmatter.nodes import Node, compose, is_null, is_plain
from recall_core.frontmatter.reference import is_placeholder
from recall_core.frontmatter.scalar import write_scalar

_COLON = re.compile(r"[ \t]*:")
_REST_IS_COMMENT = re.compile(r"[ \t]*(?:#[^\r\n]*)?(?=[\r\n]|\Z)")
_GAP = re.compile(r"(?P<before>[ \t]*)(?P<comma>,?)[ \t]*(?:#[^\r\n]*)?(?:[\r\n]+[ \t]*(?:#[^\r\n]*)?)*")
_LINE_END = re.compile(r"[\r\n]")
_UNSAFE_IN_FLOW = re.compile(r"[,\[\]{}:]")


class RefusedError(Exception):
    """The value has a form that nothing is inserted into; `help` is what to type."""

    def __init__(self, reason: str, help: str) -> None:  # noqa: A002 - the word of every message here
        super().__init__(reason)
        self.reason, self.help = reason, help


class Placement(NamedTuple):
    """Insertions as `(start, end, text)`, offsets into the text without its BOMs, a line end written as a line feed.

    `line` is how many line ends behind the first offset the lines to
    show begin, and `lines` how many there are. `restructured`: a value became a list, which another YAML reader has to
    confirm.
    """

    edits: tuple[tuple[int, int, str], ...]
    line: int = 0
    lines: int = 1
    restructured: bool = False


def place_names(text: str, fence: Fence, table: LineTable, values: Sequence[str]) -> Placement:
    """Where `values`, at least one, go in a text whose metadata can be read. Raises RefusedError."""
    if fence.shape is not Shape.BLOCK:
        line = f"supersedes: {_join(values)}\n"
        return Placement(((0, 0, f"---\n{line}---\n"),), line=1)
    block = BlockText(text, fence, table)
    found = _find_key(compose(block.text))
    if found is None:
        return Placement(((fence.end, fence.end, f"supersedes: {_join(values)}\n"),))
    placed = _Value(block, *found, values).place()
    edits = tuple((fence.start + start, fence.start + end, new) for start, end, new in placed.edits)
    return placed._replace(edits=edits)


def _find_key(root: Node | None) -> tuple[Node, Node] | None:
    pairs = root.value if isinstance(root, yaml.MappingNode) else ()
    named = ((key, value) for key, value in pairs if isinstance(key, yaml.ScalarNode) and key.value == "supersedes")
    return next(named, None)


def _write(value: str, quote: str = "") -> str:
    written = write_scalar(value, quote)
    assert written is not None  # noqa: S101 - `declare` refuses what UTF-8 cannot hold before anything is placed
    return written


def _join(values: Sequence[str], quote: str = "") -> str:
    if len(values) == 1:
        return _write(values[0], quote)
    return f"[{', '.join(_write(value, quote) for value in values)}]"


class _Value(NamedTuple):
    """The value that stands there, and the names to add to it. Offsets count from the block's start."""

    block: BlockText
    key: Node
    value: Node
    values: Sequence[str]

    def place(self) -> Placement:
        text, node = self.block.text, self.value
        if text[node.start_mark.index : node.start_mark.index + 1] in ("&", "!"):
            raise self._refuse("has an anchor or a tag", "remove it, or add the name by hand")
        if isinstance(node, yaml.ScalarNode):
            if is_null(node):
                return self._fill(node)
            return self._wrap(node)
        if not isinstance(node, yaml.SequenceNode):
            raise self._refuse("holds a mapping", "list the names")
        if not node.flow_style:
            return self._append_lines(node)
        if not node.value:
            return self._fill_brackets(node)
        items = list(find_items(self.block, node))
        if items and items[0].node is node:
            start, end = self.block.extent(node)
            self._refuse_lines(start, end)
            return self._enclose(start, end, "")  # `[[name]]` without quotes is one name
        return self._append_in_flow(node)

    def _refuse(self, what: str, wanted: str) -> RefusedError:
        return RefusedError(f"the value of `supersedes` {what}", wanted)

    def _fill(self, node: yaml.ScalarNode) -> Placement:
        """Put the names in the place of nothing: `~`, `""`, or no value at all."""
        if node.value or not is_plain(node):
            start, end = self.block.extent(node)
            if node.style in ("|", ">"):
                raise self._refuse("is an empty block scalar", "remove it, or add the name by hand")
            return Placement(((start, end, _join(self.values, node.style or "")),))
        behind = self._behind_colon()
        if behind is None or not _REST_IS_COMMENT.match(self.block.text, behind):
            raise self._refuse("is not written behind the key", "write `supersedes:` and the name on one line")
        return Placement(((behind, behind, f" {_join(self.values)}"),))

    def _behind_colon(self) -> int | None:
        """The offset behind the key's colon; None where the key is written with `?`."""
        colon = _COLON.match(self.block.text, self.key.end_mark.index)
        first, _, _ = self.block.line_around(self.key.start_mark.index, self.key.start_mark.index)
        return colon.end() if colon and first == self.key.start_mark.index else None

    def _fill_brackets(self, node: yaml.SequenceNode) -> Placement:
        start, end = self.block.extent(node)
        if self.block.text[start + 1 : end - 1].strip(" \t"):
            raise self._refuse("is an empty list over several lines", "write `[]`, or add the name by hand")
        return Placement(((start, end, f"[{', '.join(map(_write, self.values))}]"),))

    def _wrap(self, node: yaml.ScalarNode) -> Placement:
        """Make one value a list. The value itself stays as it is written."""
        start, end = self.block.extent(node)
        written = self.block.text[start:end]
        if node.style in ("|", ">"):
            raise self._refuse("is a block scalar", "write it on one line, or list the names by hand")
        self._refuse_lines(start, end)
        if is_placeholder(node.value):
            raise self._refuse(f"is the placeholder `{written}`", "remove it first (`recall lint --fix` does)")
        if is_plain(node) and _UNSAFE_IN_FLOW.search(written):
            return self._break_into_lines(start)
        return self._enclose(start, end, "" if is_plain(node) else written[0])

    def _refuse_lines(self, start: int, end: int) -> None:
        if _LINE_END.search(self.block.text, start, end):
            raise self._refuse("runs over several lines", "write it on one line, or list the names by hand")

    def _enclose(self, start: int, end: int, quote: str) -> Placement:
        more = "".join(f", {_write(value, quote)}" for value in self.values)
        return Placement(((start, start, "["), (end, end, f"{more}]")), restructured=True)

    def _break_into_lines(self, start: int) -> Placement:
        """Make a plain value a list of lines: in brackets its commas or colons would mean something."""
        behind = self._behind_colon()
        if behind is None or self.block.text[behind:start].strip(" \t"):
            raise self._refuse("is not written behind the key", "list the names by hand")
        _, _, following = self.block.line_around(start, start)
        lines = "".join(f"  - {_write(value)}\n" for value in self.values)
        edits = ((behind, start, "\n  - "), (following, following, lines))
        return Placement(edits, lines=2 + len(self.values), restructured=True)

    def _append_lines(self, node: yaml.SequenceNode) -> Placement:
        text, dash = self.block.text, node.start_mark.index
        first, _, _ = self.block.line_around(dash, dash)
        prefix = text[first:dash]
        if text[dash : dash + 1] != "-" or prefix.strip(" "):
            raise self._refuse("is a list on the line of its key", "write one item a line")
        last: Node = node.value[-1]
        values, edits = list(self.values), []
        if isinstance(last, yaml.ScalarNode) and is_null(last):
            edits.append(self._fill_item(last, values.pop(0)))
        quote = last.style if isinstance(last, yaml.ScalarNode) and last.style in ("'", '"') else ""
        gap = self._gap(last, prefix)
        while isinstance(last, yaml.SequenceNode) and not last.flow_style and last.value:
            last = last.value[-1]
        end = self.block.extent(last)[1]
        _, _, following = self.block.line_around(end, end)
        if values:
            edits.append((following, following, "".join(f"{prefix}-{gap}{_write(each, quote)}\n" for each in values)))
        return Placement(tuple(edits), lines=len(self.values))

    def _fill_item(self, item: yaml.ScalarNode, value: str) -> tuple[int, int, str]:
        start, end = self.block.extent(item)
        if item.style in ("|", ">") or self.block.text[item.start_mark.index : end][:1] in ("&", "!"):
            raise self._refuse("ends in an item without a name", "remove it, or add the name by hand")
        if end > start:
            return start, end, _write(value, item.style or "")
        if self.block.text[start - 1 : start] != "-" or not _REST_IS_COMMENT.match(self.block.text, start):
            raise self._refuse("ends in an item without a name", "remove it, or add the name by hand")
        return start, start, f" {_write(value)}"

    def _gap(self, item: Node, prefix: str) -> str:
        """What stands between a dash and its item."""
        first, _, _ = self.block.line_around(item.start_mark.index, item.start_mark.index)
        before = self.block.text[first : item.start_mark.index]
        gap = before[len(prefix) + 1 :]
        return gap if before.startswith(f"{prefix}-") and gap and not gap.strip(" \t") else " "

    def _append_in_flow(self, node: yaml.SequenceNode) -> Placement:
        text, last = self.block.text, node.value[-1]
        end, close = self.block.extent(last)[1], node.end_mark.index - 1
        between = _GAP.fullmatch(text, end, close)
        if text[close : close + 1] != "]" or between is None:
            raise self._refuse("is a list that nothing is added to safely", "add the name by hand")
        quote = last.style if isinstance(last, yaml.ScalarNode) and last.style in ("'", '"') else ""
        written = [_write(value, quote) for value in self.values]
        comma = between["comma"]
        if not _LINE_END.search(between[0]):
            behind = between.end("comma") if comma else end
            return Placement(((behind, behind, f"{'' if comma else ','} {', '.join(written)}"),))
        return self._append_flow_lines(last, end, comma, written)

    def _append_flow_lines(self, last: Node, end: int, comma: str, written: Sequence[str]) -> Placement:
        first, _, _ = self.block.line_around(last.start_mark.index, last.start_mark.index)
        _, _, following = self.block.line_around(end, end)
        line = self.block.text[first : last.start_mark.index]
        indent = line[: len(line) - len(line.lstrip(" \t"))] or "  "
        added = [f"{indent}{each}," for each in written]
        if not comma:
            added[-1] = added[-1][:-1]
        edits = [(following, following, "".join(f"{each}\n" for each in added))]
        if not comma:
            edits.insert(0, (end, end, ","))
        return Placement(tuple(edits), lines=len(added) + (not comma))
