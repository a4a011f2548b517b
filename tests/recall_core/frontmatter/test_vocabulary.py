"""Keys that resemble the three (A16)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.frontmatter.fence import VALIDITY_KEYS
from recall_core.frontmatter.read import read_memo
from recall_core.frontmatter.vocabulary import meant_key

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("supersede", "supersedes"), ("superseded", "supersedes"), ("supercedes", "supersedes"), ("Supersedes", "supersedes"), ("super-sedes", "supersedes"),
        ("supersedes:", "supersedes"), ("spuersedes", "supersedes"), ("superssedes", "supersedes"), (" supersedes ", "supersedes"),
        ("validuntil", "valid_until"), ("valid-until", "valid_until"), ("validUntil", "valid_until"), ("Valid Until", "valid_until"), ("valid_unitl", "valid_until"),
        ("valid_form", "valid_from"), ("vaild_from", "valid_from"), ("VALID_FROM", "valid_from"), ("valid__from", "valid_from"),
        ("superseded_by", "superseded_by"), ("superseded-by", "superseded_by"), ("supersededBy", "superseded_by"), ("superceded_by", "superseded_by"),
        ("\ufeffsupersedes", "supersedes"),
    ],
)  # fmt: skip
def test_a_near_miss_is_known_for_what_it_means(name: str, meant: str) -> None:  # A16
    assert meant_key(name) == meant


@pytest.mark.parametrize(
    "name",
    [
        "",
        "super",
        "supported",
        "replaces",
        "valid",
        "until",
        "from",
        "valid_to",
        "validity",
        "supercede",
        "title",
        "date",
        "sedes",
    ],
)
def test_another_word_is_another_key(name: str) -> None:
    assert meant_key(name) is None


@given(st.sampled_from(VALIDITY_KEYS), st.data())
def test_one_edit_is_always_seen(key: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(key) - 1))
    letter = data.draw(st.sampled_from(LETTERS))
    swapped = key[:place] + key[place : place + 2][::-1] + key[place + 2 :]
    edits = [
        key[:place] + key[place + 1 :],
        key[:place] + letter + key[place:],
        key[:place] + letter + key[place + 1 :],
        swapped,
    ]
    if "_" not in key:
        assert all(meant_key(edit) == key for edit in edits)
    else:
        assert all(meant_key(edit) in VALIDITY_KEYS for edit in edits[:3])


@given(st.text(max_size=20))
def test_any_name_may_be_asked_for(name: str) -> None:
    assert meant_key(name) in (None, "superseded_by", *VALIDITY_KEYS)


def test_the_reader_keeps_near_misses_and_never_reads_them() -> None:  # A16
    memo = read_memo("a.md", b"---\nsupersede: b\nvaliduntil: 2026-01-01\nSuperseded-By: [[c]]\ntitle: x\n---\n")
    assert (memo.supersedes, memo.valid_until) == ((), None)
    assert [(key.name, key.value, tuple(key.span)) for key in memo.keys] == [
        ("supersede", "b", (2, 1, 2, 10)),
        ("validuntil", "2026-01-01", (3, 1, 3, 11)),
        ("Superseded-By", None, (4, 1, 4, 14)),
    ]
    assert [reference.key for reference in memo.keys[2].references] == ["c"]
    assert all(key.is_free for key in memo.keys)


def test_a_near_miss_beside_the_real_key_is_not_free() -> None:
    memo = read_memo("a.md", b"---\nsupersedes:\nsupersede: b\n---\n")
    assert [key.is_free for key in memo.keys] == [False]
