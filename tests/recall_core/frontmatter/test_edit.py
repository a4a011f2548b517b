"""Edits change nothing outside their spans."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.frontmatter.edit import EditError, apply_edits, without_overlaps
from recall_core.frontmatter.lines import LINE_END, LineTable
from recall_core.model.span import Span, TextEdit

PIECES = [*"ab: \t-#", "é", "🎉", "\u2028", "\x85", "\ufeff", "\n", "\r", "\r\n"]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


def edit(line: int, column: int, end_line: int, end_column: int, text: str = "") -> TextEdit:
    return TextEdit(Span(line, column, end_line, end_column), text)


def test_bom_and_line_ends_stay() -> None:
    data = b"\xef\xbb\xbf---\r\nsupersedes: a\r\n---\r\nText\nmore"
    assert apply_edits(data, [edit(2, 13, 2, 14, "b")]) == data.replace(b": a", b": b")
    assert apply_edits(data, [edit(2, 1, 2, 1, "title: x\n")]) == data.replace(b"supersedes", b"title: x\r\nsupersedes")
    assert apply_edits(data, [edit(2, 1, 3, 1)]) == b"\xef\xbb\xbf---\r\n---\r\nText\nmore"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("written", ["\n", "\r\n", "\r"])
def test_a_line_end_in_an_edit_becomes_the_files_own(end: str, written: str) -> None:
    assert apply_edits(f"a{end}b{end}".encode(), [edit(2, 1, 2, 1, f"x{written}")]) == f"a{end}x{end}b{end}".encode()


def test_no_edit_gives_the_same_bytes_whatever_they_are() -> None:
    assert apply_edits(b"\xff\0", []) == b"\xff\0"
    with pytest.raises(UnicodeDecodeError):
        apply_edits(b"\xff", [edit(1, 1, 1, 1, "x")])


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(edit(0, 1, 1, 1), id="line-0"),
        pytest.param(edit(1, 0, 1, 1), id="column-0"),
        pytest.param(edit(1, 1, 9, 1), id="behind-the-last-line"),
        pytest.param(edit(1, 4, 1, 4), id="behind-the-end-of-its-line"),
        pytest.param(edit(2, 1, 1, 1), id="backwards"),
    ],
)
def test_a_place_that_the_text_does_not_have_is_refused(wrong: TextEdit) -> None:
    with pytest.raises(EditError):
        apply_edits(b"ab\r\ncd", [wrong])


def test_overlapping_edits_are_refused_and_touching_ones_are_made_in_order() -> None:
    with pytest.raises(EditError):
        apply_edits(b"abcd", [edit(1, 1, 1, 3, "x"), edit(1, 2, 1, 4, "y")])
    assert apply_edits(b"abcd", [edit(1, 3, 1, 4, "y"), edit(1, 1, 1, 3, "x")]) == b"xyd"
    assert apply_edits(b"ab", [edit(1, 2, 1, 2, "1"), edit(1, 2, 1, 2, "2")]) == b"a12b"


def test_of_groups_that_touch_the_first_is_kept_whole() -> None:
    first, second, third = (
        [edit(1, 1, 1, 2), edit(3, 1, 3, 2)],
        [edit(2, 1, 2, 2), edit(3, 2, 3, 3)],
        [edit(5, 1, 5, 1)],
    )
    assert without_overlaps([first, second, third]) == [first, third]


@given(TEXTS, TEXTS, st.data())
def test_nothing_outside_the_span_changes(whole: str, new: str, data: st.DataObject) -> None:
    text = whole.lstrip("\ufeff")
    boms = whole[: len(whole) - len(text)]
    places = [place for place in range(len(text) + 1) if text[place - 1 : place + 1] != "\r\n" or place == 0]
    start, end = sorted((data.draw(st.sampled_from(places)), data.draw(st.sampled_from(places))))
    changed = apply_edits(whole.encode(), [TextEdit(LineTable(text).span(start, end), new)]).decode()
    own = LINE_END.search(text)
    expected = LINE_END.sub(own.group() if own else "\n", new)
    assert changed == boms + text[:start] + expected + text[end:]


@given(TEXTS)
def test_replacing_a_text_by_itself_changes_nothing(text: str) -> None:
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    assert apply_edits(text.encode(), [TextEdit(LineTable(text).span(0, len(text)), text)]) == text.encode()
