"""YAML as nodes with character offsets: source scalars, nothing resolved, nothing converted (DESIGN §3 "YAML").

`0012` stays `0012`, `no` stays `no`, a date stays what was typed. The C parser is used where PyYAML has it; the Python
one gives the same answers, many times slower; it refuses a tab within a plain scalar, which the C one reads.
"""

from typing import TYPE_CHECKING, Any, TypeAlias

import yaml
from yaml.composer import ComposerError
from yaml.events import AliasEvent, CollectionEndEvent, CollectionStartEvent, MappingStartEvent, NodeEvent, ScalarEvent
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner

if TYPE_CHECKING:
    CParser: Any = object
    HAS_C_PARSER: bool
else:
    try:
        from yaml.cyaml import CParser

        HAS_C_PARSER = True
    except ImportError:
        HAS_C_PARSER = False

        class CParser(Reader, Scanner, Parser):
            """PyYAML's own parser under the name of the C one; only its events are asked for."""

            def __init__(self, text: str) -> None:
                Reader.__init__(self, text)
                Scanner.__init__(self)
                Parser.__init__(self)

            def scan_to_next_token(self) -> None:
                """Skips tabs where the C parser does: everywhere but in the indentation of a key."""
                super().scan_to_next_token()
                while self.peek() == "\t" and (self.flow_level or not self.allow_simple_key):
                    self.forward()
                    super().scan_to_next_token()


Node: TypeAlias = yaml.ScalarNode | yaml.SequenceNode | yaml.MappingNode

_FOREIGN = "\x85\u2028\u2029\ufeff"
"""YAML 1.1 ends a line at the first three and skips a BOM inside a block; here they are characters like any other."""

_MANY_LEVELS = 400
"""Signs that could nest, from which on no recursion is trusted: the C parser has no limit of its own in some builds."""


_DEEPEST = 1000
"""Levels at which the C parser gives up by itself; the Python one would take the square of their number."""


class _NodeParser(CParser):  # type: ignore[misc]  # the C parser has no types
    """Composes nodes and resolves no tag: nothing here asks what YAML takes a scalar for."""

    def resolve(self, kind: object, value: object, implicit: object) -> str:  # noqa: ARG002 - the parser's interface
        return ""

    def descend_resolver(self, parent: object, index: object) -> None:
        pass

    def ascend_resolver(self) -> None:
        pass


def compose(text: str) -> Node | None:
    """The root node of a block, or None for an empty one; marks count characters of `text`. Raises yaml.YAMLError."""
    if text.isascii() or not any(character in text for character in _FOREIGN):
        return _compose(text)
    stand_ins = _choose_stand_ins(text)
    root = _compose(text.translate(stand_ins))
    _restore(root, {new: chr(old) for old, new in stand_ins.items()})
    return root


def is_plain(node: yaml.ScalarNode) -> bool:
    """Whether a scalar is written without quotes and is no block scalar."""
    return node.style in ("", None)


def is_null(node: Node) -> bool:
    """Whether a node declares nothing: `~`, `null`, an empty value, `""` or `[]`."""
    if isinstance(node, yaml.ScalarNode):
        value: str = node.value
        return not value or (is_plain(node) and value in ("~", "null", "Null", "NULL"))
    return isinstance(node, yaml.SequenceNode) and not node.value


def _compose(text: str) -> Node | None:
    if not HAS_C_PARSER or sum(map(text.count, "[{-?")) > _MANY_LEVELS:
        return _compose_events(_NodeParser(text))
    try:
        root: Node | None = _NodeParser(text).get_single_node()
    except ComposerError:
        return _compose_events(_NodeParser(text))  # an anchor given anew is no error, and nobody asks for it here
    return root


def _compose_events(parser: Any) -> Node | None:
    """What PyYAML's composers give, without their recursion, and with anchors that may be given again."""
    anchors: dict[str, Node] = {}
    root: Node | None = None
    parents: list[tuple[Node, list[Node]]] = []  # open collections with what stands in them, keys and values in turn
    event: Any
    while (event := parser.get_event()) is not None:
        if isinstance(event, CollectionEndEvent):
            node, children = parents.pop()
            node.end_mark = event.end_mark
            node.value = list(zip(children[::2], children[1::2], strict=True)) if _is_mapping(node) else children
            continue
        if isinstance(event, NodeEvent):
            place: Any = event.start_mark
            if root is not None and not parents:
                raise ComposerError("expected one document", root.start_mark, "but found another document", place)
            if len(parents) == _DEEPEST:
                raise ComposerError("while composing", place, "exceeded maximum nesting depth", place)
            node = _build_node(event, anchors)
            if parents:
                parents[-1][1].append(node)
            root = root or node
            if isinstance(event, CollectionStartEvent):
                parents.append((node, []))
    return root


def _is_mapping(node: Node) -> bool:
    return isinstance(node, yaml.MappingNode)


def _build_node(event: Any, anchors: dict[str, Node]) -> Node:
    start, end, anchor = event.start_mark, event.end_mark, event.anchor
    if isinstance(event, AliasEvent):
        if anchor not in anchors:
            raise ComposerError(None, None, f"found undefined alias {anchor!r}", start)
        return anchors[anchor]
    node: Node
    if isinstance(event, ScalarEvent):
        node = yaml.ScalarNode("", event.value, start, end, event.style)
    else:
        kind = yaml.MappingNode if isinstance(event, MappingStartEvent) else yaml.SequenceNode
        node = kind("", [], start, None, event.flow_style)
    if anchor is not None:
        anchors[anchor] = node
    return node


def _choose_stand_ins(text: str) -> dict[int, str]:
    """A private character that `text` does not hold for each foreign one."""
    private = (chr(code) for code in range(0x10F000, 0x10FFFE) if chr(code) not in text)
    return {ord(foreign): next(private) for foreign in _FOREIGN}


def _restore(root: Node | None, originals: dict[str, str]) -> None:
    table = str.maketrans(originals)
    pending: list[Any] = [] if root is None else [root]
    visited: set[int] = set()
    while pending:
        node = pending.pop()
        if id(node) in visited:
            continue
        visited.add(id(node))
        if isinstance(node, yaml.ScalarNode):
            node.value = node.value.translate(table)
        elif isinstance(node, yaml.MappingNode):
            pending.extend(part for pair in node.value for part in pair)
        else:
            pending.extend(node.value)
