"""The C parser and the Python one, deep nesting, and characters that YAML takes for line ends."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from recall_core.frontmatter import nodes
from recall_core.frontmatter.read import read_memo
from recall_core.model.memo import Memo

PIECES = ["supersedes", "valid_from", "title", "a", "b.md", ": ", ":", "\n", "\n", "\n  ", "\n- ", "- ", " ", "[", "]", "[[", "]]", "{", "}", ",", "'", '"', "#", " #",
          "|", ">", "&x ", "*x", "?", "~", "null", "2026-01-01", "\r\n", "\u2028", "\x85", "\ufeff", "é", "\\", "<<", "0012", "\nsupersedes: ", "\nvalid_from: ", "- [[a]]"]  # fmt: skip
BLOCKS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


def flatten(node: yaml.Node | None) -> object:
    """A node as plain values with its places, aliases and all; no recursion deeper than the text is long."""
    if node is None:
        return None
    place = (node.start_mark.index, node.end_mark.index)
    if isinstance(node, yaml.ScalarNode):
        return (node.value, *place, nodes.is_plain(node))
    if isinstance(node, yaml.MappingNode):
        return ([(flatten(key), flatten(value)) for key, value in node.value], *place)
    return ([flatten(item) for item in node.value], *place)


def outcome(compose: Callable[[str], yaml.Node | None], text: str) -> object:
    try:
        return flatten(compose(text))
    except yaml.YAMLError:
        return "refused"
    except RecursionError:
        return "an alias to itself"


@given(BLOCKS)
def test_both_parsers_give_the_same_nodes(python_nodes: ModuleType, block: str) -> None:
    assert outcome(nodes.compose, "k: x\n" + block) == outcome(python_nodes.compose, "k: x\n" + block)


@given(BLOCKS)
def test_composing_from_events_gives_what_the_parser_itself_composes(block: str) -> None:
    try:
        composed = nodes._NodeParser(block).get_single_node()
    except yaml.composer.ComposerError:
        return  # undefined aliases, and anchors given again: the events decide
    except yaml.YAMLError:
        with pytest.raises(yaml.YAMLError):
            nodes._compose_events(nodes._NodeParser(block))
        return
    assert outcome(lambda _: composed, "") == outcome(lambda _: nodes._compose_events(nodes._NodeParser(block)), "")


def test_every_real_file_reads_the_same_without_the_c_parser(
    real_files: list[Path], read_without_c: Callable[[bytes], Memo]
) -> None:
    for path in real_files:
        data = path.read_bytes()
        if data.lstrip(b"\xef\xbb\xbf").startswith(b"---"):
            assert read_without_c(data) == read_memo("memo.md", data), path


@pytest.mark.parametrize("without_c", [False, True])
@pytest.mark.parametrize(
    "block",
    [
        pytest.param("x: " + "[" * 30_000 + "]" * 30_000, id="flow"),
        pytest.param("x: " + "{a: " * 13_000 + "}" * 13_000, id="flow-mappings"),
        pytest.param("x:\n " + "- " * 30_000 + "a", id="dashes"),
        pytest.param("x:\n " + "? " * 30_000 + "a", id="question-marks"),
        pytest.param("x: " + "[" * 900 + "]" * 900, id="as-deep-as-the-c-parser-goes"),
        pytest.param("\n".join(" " * depth + "k:" for depth in range(350)), id="indentation"),
        pytest.param(
            "a0: &a0 [x]\n" + "\n".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 2200)),
            id="billion-laughs",
        ),
        pytest.param("x: &x [" + "*x," * 20_000 + "]", id="aliases-to-itself"),
        pytest.param("x: &x y\nz: [" + "*x," * 20_000 + "]", id="many-aliases"),
        pytest.param("x: " + "&a !!str " * 7_000 + "y", id="properties"),
        pytest.param("x: '" + "''" * 30_000 + "'", id="quotes"),
        pytest.param("x: " + "a: " * 20_000, id="colons"),
        pytest.param("x: " + "#" * 60_000, id="hashes"),
    ],
)
def test_the_largest_blocks_end(block: str, without_c: bool, read_without_c: Callable[[bytes], Memo]) -> None:
    assert len(block) < 64 * 1024
    read = read_without_c if without_c else lambda data: read_memo("memo.md", data)
    for prefix in ("",) if without_c else ("", "supersedes: a\n", "supersedes: [a, b]\nsuperseded_by: [c]\n"):
        memo = read(f"---\n{prefix}{block[: 64 * 1024 - len(prefix) - 1]}\n---\n".encode())
        assert memo.block_end > 0


def test_a_hundred_thousand_aliases_are_too_large_a_block() -> None:
    memo = read_memo("a.md", ("---\nx: &x y\nz: [" + "*x," * 100_000 + "]\nsupersedes: *x\n---\n").encode())
    assert memo.problems[0].message.startswith("the metadata block is larger than 64 KiB; `supersedes: *x`")


def test_a_file_of_one_long_line_and_one_never_closed_are_read() -> None:
    assert read_memo("a.md", b"---\ntitle: x\n---\n" + b"x" * 5_000_000).readable
    assert not read_memo("a.md", b"---\ntitle: " + b"x" * 5_000_000 + b"\n---\n").readable
    memo = read_memo("a.md", b"---\nsupersedes: a\n" + b"text\n" * 4_000_000)
    assert "`supersedes: a` (line 2) is not applied" in memo.problems[0].message
