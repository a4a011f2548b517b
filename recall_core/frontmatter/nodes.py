"""YAML as nodes with character offsets: source scalars, nothing resolved, nothing converted (DESIGN §3 "YAML").

`0012` stays `0012`, `no` stays `no`, a date stays what was typed. The C parser is used where PyYAML has it; the Python
one gives the same answers, about three times slower.
"""

from typing import TYPE_CHECKING, Any, TypeAlias

import yaml
from yaml.composer import Composer
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

        class CParser(Reader, Scanner, Parser, Composer):
            """PyYAML's own parser under the name of the C one."""

            def __init__(self, text: str) -> None:
                Reader.__init__(self, text)
                Scanner.__init__(self)
                Parser.__init__(self)
                Composer.__init__(self)


Node: TypeAlias = yaml.ScalarNode | yaml.SequenceNode | yaml.MappingNode


class _NodeParser(CParser):
    """Composes nodes and resolves no tag: nothing here asks what YAML takes a scalar for."""

    def resolve(self, kind: object, value: object, implicit: object) -> str:  # noqa: ARG002 - the parser's interface
        return ""

    def descend_resolver(self, parent: object, index: object) -> None:
        pass

    def ascend_resolver(self) -> None:
        pass


def compose(text: str) -> Node | None:
    """The root node of a block, or None for an empty one; marks count characters of `text`. Raises yaml.YAMLError."""
    root: Node | None = _NodeParser(text).get_single_node()
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
