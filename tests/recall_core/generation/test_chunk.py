"""A memo's body as chunks."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.generation.chunk import MAX_TOKENS, Chunk, chunk_memo
from recall_core.generation.tokens import estimate_tokens

WORDS = "The limit holds for every client that signs its requests. "

LINES = st.sampled_from(
    [
        "",
        "",
        "   ",
        "# Title",
        "## Part",
        "### Deeper ##",
        "Setext",
        "======",
        "---",
        "Some words that go on. And on?",
        WORDS * 3,
        "x" * 300,
        "- an item",
        "  continued",
        "1. first",
        "> quoted",
        "> ```",
        ">",
        "```",
        "```python",
        "~~~~",
        "    indented = code",
        "\tcode",
        "| a | b |",
        "|---|---|",
        "<!-- a",
        "-->",
        "<pre>",
        "</pre>",
        "[id]: target",
        "データの上限を変更した。次の文。",
        "\u00a0",
        "a\u2028b\x0bc",
    ]
)
BODIES = st.lists(st.tuples(LINES, st.sampled_from(["\n", "\r\n", "\r"])), max_size=40).map(
    lambda pairs: "".join(line + end for line, end in pairs)
)
FRONTMATTER = st.sampled_from(["", "---\ntitle: A\n---\n", "---\r\nsupersedes: b\r\n...\r\n\r\n"])


def chunks_of(text: str, **options: object) -> list[tuple[str, str]]:
    return [(chunk.heading, chunk.text) for chunk in chunk_memo(text, **options)]


def squeeze(text: str) -> str:
    return "".join(text.split())


@given(FRONTMATTER, BODIES, st.sampled_from([16, 40, MAX_TOKENS]))
def test_every_character_of_the_body_is_in_exactly_one_chunk_at_the_lines_it_says(front: str, body: str, most: int):
    text = front + body
    start = len(front) if front else 0
    lines = re.split(r"\r\n|\n|\r", text)
    at = start
    for ordinal, chunk in enumerate(chunk_memo(text, max_tokens=most)):
        assert chunk.ordinal == ordinal
        found = text.index(chunk.text, at)
        assert not text[at:found].strip()
        at = found + len(chunk.text)
        assert chunk.line == len(re.findall(r"\r\n|\n|\r", text[:found])) + 1
        assert squeeze(chunk.text) in squeeze("\n".join(lines[chunk.line - 1 : chunk.end_line]))
        assert chunk.end_line == chunk.line + len(re.findall(r"\r\n|\n|\r", chunk.text))
    assert not text[at:].strip()


@given(BODIES, st.sampled_from([16, 40, MAX_TOKENS]))
def test_no_chunk_is_longer_than_asked_for_unless_it_is_all_heading_path(body: str, most: int):
    for chunk in chunk_memo(body, max_tokens=most):
        room = max(most - 2 - estimate_tokens(chunk.heading), most // 2)
        assert estimate_tokens(chunk.text) <= max(room, most - 2)


@given(st.text(max_size=400), st.text(max_size=20))
def test_any_text_is_cut_and_twice_the_same(text: str, title: str):
    assert chunk_memo(text, title=title, max_tokens=16) == chunk_memo(text, title=title, max_tokens=16)


def test_the_frontmatter_is_no_part_of_a_chunk_and_its_lines_count():
    """A9: the block is excluded from the body that is chunked."""
    text = "---\ntitle: Limits\nsupersedes: old-limits\n---\n\n# Limits\n\nSixty a minute.\n"
    assert chunk_memo(text) == (Chunk(0, "# Limits\n\nSixty a minute.", "Limits", 6, 8),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("# Only a title\n", [("Only a title", "# Only a title")], id="heading"),
        pytest.param("---\ntitle: T\n---\n", [("T", "T")], id="frontmatter-alone"),
        pytest.param("", [("T", "T")], id="empty"),
        pytest.param(" \n\t\r\n", [("T", "T")], id="blank"),
    ],
)
def test_a_memo_without_a_body_is_found_by_its_title(text: str, expected: list[tuple[str, str]]):
    title = "" if text.startswith("#") else "T"
    assert chunks_of(text, title=title) == expected


def test_a_memo_that_says_nothing_at_all_has_no_chunk():
    assert chunk_memo(" \n") == ()


def test_the_heading_path_starts_with_the_title_which_stands_there_once():
    part = WORDS * 8
    text = f"# Limits\n\n{part}\n\n## API\n\n{part}\n\n### Bursts\n\n{part}\n\nUI\n--\n\n{part}\n"
    paths = [chunk.heading for chunk in chunk_memo(text)]
    assert paths == ["Limits", "Limits > API", "Limits > API > Bursts", "Limits > UI"]
    assert [chunk.heading for chunk in chunk_memo(text, title="Rates")][1] == "Rates > Limits > API"


def test_short_sections_share_a_chunk_under_the_path_that_is_common_to_them():
    text = "# ADR 7\n\n## Status\n\nAccepted\n\n## Context\n\nWe need a store.\n"
    assert [chunk.heading for chunk in chunk_memo(text)] == ["ADR 7"]


def test_a_section_begins_a_chunk_once_the_one_before_is_a_quarter_full():
    text = f"## One\n\n{WORDS * 8}\n\n## Two\n\nShort.\n"
    assert [chunk.text[:6] for chunk in chunk_memo(text)] == ["## One", "## Two"]


def test_a_heading_goes_with_what_stands_under_it():
    text = f"{WORDS * 5}\n\n## Part\n\n{WORDS * 20}\n"
    chunks = chunk_memo(text)
    assert [chunk.heading for chunk in chunks] == ["", "Part"]
    assert chunks[1].text.startswith("## Part\n\nThe limit")


def test_headings_at_the_end_of_a_chunk_go_to_the_next_one():
    text = f"## A\n\n{WORDS * 3}\n\n## B\n\n### C\n\n```\n{WORDS * 18}\n```\n"
    assert [chunk.text[:4] for chunk in chunk_memo(text)] == ["## A", "## B"]


@pytest.mark.parametrize(
    "fence", ["```\n{}\n```", "~~~ text\n{}\n~~~", "- item\n\n  ```\n  {}\n  ```", "> ````\n> {}\n> ````"],
    ids=["backticks", "tildes", "in-a-list", "in-a-quote"],
)  # fmt: skip
def test_fenced_code_is_not_cut_while_it_fits(fence: str):
    code = "one two three\n\n# no heading\n\nfour five six"
    if fence.startswith(">"):
        code = code.replace("\n\n", "\n> \n> ")
    text = f"{WORDS * 3}\n\n{fence.format(code)}\n\n{WORDS * 3}\n"
    holding = [chunk.text for chunk in chunk_memo(text, max_tokens=40) if "one two" in chunk.text]
    assert len(holding) == 1
    assert "four five six" in holding[0]
    assert not any(chunk.heading for chunk in chunk_memo(text))


def test_fenced_code_that_is_too_long_is_cut_between_lines():
    lines = [f"call number {number} of many" for number in range(60)]
    chunks = chunk_memo("```\n" + "\n".join(lines) + "\n```\n", max_tokens=64)
    assert len(chunks) > 3
    assert all(line in lines for chunk in chunks for line in chunk.text.strip("`\n").split("\n"))


def test_a_table_is_not_cut_while_it_fits_and_between_rows_when_it_does_not():
    table = "| name | limit |\n|---|---|\n" + "\n".join(f"| client {number} | {number} |" for number in range(8))
    text = f"{WORDS * 8}\n\n{table}\n\n{WORDS}"
    assert any(table in chunk.text for chunk in chunk_memo(text, max_tokens=100))
    rows = [line for chunk in chunk_memo(table, max_tokens=32) for line in chunk.text.split("\n")]
    assert rows == table.split("\n")


def test_a_long_paragraph_is_cut_where_sentences_end():
    chunks = chunk_memo(WORDS * 60)
    assert len(chunks) > 1
    assert all(chunk.text.startswith("The") and chunk.text.endswith("requests.") for chunk in chunks)


def test_a_word_without_end_is_cut_anywhere():
    chunks = chunk_memo("x" * 10_000)
    assert "".join(chunk.text for chunk in chunks) == "x" * 10_000
    assert max(estimate_tokens(chunk.text) for chunk in chunks) <= MAX_TOKENS


def test_a_heading_without_end_does_not_stand_whole_in_every_path():
    text = f"# {'long ' * 5000}\n\n{WORDS * 40}"
    assert max(len(chunk.heading) for chunk in chunk_memo(text)) == 200


def test_the_passage_puts_the_path_before_the_text():
    assert Chunk(0, "Sixty.", "Limits > API", 1, 1).passage == "Limits > API\n\nSixty."
    assert Chunk(0, "Sixty.", "", 1, 1).passage == "Sixty."
    assert Chunk(0, "Limits", "Limits", 1, 1).passage == "Limits"


def test_too_small_a_limit_is_refused():
    with pytest.raises(ValueError, match="16"):
        chunk_memo("a", max_tokens=15)


def test_real_memos_are_covered_and_their_chunks_are_not_slivers(shared: Path):
    chunks = []
    for path in sorted((shared / "corpora" / "keps" / "docs").glob("*.md"))[:60]:
        text = path.read_bytes().decode().lstrip("\ufeff")
        chunks.extend(chunk_memo(text))
    sizes = sorted(estimate_tokens(chunk.text) for chunk in chunks)
    assert sizes[len(sizes) // 2] > MAX_TOKENS // 3
    assert sizes[-1] <= MAX_TOKENS
