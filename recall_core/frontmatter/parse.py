"""From a block's text to a memo's fields, each with its place (DESIGN §3)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

import yaml

from recall_core.frontmatter.block import BlockText, UnreadableError
from recall_core.frontmatter.dates import parse_day
from recall_core.frontmatter.fence import VALIDITY_KEYS, Fence, find_validity_lines
from recall_core.frontmatter.items import Item, find_items, find_removal
from recall_core.frontmatter.lines import LineTable
from recall_core.frontmatter.nodes import Node, compose, is_null, is_plain
from recall_core.frontmatter.reference import BLANKS, is_placeholder
from recall_core.frontmatter.vocabulary import SUPERSEDED_BY, meant_key
from recall_core.frontmatter.yaml_errors import Explanation, explain, find_conflict, find_missing_blank
from recall_core.model.memo import Bound, Key, Problem, ProblemKind, Reference
from recall_core.model.span import TextEdit

LARGEST_BLOCK = 64 * 1024
"""Bytes of a block that are read; the C parser's cost is not linear beyond."""

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


def parse_block(text: str, fence: Fence, table: LineTable) -> Fields:
    """The fields of the block that `fence` found in `text`; `table` covers at least the block."""
    return _BlockParser(text, fence, table).parse()


def describe_undeclared(text: str, start: int, end: int, table: LineTable) -> str:
    """The sentence that says which validity lines of an unreadable block do not count, or ""."""
    found = list(islice(find_validity_lines(text, start, end), 5))
    if not found:
        return ""
    lines = [f"`{_shorten(text[first:last].strip(BLANKS))}` (line {table.line(first)})" for first, last in found[:4]]
    verb = "is" if len(found) == 1 else "are"
    return f"; {', '.join(lines)}{' and more' if len(found) > 4 else ''} {verb} not applied until the error is gone"


def _shorten(text: str) -> str:
    return text if len(text) <= 80 else text[:79] + "…"


