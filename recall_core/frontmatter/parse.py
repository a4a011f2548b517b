"""From a block's text to a memo's fields, each with its place (DESIGN §3)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from recall_core.frontmatter.dates import parse_day
from recall_core.frontmatter.fence import VALIDITY_KEYS, Fence, find_validity_lines
from recall_core.frontmatter.lines import LineTable
from recall_core.frontmatter.nodes import Node, compose, is_null, is_plain
from recall_core.frontmatter.reference import build_reference
from recall_core.frontmatter.vocabulary import resembles_validity_key
from recall_core.frontmatter.yaml_errors import Explanation, explain, find_conflict
from recall_core.model.memo import Bound, Key, Problem, ProblemKind, Reference, Style
from recall_core.model.span import Span

LARGEST_BLOCK = 64 * 1024
"""Bytes of a block that are read; the C parser's cost is not linear beyond."""

DEEPEST_NESTING = 8
"""Levels of lists under `supersedes`."""

_PROPERTIES = re.compile(r"(?:[!&][^\s\[\]{},]*[ \t\r\n]+)+")
_COMMENTED = re.compile(r"[ \t]*:?[ \t]*(#[^\r\n]*)")
_MERGE = "<<"


@dataclass(slots=True)
class Fields:
    """What one block says. `readable` False: nothing in it is declared."""

    title: str = ""
    label: str = ""
    supersedes: tuple[Reference, ...] = ()
    valid_from: Bound | None = None
    valid_until: Bound | None = None
    readable: bool = True
    problems: list[Problem] = field(default_factory=list)
    keys: list[Key] = field(default_factory=list)


class _UnreadableError(Exception):
    """A value under a validity key that cannot be read as one."""

    def __init__(self, node: Node, message: str, help: str = "") -> None:  # noqa: A002 - the word of every message here
        super().__init__(message)
        self.node, self.message, self.help = node, message, help


def parse_block(text: str, fence: Fence, table: LineTable) -> Fields:
    """The fields of the block that `fence` found in `text`; `table` covers at least the block."""
    return _BlockParser(text, fence, table).parse()


def describe_undeclared(text: str, start: int, end: int, table: LineTable) -> str:
    """The sentence that says which validity lines of an unreadable block do not count, or ""."""
    lines = [
        f"`{_shorten(text[first:last].strip())}` (line {table.line(first)})"
        for first, last in find_validity_lines(text, start, end)
    ]
    if not lines:
        return ""
    verb = "is" if len(lines) == 1 else "are"
    return f"; {', '.join(lines[:4])}{' and more' if len(lines) > 4 else ''} {verb} not applied until the error is gone"


