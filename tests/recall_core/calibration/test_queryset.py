"""The labelled query set: what it accepts, what it refuses where, and its digest (H1)."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.calibration.queryset import Kind, build_query_set, parse_query_set
from recall_core.errors import UsageError

ENTRIES: list[dict[str, Any]] = [
    {"query": "What is the API limit?", "answerable": True, "relevant_ids": ["b.md", "a.md", "b.md"]},
    {"query": "Which habitat is used on Mars?", "answerable": False, "kind": "far"},
    {"query": "Who signs?", "answerable": True},
]


def test_the_example_of_the_reference_is_read() -> None:
    first, second, _ = build_query_set(ENTRIES)
    assert (first.query, first.answerable, first.relevant_ids, first.kind) == (
        "What is the API limit?",
        True,
        ("a.md", "b.md"),
        None,
    )
    assert (second.answerable, second.kind) == (False, Kind.FAR)


@given(st.randoms(use_true_random=False))
def test_the_digest_ignores_both_orders_and_repeated_ids(chance: random.Random) -> None:
    """H1."""
    entries = [dict(entry) for entry in ENTRIES]
    chance.shuffle(entries)
    for entry in entries:
        ids = [*entry.get("relevant_ids", [])]
        chance.shuffle(ids)
        entry["relevant_ids"] = ids + ids[:1]
    assert build_query_set(entries).digest == build_query_set(ENTRIES).digest


def test_the_digest_is_the_same_for_ever() -> None:
    """It is stored beside measurements; the hash of the canonical JSON, taken with sha256sum."""
    one = build_query_set([{"query": "Wer?", "answerable": True}])
    assert one.digest == "sha256:95fad48c0f3034f7278d70149265b97dccc452d71e3bfac52dda16b38f7c3429"


@pytest.mark.parametrize(
    "change",
    [
        {"query": "What is the API limit"},
        {"answerable": False},
        {"relevant_ids": ["a.md"]},
        {"relevant_ids": []},
    ],
    ids=str,
)
def test_whatever_is_said_counts(change: dict[str, Any]) -> None:
    assert build_query_set([{**ENTRIES[0], **change}]).digest != build_query_set(ENTRIES[:1]).digest


def test_two_spellings_of_one_text_are_one_query() -> None:
    composed, decomposed = (
        build_query_set([{"query": text, "answerable": True}]) for text in ("Gr\u00fcn? ", "Gru\u0308n?")
    )
    assert composed.digest == decomposed.digest


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ([], "the query set is empty"),
        ({}, "a JSON array"),
        ("text", "a JSON array"),
        ([1], "entry 1: an entry is a JSON object"),
        ([ENTRIES[0], {"answerable": True}], "entry 2: `query` is a text"),
        ([{"query": "", "answerable": True}], "entry 1: `query` is a text"),
        ([{"query": " \n", "answerable": True}], "entry 1: `query` is a text"),
        ([{"query": 3, "answerable": True}], "entry 1: `query` is a text"),
        ([{"query": "x" * 8193, "answerable": True}], "longer than 8192"),
        ([{"query": "a\0b", "answerable": True}], "NUL"),
        ([{"query": "a\ud800b", "answerable": True}], "surrogate"),
        ([{"query": "a"}], "`answerable` is `true` or `false`"),
        ([{"query": "a", "answerable": "true"}], "`answerable` is `true` or `false`"),
        ([{"query": "a", "answerable": 1}], "`answerable` is `true` or `false`"),
        ([{"query": "a", "answerable": None}], "`answerable` is `true` or `false`"),
        ([{"query": "a", "answerable": True, "relevant_ids": "a.md"}], "an array of memo paths"),
        ([{"query": "a", "answerable": True, "relevant_ids": [""]}], "an array of memo paths"),
        ([{"query": "a", "answerable": True, "relevant_ids": [1]}], "an array of memo paths"),
        ([{"query": "a", "answerable": False, "kind": "distant"}], "`kind` is `far`, `mid` or `near`"),
        ([{"query": "a", "answerable": True, "kind": "far"}], "unanswerable queries alone"),
        ([{"query": "a", "answerabel": True}], "there is no field `answerabel`"),
        (
            [ENTRIES[2], ENTRIES[1], {"query": "Who signs? ", "answerable": True}],
            "entries 1 and 3 label the same query",
        ),
        ([ENTRIES[2], {"query": "Who signs?", "answerable": False}], "entries 1 and 2 label the same query"),
    ],
)
def test_what_is_no_query_set_is_refused_with_place_and_reason(entries: object, said: str) -> None:
    """H1."""
    with pytest.raises(UsageError, match=r"queries\.json") as caught:
        build_query_set(entries, "queries.json")
    assert said in caught.value.message
    assert caught.value.help


def test_a_misspelt_field_is_guessed() -> None:
    with pytest.raises(UsageError) as caught:
        build_query_set([{"query": "a", "answerabel": True}])
    assert caught.value.help == "did you mean `answerable`?"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "q.json:1:1: this is not JSON"),
        ("[\n {]", "q.json:2:3: this is not JSON"),
        ('[{"query": "a", "query": "b", "answerable": true}]', "same key twice"),
        ('[{"query": "a", "answerable": NaN}]', "NaN is no JSON"),
        ("[" * 100_000, "q.json"),
    ],
    ids=["empty", "place", "twice", "constant", "deep"],
)
def test_what_is_no_json_is_refused_at_its_place(text: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_query_set(text, "q.json")
    assert said in caught.value.message


def test_a_file_name_cannot_speak_to_the_terminal() -> None:
    with pytest.raises(UsageError) as caught:
        parse_query_set("", "q\x1b[2J.json")
    assert "\x1b" not in caught.value.message


def test_the_canonical_form_is_read_back_as_the_same_set() -> None:
    queries = build_query_set(ENTRIES)
    assert parse_query_set("\ufeff" + json.dumps(queries.to_json())) == queries
