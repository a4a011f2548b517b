"""The entailer without a model."""

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.trust.lexical_span import LexicalSpanEntailer

TEXT = """The gateway in Oslo allows 300 requests a minute for every client.

The limit was raised by Ada Berg in 2024. Clients that sign their requests are never throttled."""


def decide(query, text=TEXT):
    return LexicalSpanEntailer().entail(query, [text])[0]


@pytest.mark.parametrize(
    "query",
    [
        "How many requests does the gateway in Oslo allow a minute?",
        "Who raised the limit in 2024?",
        "what did Ada Berg do to the limits?",
        "Which clients are never throttled?",
        "Is Ada Berg's limit still there?",
    ],
)
def test_a_text_that_answers(query):
    decision = decide(query)
    assert decision.is_entailed
    assert 0.2 <= decision.score <= 1.0


@pytest.mark.parametrize(
    "query",
    [
        "How many requests does the gateway in Bergen allow a minute?",
        "Who raised the limit in 2023?",
        "Who raised the limit on the advice of Kari Nordmann?",
        "why?",
        "",
    ],
    ids=["another-place", "another-year", "another-person", "no-content", "empty"],
)
def test_a_text_about_something_else(query):
    assert decide(query) == decide(query)
    assert (decide(query).is_entailed, decide(query).score) == (False, 0.0)


def test_a_question_that_negates_needs_a_text_that_does():
    assert decide("Which clients are not throttled?").is_entailed
    assert not decide("Which clients are not throttled?", "Clients that sign their requests are throttled.").is_entailed


def test_words_that_are_far_apart_count_less_than_close_ones():
    near = "The red limit of the gateway holds. It is old. It is small. It is odd."
    far = "The red lamp is on. It is old. It is small. The limit holds. It is odd. It is tall. The gateway is up."
    query = "is there a red limit in the gateway"
    assert decide(query, far).score < decide(query, near).score == 1.0


def test_the_least_share_decides():
    query = "limits of the warehouse, the courtyard and the lighthouse"
    score = decide(query).score
    assert 0.0 < score < 0.2
    assert not decide(query).is_entailed
    assert LexicalSpanEntailer(least_share=score).entail(query, [TEXT])[0].is_entailed


@given(st.text(max_size=80), st.lists(st.text(max_size=200), max_size=4))
def test_one_decision_for_each_text_whatever_it_is(query, texts):
    decisions = LexicalSpanEntailer().entail(query, texts)
    assert len(decisions) == len(texts)
    assert all(0.0 <= each.score <= 1.0 for each in decisions)
    assert decisions == [LexicalSpanEntailer().entail(query, [text])[0] for text in texts]


def test_near_misses_are_a_fifth_fewer_at_ten_points_of_coverage(shared):
    """Its own two error rates, on half of the pairs."""
    folder = shared / "data" / "squad2-dev-half"
    texts = {row["id"]: row["text"] for row in map(json.loads, (folder / "docs.jsonl").read_text("utf-8").splitlines())}
    entailed = {True: [], False: []}
    for row in map(json.loads, (folder / "queries.jsonl").read_text("utf-8").splitlines()):
        place = (row["relevant_ids"] or [row["near_miss_id"]])[0]
        if place is None or int(hashlib.md5(row["id"].encode()).hexdigest(), 16) % 2:
            continue
        entailed[row["answerable"]].append(decide(row["query"], texts[place]).is_entailed)
    assert min(map(len, entailed.values())) > 500
    assert sum(entailed[True]) / len(entailed[True]) >= 0.90
    assert sum(entailed[False]) / len(entailed[False]) <= 0.80