def _shorten(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"


class _BlockParser:
    """One walk over the top-level keys of one block."""

    def __init__(self, text: str, fence: Fence, table: LineTable) -> None:
        self.text, self.base, self.end, self.table = text, fence.start, fence.end, table
        self.block = text[fence.start : fence.end]
        self.fields = Fields()

    def parse(self) -> Fields:
        if len(self.block) > LARGEST_BLOCK // 4 and len(self.block.encode()) > LARGEST_BLOCK:
            return self._refuse(Explanation(0, "the metadata block is larger than 64 KiB", "move the text below it"))
        if conflict := find_conflict(self.block):
            return self._refuse(conflict)
        try:
            root = compose(self.block)
        except yaml.YAMLError as error:
            return self._refuse(explain(error, self.block))
        if not isinstance(root, yaml.MappingNode):
            return self._refuse(Explanation(0, "the metadata is no list of `key: value` lines", "write `key: value`"))
        try:
            self._read(root)
        except _UnreadableError as error:
            return self._refuse(Explanation(error.node.start_mark.index, error.message, error.help))
        if not self.fields.readable:
            duplicates = [p for p in self.fields.problems if p.kind is ProblemKind.DUPLICATE_VALIDITY_KEY]
            return Fields(title=self.fields.title, readable=False, problems=duplicates)
        return self.fields

    def _refuse(self, why: Explanation) -> Fields:
        place = self._span(why.offset, why.offset)
        message = why.message + describe_undeclared(self.text, self.base, self.end, self.table)
        problem = Problem(ProblemKind.INVALID_BLOCK, place, message, why.help)
        return Fields(title=self.fields.title, readable=False, problems=[problem])

    def _span(self, start: int, end: int) -> Span:
        return self.table.span(self.base + start, self.base + end)

    def _node_span(self, node: Node) -> Span:
        start, end = self._extent(node)
        return self._span(start, end)

    def _extent(self, node: Node) -> tuple[int, int]:
        """Offsets of a node without its tag and anchor, and without the blank lines that end a block scalar."""
        start, end = node.start_mark.index, node.end_mark.index
        if self.block[start : start + 1] in ("!", "&") and (match := _PROPERTIES.match(self.block, start, end)):
            start = match.end()
        return start, start + len(self.block[start:end].rstrip())

    def _read(self, root: yaml.MappingNode) -> None:
        fields, seen = self.fields, {}
        for key_node, value in root.value:
            if not isinstance(key_node, yaml.ScalarNode):
                continue
            name: str = key_node.value
            if name in seen:
                self._note_duplicate(name, seen[name], key_node)
                continue
            seen[name] = key_node
            if name == "title" or name == "label":
                if isinstance(value, yaml.ScalarNode) and not is_null(value):
                    setattr(fields, name, " ".join(value.value.split()))
            elif name in VALIDITY_KEYS:
                self._read_validity(name, key_node, value)
            elif name == _MERGE:
                self._refuse_merged_validity(key_node, value)
            elif resembles_validity_key(name):
                fields.keys.append(self._build_key(name, key_node, value))

    def _note_duplicate(self, name: str, first: Node, later: Node) -> None:
        validity = name in VALIDITY_KEYS
        message = f"`{_shorten(name)}` is given twice"
        kind = ProblemKind.DUPLICATE_KEY
        if validity:
            kind = ProblemKind.DUPLICATE_VALIDITY_KEY
            message += describe_undeclared(self.text, self.base, self.end, self.table)
            self.fields.readable = False
        related = ((self._node_span(first), "first given here"),)
        wanted = "join the values in one list" if name == "supersedes" else "keep one of the two lines"
        self.fields.problems.append(Problem(kind, self._node_span(later), message, wanted, related))

    def _read_validity(self, name: str, key: Node, value: Node) -> None:
        if value.start_mark.index < key.start_mark.index:
            raise _UnreadableError(key, f"`{name}` is given by an alias", "write the value itself")
        if name == "supersedes":
            self.fields.supersedes = tuple(self._references(value))
        elif not is_null(value):
            setattr(self.fields, name, self._bound(value))

    def _bound(self, value: Node) -> Bound:
        start, end = self._extent(value)
        written = self.block[start:end]
        day = parse_day(value.value.strip()) if isinstance(value, yaml.ScalarNode) else None
        return Bound(written, day, self._span(start, end))

    def _references(self, value: Node) -> Iterator[Reference]:
        """Every item, nested sequences flattened. An explicit stack: the nesting is the author's, the depth is ours."""
        stack: list[tuple[Node, int]] = [(value, 0)]
        position = value.start_mark.index
        while stack:
            node, depth = stack.pop()
            if node.start_mark.index < position:
                raise _UnreadableError(value, "`supersedes` holds an alias", "write the value itself")
            position = node.start_mark.index + (depth > 0)
            if isinstance(node, yaml.MappingNode):
                raise _UnreadableError(node, "`supersedes` holds a mapping", "put the name in quotes, or list the names")
            if isinstance(node, yaml.ScalarNode):
                yield from self._scalar_reference(node)
            elif link := self._wikilink(node):
                yield link
            elif depth == DEEPEST_NESTING:
                raise _UnreadableError(node, f"`supersedes` is nested over {DEEPEST_NESTING} levels deep", "write one list")
            else:
                stack.extend((child, depth + 1) for child in reversed(node.value))

    def _scalar_reference(self, node: yaml.ScalarNode) -> Iterator[Reference]:
        if is_null(node):
            if not node.value and is_plain(node):
                self._note_commented_value(node)
            return
        start, end = self._extent(node)
        style = Style.PLAIN if is_plain(node) else Style.BLOCK if node.style in ("|", ">") else Style.QUOTED
        yield build_reference(self.block[start:end], node.value, self._span(start, end), style)

    def _note_commented_value(self, node: Node) -> None:
        match = _COMMENTED.match(self.block, node.start_mark.index)
        if match is None:
            return
        start, end = match.start(1), match.start(1) + len(match[1].rstrip())
        text = self.block[start:end]
        quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
        message = f"`{_shorten(text)}` is a comment to YAML: nothing is declared"
        help_ = f"put it in quotes: `{_shorten(quoted)}`, or remove the comment"
        self.fields.problems.append(Problem(ProblemKind.COMMENTED_VALUE, self._span(start, end), message, help_))

    def _wikilink(self, node: yaml.SequenceNode) -> Reference | None:
        """`[[name]]` without quotes: a flow list of one flow list of one plain scalar, brackets touching."""
        if len(node.value) != 1 or not node.flow_style or not isinstance(inner := node.value[0], yaml.SequenceNode):
            return None
        if len(inner.value) != 1 or not isinstance(name := inner.value[0], yaml.ScalarNode) or not is_plain(name):
            return None
        start, end = self._extent(node)
        written = self.block[start:end]
        if is_null(name) or not (written.startswith("[[") and written.endswith("]]")):
            return None
        if name.start_mark.index < inner.start_mark.index:
            return None  # an alias; the walk refuses it
        return build_reference(written, name.value, self._span(start, end), Style.WIKILINK)

    def _refuse_merged_validity(self, key: yaml.ScalarNode, value: Node) -> None:
        if not is_plain(key):
            return
        sources = value.value if isinstance(value, yaml.SequenceNode) else [value]
        pending = [source for source in sources if isinstance(source, yaml.MappingNode)]
        visited = set()
        while pending:
            source = pending.pop()
            if id(source) in visited:
                continue
            visited.add(id(source))
            for name, merged in source.value:
                if not isinstance(name, yaml.ScalarNode):
                    continue
                if name.value in VALIDITY_KEYS:
                    raise _UnreadableError(key, f"`<<` would bring `{name.value}` in", "write the key itself")
                if name.value == _MERGE:
                    nested = merged.value if isinstance(merged, yaml.SequenceNode) else [merged]
                    pending.extend(item for item in nested if isinstance(item, yaml.MappingNode))

    def _build_key(self, name: str, key: Node, value: Node) -> Key:
        scalar = value.value if isinstance(value, yaml.ScalarNode) else None
        plain = isinstance(value, yaml.ScalarNode) and is_plain(value)
        return Key(name, self._node_span(key), scalar, self._node_span(value), plain, is_null(value))
