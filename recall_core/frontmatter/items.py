"""The items of `supersedes`: one value or a list, nested lists flattened (DESIGN §3)."""

from collections.abc import Iterator
from typing import NamedTuple

import yaml

from recall_core.frontmatter.block import BlockText, UnreadableError
from recall_core.frontmatter.fence import begins_block
from recall_core.frontmatter.nodes import Node, is_null, is_plain
from recall_core.frontmatter.reference import build_reference
from recall_core.model.memo import Reference, Style

DEEPEST_NESTING = 8
"""Levels of lists under `supersedes`."""


class Item(NamedTuple):
    """One name and the list that it is in. `reference` is None for an item that declares nothing."""

    node: Node
    parent: yaml.SequenceNode | None
    reference: Reference | None


def find_items(block: BlockText, value: Node) -> Iterator[Item]:
    """Every item in order of writing. Raises UnreadableError for an alias, a mapping, or lists nested too deep.

    An explicit stack: the nesting is the author's, the depth is ours.
    """
    stack: list[tuple[Node, yaml.SequenceNode | None, int]] = [(value, None, 0)]
    position = value.start_mark.index
    while stack:
        node, parent, depth = stack.pop()
        if node.start_mark.index < position:
            raise UnreadableError(value, "`supersedes` holds an alias", "write the value itself")
        position = node.start_mark.index + (depth > 0)
        if isinstance(node, yaml.MappingNode):
            raise UnreadableError(node, "`supersedes` holds a mapping", "put the name in quotes, or list the names")
        if isinstance(node, yaml.ScalarNode):
            yield Item(node, parent, _scalar_reference(block, node))
        elif depth < DEEPEST_NESTING - 1 and (link := _wikilink(block, node)):
            yield Item(node, parent, link)
        elif depth == DEEPEST_NESTING:
            raise UnreadableError(node, f"`supersedes` is nested over {DEEPEST_NESTING} levels deep", "write one list")
        else:
            stack.extend((child, node, depth + 1) for child in reversed(node.value))


def _scalar_reference(block: BlockText, node: yaml.ScalarNode) -> Reference | None:
    if is_null(node):
        return None
    start, end = block.extent(node)
    style = Style.PLAIN if is_plain(node) else Style.BLOCK if node.style in ("|", ">") else Style.QUOTED
    return build_reference(block.text[start:end], node.value, block.span(start, end), style)


def _wikilink(block: BlockText, node: yaml.SequenceNode) -> Reference | None:
    """`[[name]]` without quotes: a flow list of one flow list of one plain scalar, brackets touching."""
    if len(node.value) != 1 or not node.flow_style or not isinstance(inner := node.value[0], yaml.SequenceNode):
        return None
    if len(inner.value) != 1 or not isinstance(name := inner.value[0], yaml.ScalarNode) or not is_plain(name):
        return None
    start, end = block.extent(node)
    written = block.text[start:end]
    if is_null(name) or not (written.startswith("[[") and written.endswith("]]")):
        return None
    if name.start_mark.index < inner.start_mark.index:
        return None  # an alias; the walk refuses it
    return build_reference(written, name.value, block.span(start, end), Style.WIKILINK)


def find_removal(block: BlockText, key: Node, item: Item) -> tuple[int, int, str]:
    """The edit that takes `item` out of the value of `key`: two offsets and what to put there.

    Where taking it out would need more than that (a comment beside it, a block that would no longer begin with a key)
    the item becomes `[]`, which declares nothing and is YAML in every place.
    """
    start, end = item.node.start_mark.index, block.extent(item.node)[1]
    siblings = item.parent.value if item.parent is not None else []
    if item.parent is None:
        found = _whole_line(block, key, start, end)
    elif not item.parent.flow_style:
        found = _list_line(block, key, start, end)
    elif len(siblings) == 1:
        inside = block.text[item.parent.start_mark.index : item.parent.end_mark.index]
        found = (start, end) if inside[:1] == "[" and inside[1:-1].strip() == block.text[start:end] else None
    else:
        found = _flow_item(block, siblings, item.node, start, end)
    return (*found, "") if found else (start, end, "[]")


def _whole_line(block: BlockText, key: Node, start: int, end: int) -> tuple[int, int] | None:
    first, last, following = block.line_around(start, end)
    if first != key.start_mark.index or block.text[end:last].strip(" \t"):
        return None
    return (first, following) if begins_block(block.text[:first] + block.text[following:]) else None


def _list_line(block: BlockText, key: Node, start: int, end: int) -> tuple[int, int] | None:
    first, last, following = block.line_around(start, end)
    if block.text[first:start].strip(" \t") != "-" or block.text[end:last].strip(" \t"):
        return None
    _, behind_key, _ = block.line_around(key.end_mark.index, key.end_mark.index)
    if block.text[key.end_mark.index : behind_key].strip(" \t") != ":":
        return None  # a comment that would then stand in the value's place
    return first, following


def _flow_item(block: BlockText, siblings: list[Node], node: Node, start: int, end: int) -> tuple[int, int] | None:
    place = next(index for index, sibling in enumerate(siblings) if sibling is node)
    if place + 1 < len(siblings):
        begin, stop = start, siblings[place + 1].start_mark.index
        between = block.text[end:stop]
    else:
        begin, stop = block.extent(siblings[place - 1])[1], end
        between = block.text[begin:start]
    return (begin, stop) if between.strip(" \t") == "," else None
