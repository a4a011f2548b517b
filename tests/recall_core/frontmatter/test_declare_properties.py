"""What holds for any memo: the old references and the new one, nothing else changed, and a second time nothing to do."""

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from recall_core.frontmatter import insertion
from recall_core.frontmatter.declare import Declaration, Refused, declare
from recall_core.frontmatter.edit import apply_edits
from recall_core.frontmatter.read import read_memo
from recall_core.model.memo import Memo
from recall_core.model.span import TextEdit

COMMENTS = ["", " # c", "   # why, [really]: 'no'", "\t# tab", ' # "', "# glued"]
OTHERS = [
    "title: a", "title: 'a  # b'", 'x: "a\n  b"', "x: |\n  supersedes: no\n\n   more", "x: >-\n  a\n", "x: [a,\n  b, # c\n  c]", "x: {a: [b]}",
    "x:\n- a\n-   b", "x:\n  supersedes: nested", "# comment", "# supersedes: a", "", "  # odd", "x: &anchor 1\ny: *anchor", "x: 0012", "d: 2026-02-03",
    "n: ~", "x:", "? long", "valid_from: 2026-01-01", "é: ü", "x: a\u2028b",
]  # fmt: skip
SCALARS = [
    "a",
    "'a'",
    '"a # b"',
    "a.md",
    "[[a]]",
    '"[[a|b]]"',
    "b, c",
    "docs/a.md",
    "a#b",
    '"x: y"',
    "-a",
    "é",
    "e\u0301",
    "0012",
    "'it''s'",
    "a:b",
    "https://x.y/z",
]
names = st.one_of(
    st.sampled_from(["new.md", "no.md", "0012.md", "a: b.md", "#.md", "- x.md", "[x.md", "a|b.md", "a#b.md", "n\u0303.md", "x y.md", "'.md", '".md', "\\.md"]),
    st.text(st.characters(blacklist_characters="/\0", blacklist_categories=["Cs"]), min_size=1, max_size=12).map(lambda name: f"{name}.md"),
)  # fmt: skip


@st.composite
def values(draw: Any) -> str:
    """`supersedes` in some YAML form."""
    scalar, comment = st.sampled_from(SCALARS), st.sampled_from(COMMENTS)
    form = draw(st.sampled_from(["none", "empty", "scalar", "lines", "flow", "flow-lines"]))
    if form == "none":
        return ""
    if form == "empty":
        return (
            "supersedes:"
            + draw(st.sampled_from(["", " ~", " null", ' ""', " ''", " []", " [ ]", "\n  ~", "\n  -", "\n- ~"]))
            + draw(comment)
        )
    if form == "scalar":
        return f"supersedes:{draw(st.sampled_from([' ', '   ', chr(10) + '  ']))}{draw(scalar)}{draw(comment)}"
    items = draw(st.lists(scalar, min_size=1, max_size=4))
    if form == "lines":
        prefix = draw(st.sampled_from(["- ", "  - ", "    -   ", "- - "]))
        between = st.sampled_from(["", "", "\n  # between", "\n", "\n# left"])
        return (
            "supersedes:" + draw(comment) + "".join(f"\n{prefix}{item}{draw(comment)}{draw(between)}" for item in items)
        )
    if form == "flow":
        return f"supersedes: [{draw(st.sampled_from(['', ' ']))}{draw(st.sampled_from([', ', ',', ' , '])).join(items)}{draw(st.sampled_from(['', ' ', ',', ', ', ' ,']))}]{draw(comment)}"
    lines = "".join(f"\n  {item},{draw(comment)}" for item in items)
    return f"supersedes: [{lines}{draw(st.sampled_from(['', chr(10) + '  # last']))}\n]{draw(comment)}"


@st.composite
def memos(draw: Any) -> bytes:
    """A memo with a block of odd keys and comments, some line end, BOMs and a body."""
    before, after = (draw(st.lists(st.sampled_from(OTHERS), max_size=3)) for _ in range(2))
    value = draw(values())
    fence = draw(st.sampled_from(["---", "...", "--- "]))
    body = draw(st.sampled_from(["", "text", "# T\n\ntext\n\n\n", "---\nx\n---\n", "\n"]))
    lines = [*before, *([value] if value else []), *after]
    text = "\n".join(["---", *lines, fence, body])
    return (
        draw(st.sampled_from(["", "\ufeff"])) + text.replace("\n", draw(st.sampled_from(["\n", "\r\n", "\r"])))
    ).encode()


