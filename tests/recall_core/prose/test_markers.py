"""The closure words, and the search for bodies that may hold one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.prose.markers import MARKERS, TRACED, Family, Form, find_marks, has_marker, lower_in_place


def found(text: str) -> list[tuple[str, Family, Form]]:
    return [(text[mark.start : mark.end], mark.family, mark.form) for mark in find_marks(lower_in_place(text))]


@pytest.mark.parametrize(
    ("text", "word", "family", "form"),
    [
        ("this supersedes it", "supersedes", Family.SUPERSEDE, Form.ACTIVE),
        ("SUPERSEDES: it", "SUPERSEDES", Family.SUPERSEDE, Form.ACTIVE),
        ("this supercedes it", "supercedes", Family.SUPERSEDE, Form.ACTIVE),
        ("was superseded by it", "superseded", Family.SUPERSEDE, Form.PASSIVE),
        ("was superseded\n  by it", "superseded", Family.SUPERSEDE, Form.PASSIVE),
        ("Superseded-by: it", "Superseded", Family.SUPERSEDE, Form.PASSIVE),
        ("it has superseded that", "superseded", Family.SUPERSEDE, Form.PARTICIPLE),
        ("the supersession of it", "supersession", Family.SUPERSEDE, Form.NOMINAL),
        ("replacing it", "replacing", Family.REPLACE, Form.ACTIVE),
        ("_replaced_ with it", "replaced", Family.REPLACE, Form.PARTICIPLE),
        ("__replaces__ it", "replaces", Family.REPLACE, Form.ACTIVE),
        ("a replacement for it", "replacement", Family.REPLACE, Form.NOMINAL),
        ("obsoletes it", "obsoletes", Family.OBSOLETE, Form.ACTIVE),
        ("made obsolete by it", "obsolete", Family.OBSOLETE, Form.PASSIVE),
        ("is obsolete", "obsolete", Family.OBSOLETE, Form.PARTICIPLE),
        ("deprecated in favor of it", "deprecated", Family.DEPRECATE, Form.PASSIVE),
        ("the retirement of it", "retirement", Family.RETIRE, Form.NOMINAL),
        ("now-superseded it", "superseded", Family.SUPERSEDE, Form.PARTICIPLE),
        ("(replaces it)", "replaces", Family.REPLACE, Form.ACTIVE),
        ("replaced/removed by", "replaced", Family.REPLACE, Form.PARTICIPLE),
        ("the successor of it", "successor", Family.SUCCEED, Form.NOMINAL),
        ("was succeeded by it", "succeeded", Family.SUCCEED, Form.PASSIVE),
        ("in  favour\nof it", "in  favour\nof", Family.IN_FAVOUR_OF, Form.PASSIVE),
        ("instead of it", "instead of", Family.INSTEAD_OF, Form.ACTIVE),
        ("no longer applies", "no longer applies", Family.NO_LONGER, Form.PASSIVE),
        ("it is now there", "is now", Family.IS_NOW, Form.PASSIVE),
        ("was moved to it", "moved to", Family.MOVED_TO, Form.PASSIVE),
    ],
)
def test_a_closure_word_is_found_with_its_form(text: str, word: str, family: Family, form: Form) -> None:
    assert found(text)[0] == (word, family, form)


@pytest.mark.parametrize(
    "text",
    [
        "irreplaceable",
        "replaceable",
        "superset",
        "entirely",
        "the attempt succeeded",
        "it succeeds in this",
        "supersededness",
        "0012-replace-the-cache",
        "replaced-things",
        "superseded_by",
        "_old_replaced_ memo",
        "old_replaced",
        "text.replace(a, b)",
        "replace(a, b)",
        "@deprecated",
        "docs/deprecated/limits.md",
        "deprecated/limits.md",
        "../retired/",
        "replaced.md",
        "favorable",
    ],
)
def test_a_word_inside_another_or_inside_a_name_is_none(text: str) -> None:
    assert found(text) == []


def test_marks_come_in_order_and_the_period_behind_one_is_no_file() -> None:
    assert [word for word, _, _ in found("It is obsolete. It was replaced, then retired.")] == [
        "obsolete",
        "replaced",
        "retired",
    ]


def test_a_family_begins_with_one_literal() -> None:
    for family in Family:
        assert len({marker.stem for marker in MARKERS if marker.family is family}) == 1


@pytest.mark.parametrize("letters", ["\u0130", "a\u0130b", "\u017f", "\u1e9e", "\ud800"])
def test_lowering_keeps_every_offset(letters: str) -> None:
    assert len(lower_in_place(letters)) == len(letters)


def test_lowering_keeps_the_length_of_any_text() -> None:
    @given(st.text(st.characters()))
    def check(text: str) -> None:
        assert len(lower_in_place(text)) == len(text)

    check()


def test_the_prefilter_passes_every_body_that_leaves_a_trace(bodies: st.SearchStrategy[str]) -> None:
    words = st.from_regex(
        r"(?i:super[sc]e?(ded|des|ding|ssion)|replac(e|ing|ement)|obsoletes?|deprecation|retir(ed|ing)|moved to|rescinds|merged into"
        r"|succeeds|favou?ring)",
        fullmatch=True,
    )

    @given(st.lists(bodies | words, max_size=6).map(" ".join))
    def check(text: str) -> None:
        if find_marks(lower_in_place(text), TRACED):
            assert has_marker(text.encode("utf-8", "surrogatepass"))

    check()


def test_the_prefilter_passes_each_form_in_any_case_and_no_plain_body() -> None:
    for marker in MARKERS:
        word = {"super": "supersedes", "in": "in favor of"}.get(marker.stem, marker.stem)
        if marker.family in TRACED:
            assert has_marker(f"A {word.upper()} b".encode())
    assert has_marker(b"a supercession")
    assert not has_marker(b"A plain body, about what holds instead and no longer.")
    assert not has_marker(b"")
