import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.adapters.terminal import cell_width
from recall_core.model.span import Span
from recall_lint.formats.excerpt import Excerpt, excerpt

WIDTH = 60


def underlined(found: Excerpt) -> str:
    """What stands above the carets, cut out by cells."""
    column, taken = 0, []
    for character in found.text:
        width = cell_width(character)
        if found.offset <= column < found.offset + found.length or (width == 0 and taken):
            taken.append(character)
        column += width
    return "".join(taken)


def place_of(line: str, part: str, number: int = 2) -> Span:
    start = line.index(part) + 1
    return Span(number, start, number, start + len(part))


@pytest.mark.parametrize(
    ("line", "part", "shown"),
    [
        ('supersedes: "[[limits]]"', '"[[limits]]"', '"[[limits]]"'),
        ("\tsupersedes:\tlimits # x", "limits", "limits"),
        ("- 料金プラン: [[制限]] 旧", "[[制限]]", "[[制限]]"),
        ("🚀🚀 supersedes: 🚀.md", "🚀.md", "🚀.md"),
        ("e\u0301te\u0301: e\u0301tat", "e\u0301tat", "e\u0301tat"),
        ("a\x1b[31m: \x1b[2Jlimits x", "\x1b[2Jlimits", "\\x1b[2Jlimits"),
        ("\u202eab\u202c: limits", "limits", "limits"),
        ("##[error]: limits", "limits", "limits"),
        ("caf\udce9: limits\udcff!", "limits\udcff", "limits\\xff"),
    ],
    ids=["plain", "tabs", "wide", "emoji", "combining", "escape", "bidi", "build log", "bytes"],
)
def test_the_carets_stand_under_the_span(line: str, part: str, shown: str) -> None:
    found = excerpt(line, place_of(line, part), WIDTH)
    assert underlined(found) == shown


def test_tabs_reach_to_the_next_multiple_of_four() -> None:
    assert excerpt("a\tb\t\tc", Span(2, 6, 2, 7), WIDTH) == Excerpt("a   b       c", 12, 1)


def test_an_empty_span_gets_one_caret() -> None:
    assert excerpt("supersedes:", Span(2, 12, 2, 12), WIDTH) == Excerpt("supersedes:", 11, 1)


def test_a_place_beyond_the_line_is_its_end() -> None:
    assert excerpt("abc", Span(2, 90, 2, 99), WIDTH) == Excerpt("abc", 3, 1)


def test_a_span_of_several_lines_is_underlined_to_the_end_of_the_first() -> None:
    assert excerpt("supersedes: [a,\n", Span(2, 13, 4, 2), WIDTH) == Excerpt("supersedes: [a,", 12, 3)


def test_a_byte_order_mark_is_no_column() -> None:
    assert excerpt("\ufeff\ufeff--- x", Span(1, 1, 1, 4), WIDTH) == Excerpt("--- x", 0, 3)


@pytest.mark.parametrize("start", [0, 5, 30, 100, 5_000, 9_900, 9_990])
def test_a_long_line_is_cut_around_the_span(start: int) -> None:
    line = f"{'x' * start}limits{'y' * (9_994 - start)}"
    found = excerpt(line, place_of(line, "limits"), WIDTH)
    assert cell_width(found.text) <= WIDTH
    assert underlined(found) == "limits"
    assert found.text.startswith("…") == (start > 30)
    assert found.text.endswith("…") == (start < 9_990 and len(line) > WIDTH)


def test_a_span_longer_than_the_screen_is_cut_at_the_screen() -> None:
    line = f"supersedes: {'z' * 10_000}"
    found = excerpt(line, Span(2, 13, 2, 10_013), WIDTH)
    assert found.text.startswith("…zzz")
    assert found.text.endswith("zzz…")
    assert cell_width(found.text) <= WIDTH
    assert set(underlined(found)) == {"z"}


@given(
    st.text(
        st.characters(exclude_characters="\n\r") | st.sampled_from("\t\x1b中e\u0301🚀\u202e\udcff#["), max_size=200
    ),
    st.integers(1, 210),
    st.integers(0, 210),
    st.integers(20, 80),
)
def test_no_excerpt_is_wider_than_asked_or_underlines_outside_itself(
    line: str, column: int, length: int, width: int
) -> None:
    found = excerpt(line, Span(2, column, 2, column + length), width)
    assert cell_width(found.text) <= width
    assert found.length >= 1
    assert 0 <= found.offset <= width
    assert found.offset + found.length <= width + 1
    assert "\t" not in found.text
