"""A column of a register is searched as the text that it is."""

from hypothesis import given
from hypothesis import strategies as st

from recall_lint.register.postings import Postings, build_postings

TERMS = st.text(st.characters(exclude_characters="\2\3\n"), max_size=4)
ROWS = st.lists(st.tuples(TERMS, st.integers(0, 99)))


def column(rows: list[tuple[str, int]]) -> Postings:
    text = build_postings(rows)
    assert text is not None
    around = b"\2abc\0031\n"  # what stands before and behind is no part of the column
    return Postings(around + text + around, len(around), len(around) + len(text))


@given(ROWS, TERMS)
def test_a_term_is_found_where_it_stands_as_a_whole(rows, term):
    assert column(rows).find(term) == [record for other, record in rows if other == term]


@given(ROWS, TERMS)
def test_terms_are_found_by_their_beginning(rows, beginning):
    assert column(rows).find_beginning(beginning) == [row for row in rows if row[0].startswith(beginning)]


@given(ROWS, st.text("abcé", min_size=1, max_size=2), st.integers(0, 3))
def test_terms_are_found_by_a_part_unless_they_are_too_many(rows, part, most):
    found = [record for term, record in rows if part in term]
    assert column(rows).find_holding(part, most) == (found if len(found) <= most else None)


def test_a_sign_of_the_column_is_in_no_term():
    assert build_postings([("a\3b", 1)]) is None
    assert column([("a", 5)]).find("a\0035\n\2b") == []
