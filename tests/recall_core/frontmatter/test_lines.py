"""Offsets, lines and columns."""

from hypothesis import given
from hypothesis import strategies as st

from recall_core.frontmatter.lines import LINE_END, LineTable, line_at

PIECES = [*"ab \t", "é", "🎉", "\u2028", "\x85", "\x0b", "\x0c", "\n", "\r", "\r\n"]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@given(TEXTS)
def test_a_line_ends_at_lf_crlf_cr_and_nowhere_else(text: str) -> None:
    assert len(LineTable(text).starts) == len(LINE_END.split(text))


@given(TEXTS, st.data())
def test_a_place_leads_back_to_its_offset(text: str, data: st.DataObject) -> None:
    table = LineTable(text)
    start, end = sorted((data.draw(st.integers(0, len(text))), data.draw(st.integers(0, len(text)))))
    span = table.span(start, end)
    assert table.offset(span.line, span.column) == start
    assert table.offset(span.end_line, span.end_column) == end


@given(TEXTS, st.data())
def test_a_table_that_is_cut_off_agrees_up_to_there(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    if text[offset - 1 : offset + 1] != "\r\n" or offset == 0:
        assert LineTable(text, offset).span(offset, offset) == LineTable(text).span(offset, offset)


def test_the_line_around_an_offset_has_no_line_end() -> None:
    assert [line_at("ab\r\ncd\re\n", offset) for offset in (0, 2, 4, 7, 9)] == ["ab", "ab", "cd", "e", ""]