anything = st.lists(
    st.sampled_from([*"-.:#[]{},'\"|>&*!? \n\r\tab\ufeffé", "supersedes:", "---\n", "---\n", "key: ", "- "]),
    max_size=25,
).map("".join)


def check(data: bytes, name: str) -> Declaration | Refused:
    """Declare, and look at all that must hold."""
    memo, target = read_memo("memo.md", data), read_memo(f"docs/{name}", b"")
    made = declare(data, memo, target)
    if isinstance(made, Refused):
        assert made.reason
        return made
    if not made.edits:
        assert any(target.key in (each.key, each.name) for each in memo.supersedes)
        return made
    after = apply_edits(data, made.edits)
    result = read_memo("memo.md", after)
    assert result.readable
    assert meanings(result)[:-1] == meanings(memo)
    assert result.supersedes[-1].key == target.key
    assert keeps(data, after, made.edits)
    assert others(data, memo) == others(after, result)
    again = declare(after, result, target)
    assert isinstance(again, Declaration)
    assert again.edits == ()
    return made


def meanings(memo: Memo) -> list[tuple[str, ...]]:
    return [(each.value, each.key, each.name, each.part) for each in memo.supersedes]


NOTHING = {"", " ", "   ", "~", "null", '""', "''", "[]", "[ ]"}
"""What an edit may take out: a value of nothing, and the blanks before a value that becomes a list."""


def keeps(before: bytes, after: bytes, edits: Sequence[TextEdit]) -> bool:
    """Whether all of `before` is in `after`, in order, but for what the edits took out, which was nothing."""
    text = before.decode()
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", text.lstrip("\ufeff"))
    at = [0, *accumulate(map(len, lines))]
    rest = text.lstrip("\ufeff")
    for edit in sorted(edits, key=lambda edit: edit.span, reverse=True):
        start = at[edit.span.line - 1] + edit.span.column - 1
        end = at[edit.span.end_line - 1] + edit.span.end_column - 1
        if rest[start:end] not in NOTHING:
            return False
        rest = rest[:start] + rest[end:]
    characters = iter(after.decode().lstrip("\ufeff"))
    whole_boms = text[: len(text) - len(text.lstrip("\ufeff"))]
    return after.decode().startswith(whole_boms) and all(character in characters for character in rest)


def others(data: bytes, memo: Memo) -> Any:
    """The other keys as PyYAML has them, and the body."""
    text = data.decode().lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if not memo.block_end:
        return {}, text
    lines = text.split("\n")
    block, body = "\n".join([*lines[1 : memo.block_end - 1], ""]), "\n".join(lines[memo.block_end :])
    try:
        found = yaml.load(block, yaml.BaseLoader)
    except yaml.YAMLError:
        return None, body
    found.pop("supersedes", None)
    return found, body


@given(memos(), names)
def test_any_block_gets_the_edge_or_a_reason(data: bytes, name: str):  # K5, K7, K9
    check(data, name)


@given(anything, names)
def test_any_text_gets_the_edge_or_a_reason(text: str, name: str):  # K7, K8
    made = check(text.encode(), name)
    memo = read_memo("memo.md", text.encode())
    if not memo.block_end and isinstance(made, Declaration) and made.edits:
        after = apply_edits(text.encode(), made.edits).decode()
        assert after.endswith(text.lstrip("\ufeff"))


@given(memos())
@settings(max_examples=100)
def test_the_usual_forms_are_hardly_ever_refused(data: bytes):
    memo = read_memo("memo.md", data)
    made = check(data, "new.md")
    if isinstance(made, Refused) and memo.readable and memo.block_end:
        known = (
            "placeholder",
            "ruamel.yaml",
            "survive a round trip",  # U+2028 is a line end to ruamel.yaml, and none to us
            "not written behind",
            "safely",
            "several lines",
            "a comment would be lost",
        )
        assert any(word in made.reason for word in known), made.reason


def test_these_properties_notice_an_insertion_at_the_wrong_place(monkeypatch: pytest.MonkeyPatch):
    """The tests above go red for a writer that appends below the block, checked once here."""
    real = insertion.place_names
    data = b"---\nt: 1\n---\nx\n"

    def below(text, fence, table, values):
        placed = real(text, fence, table, values)
        return placed._replace(edits=tuple((fence.body, fence.body, new) for _, _, new in placed.edits))

    monkeypatch.setattr("recall_core.frontmatter.declare.place_names", below)
    assert isinstance(declare(data, read_memo("memo.md", data), "new.md"), Refused)
