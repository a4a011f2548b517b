"""Bodies are read as little as possible; what is found must be what a full reading finds."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.prose import closures
from recall_core.prose.closures import Closure, find_closures
from recall_core.prose.mentions import find_mentions, may_mention

PIECES = st.sampled_from(
    [
        "\n",
        "\n\n",
        "\n \n",
        "\r\n",
        " ",
        "supersedes ",
        "replaced by ",
        "obsolete",
        "[[a-1]]",
        "[a](b.md)",
        "[a][x]",
        "\n[x]: c.md\n",
    ]
    + [
        "[x]",
        "x-1",
        "0012",
        "v2",
        "plain",
        "a.md",
        "é2",
        "```\n",
        "`",
        "<!--",
        "-->",
        "> ",
        "- ",
        "    ",
        "# ",
        "a./2",
        ". ",
        "?",
    ]
)
BODIES = st.lists(PIECES, max_size=30).map("".join)


def read_in_full(text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Closure, ...]:
    with monkeypatch.context() as patch:
        patch.setattr(closures, "_beside_names", lambda flat, marks: iter(marks))
        patch.setattr(closures, "_as_far_as_needed", lambda flat, offset: flat)
        return find_closures(text)


@given(BODIES)
def test_the_shortcuts_change_nothing(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        assert find_closures(text) == read_in_full(text, patch)


@given(BODIES | st.text())
def test_what_is_mentioned_leaves_a_trace(text: str) -> None:
    if find_mentions(text, text, 0, ()):
        assert may_mention(text, 0, len(text))


def test_the_shortcuts_change_nothing_in_real_documents(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = sorted((shared / "corpora").glob("*/docs/*.md"))
    assert len(documents) > 1000
    for document in documents[::3]:
        text = document.read_text("utf-8")
        assert find_closures(text) == read_in_full(text, monkeypatch), document.name