class _BlockParser:
    """One walk over the top-level keys of one block."""

    def __init__(self, text: str, fence: Fence, table: LineTable) -> None:
        self.text, self.fence, self.table = text, fence, table
        self.block = BlockText(text, fence, table)
        self.fields = Fields()

    def parse(self) -> Fields:
        block = self.block.text
        if len(block) > LARGEST_BLOCK // 4 and len(block.encode()) > LARGEST_BLOCK:
            return self._refuse(Explanation(0, "the metadata block is larger than 64 KiB", "move the text below it"))
        if conflict := find_conflict(block):
            return self._refuse(conflict)
        try:
            root = compose(block)
        except yaml.YAMLError as error:
            return self._refuse(explain(error, block))
        if not isinstance(root, yaml.MappingNode):
            no_list = Explanation(0, "the metadata is no list of `key: value` lines", "write `key: value`")
            return self._refuse(find_missing_blank(block) or no_list)
        try:
            self._read(root)
        except UnreadableError as error:
            why = Explanation(error.node.start_mark.index, error.message, error.help)
            return self._refuse(why, "; nothing in this block is applied until the error is gone")
        if not self.fields.readable:
            duplicates = [p for p in self.fields.problems if p.kind is ProblemKind.DUPLICATE_VALIDITY_KEY]
            return Fields(title=self.fields.title, label=self.fields.label, readable=False, problems=duplicates)
        return self.fields

    def _refuse(self, why: Explanation, otherwise: str = "") -> Fields:
        """`otherwise` is said where no validity line can be found by eye, though there is one."""
        place = self.block.span(why.offset, why.offset)
        message = why.message + (self._describe_undeclared() or otherwise)
        problem = Problem(ProblemKind.INVALID_BLOCK, place, message, why.help)
        return Fields(title=self.fields.title, label=self.fields.label, readable=False, problems=[problem])

    def _describe_undeclared(self) -> str:
        return describe_undeclared(self.text, self.fence.start, self.fence.end, self.table)

    def _read(self, root: yaml.MappingNode) -> None:
        fields, seen = self.fields, dict[str, Node]()
        aliased = self._find_aliased(root) if "*" in self.block.text else frozenset[int]()
        for position, (key_node, value) in enumerate(root.value):
            if not isinstance(key_node, yaml.ScalarNode):
                continue
            name: str = key_node.value
            if name == _MERGE:
                self._refuse_merged_validity(key_node, value)
            if name in seen:
                self._note_duplicate(name, seen[name], key_node)
                continue
            seen[name] = key_node
            if name in ("title", "label"):
                if isinstance(value, yaml.ScalarNode) and not is_null(value):
                    setattr(fields, name, " ".join(value.value.split()))
            elif name in VALIDITY_KEYS:
                if position in aliased:
                    raise UnreadableError(key_node, f"`{name}` is given by an alias", "write the value itself")
                self._read_validity(name, key_node, value)
            elif (meant := meant_key(name)) is not None:
                fields.keys.append(self._build_key(name, key_node, value, with_references=meant == SUPERSEDED_BY))
        if fields.keys:
            fields.keys = [replace(key, is_free=meant_key(key.name) not in seen) for key in fields.keys]

    @staticmethod
    def _find_aliased(root: yaml.MappingNode) -> frozenset[int]:
        """The positions of keys that are aliases, or whose values are: an alias gives a node that stands further up."""
        found, read_until = set(), 0
        for position, (key, value) in enumerate(root.value):
            if key.start_mark.index < read_until or value.start_mark.index < key.end_mark.index:
                found.add(position)
            read_until = max(read_until, key.end_mark.index, value.end_mark.index)
        return frozenset(found)

    def _note_duplicate(self, name: str, first: Node, later: Node) -> None:
        validity = name in VALIDITY_KEYS
        message = f"`{_shorten(name)}` is given twice"
        kind = ProblemKind.DUPLICATE_KEY
        if validity:
            kind = ProblemKind.DUPLICATE_VALIDITY_KEY
            message += self._describe_undeclared()
            self.fields.readable = False
        related = ((self.block.node_span(first), "first given here"),)
        wanted = "join the values in one list" if name == "supersedes" else "keep one of the two lines"
        self.fields.problems.append(Problem(kind, self.block.node_span(later), message, wanted, related))

    def _read_validity(self, name: str, key: Node, value: Node) -> None:
        if name == "supersedes":
            self.fields.supersedes = tuple(self._references(key, value))
        elif not is_null(value):
            setattr(self.fields, name, self._bound(value))

    def _bound(self, value: Node) -> Bound:
        start, end = self.block.extent(value)
        text = value.value.strip(BLANKS) if isinstance(value, yaml.ScalarNode) else None
        day = None if text is None else parse_day(text)
        return Bound(self.block.text[start:end], day, self.block.span(start, end), text if day is None else None)

    def _references(self, key: Node, value: Node) -> Iterator[Reference]:
        for item in find_items(self.block, value):
            if item.reference is None:
                self._note_commented_value(item.node)
                continue
            if is_placeholder(item.reference.value):
                self._note_placeholder(key, item, item.reference)
            yield item.reference

    def _note_commented_value(self, node: Node) -> None:
        if not isinstance(node, yaml.ScalarNode) or node.value or not is_plain(node):
            return
        if not (match := _COMMENTED.match(self.block.text, node.start_mark.index)):
            return
        start, end = match.start(1), match.start(1) + len(match[1].rstrip(BLANKS))
        text = self.block.text[start:end]
        quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
        message = f"`{_shorten(text)}` is a comment to YAML: nothing is declared"
        help_ = f"put it in quotes: `{_shorten(quoted)}`, or remove the comment"
        self.fields.problems.append(Problem(ProblemKind.COMMENTED_VALUE, self.block.span(start, end), message, help_))

    def _note_placeholder(self, key: Node, item: Item, reference: Reference) -> None:
        start, end, text = find_removal(self.block, key, item)
        message = f"`{_shorten(reference.written)}` is a placeholder: nothing is declared"
        edits = (TextEdit(self.block.span(start, end), text),)
        help_ = "name the memo that this one replaces, or remove the value"
        self.fields.problems.append(Problem(ProblemKind.PLACEHOLDER_VALUE, reference.span, message, help_, edits=edits))

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
                    raise UnreadableError(key, f"`<<` would bring `{name.value}` in", "write the key itself")
                if name.value == _MERGE:
                    nested = merged.value if isinstance(merged, yaml.SequenceNode) else [merged]
                    pending.extend(item for item in nested if isinstance(item, yaml.MappingNode))

    def _build_key(self, name: str, key: Node, value: Node, *, with_references: bool) -> Key:
        scalar = value.value if isinstance(value, yaml.ScalarNode) else None
        plain = isinstance(value, yaml.ScalarNode) and is_plain(value)
        references: tuple[Reference, ...] = ()
        if with_references and value.start_mark.index >= key.end_mark.index:
            try:
                references = tuple(item.reference for item in find_items(self.block, value) if item.reference)
            except UnreadableError:
                references = ()  # not a key of ours: what it holds is nobody's error
        place, value_place = self.block.node_span(key), self.block.node_span(value)
        return Key(name, place, scalar, value_place, plain, is_null(value), references)
