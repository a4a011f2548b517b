"""python-frontmatter over our reader: for the parts that need keys and text, and no places (templates, indexing).

The library strips a text before it splits, so whether there is a block at all is asked of the reader first.
"""

from typing import Any

import frontmatter
import yaml
from frontmatter.default_handlers import YAMLHandler

from recall_core.frontmatter.fence import BOM, Shape, find_fence
from recall_core.frontmatter.nodes import Node, compose, is_null

_DEEPEST = 100
"""Levels that are kept: what lies deeper is None, since everything that reads a plain value recurses."""


class MemoHandler(YAMLHandler):
    """Splits where the reader splits, and loads source scalars: `0012` stays `0012`, a date stays as typed."""

    def detect(self, text: str) -> bool:
        """Whether `text` begins with a closed block."""
        return find_fence(text.lstrip(BOM)).shape is Shape.BLOCK

    def split(self, text: str) -> tuple[str, str]:
        """The block's text and the body; ValueError where there is no block."""
        text = text.lstrip(BOM)
        fence = find_fence(text)
        if fence.shape is not Shape.BLOCK:
            raise ValueError("no frontmatter block")
        return text[fence.start : fence.end], text[fence.body :]

    def load(self, fm: str, **kwargs: object) -> dict[str, Any]:  # noqa: ARG002 - the library's interface
        """Top-level keys to strings, lists and mappings of strings; null is None. {} for a block that YAML refuses."""
        try:
            root = compose(fm)
        except yaml.YAMLError:
            return {}
        return _Plain().mapping(root) if isinstance(root, yaml.MappingNode) else {}


def parse_post(text: str) -> frontmatter.Post:
    """Keys and body of a memo's text, the body stripped as the library does; its line ends stay.

    The library's own `loads` passes the keys as keyword arguments, and a key called `content` or `handler` breaks it.
    """
    handler = MemoHandler()
    if not handler.detect(text):
        return frontmatter.Post(text.lstrip(BOM).strip())
    block, body = handler.split(text)
    post = frontmatter.Post(body.strip(), handler)
    post.metadata = handler.load(block)
    return post


class _Plain:
    """Nodes as plain values. Each node is converted once and shared: aliases of aliases would grow without end."""

    def __init__(self) -> None:
        self._done: dict[int, Any] = {}

    def value(self, node: Node, depth: int) -> Any:
        if id(node) in self._done:
            return self._done[id(node)]
        self._done[id(node)] = None  # what an alias to a node inside itself gives
        if isinstance(node, yaml.ScalarNode):
            result: Any = None if is_null(node) and not node.style else node.value
        elif depth > _DEEPEST:
            result = None
        elif isinstance(node, yaml.SequenceNode):
            result = [self.value(item, depth + 1) for item in node.value]
        else:
            result = self.mapping(node, depth)
        self._done[id(node)] = result
        return result

    def mapping(self, node: yaml.MappingNode, depth: int = 0) -> dict[str, Any]:
        plain: dict[str, Any] = {}
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value not in plain:
                plain[key.value] = self.value(value, depth + 1)
        return plain
