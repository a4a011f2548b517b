"""The entailment stage (BEHAVIOURS F1 to F6, D17)."""

import dataclasses
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.errors import EntailerError, UnavailableError
from recall_core.model.hit import HitVerdict
from recall_core.trust.entail import Decision, apply_entailment

FILES = {
    "a.md": "",
    "b.md": "",
    "old.md": "",
    "new.md": "supersedes: old",
    "expired.md": "valid_until: 2026-01-01",
    "x/same.md": "",
    "y/same.md": "",
    "names.md": "supersedes: same",
}
HITS = st.lists(st.tuples(st.sampled_from(sorted(FILES)), st.floats(-1, 1)), max_size=10)


class Recorded:
    """An entailer that answers as it was told, and remembers what it was asked."""

    def __init__(self, *answers):
        self.answers, self.asked = answers, []

    def entail(self, query, texts):
        self.asked.append((query, list(texts)))
        return [Decision(answer, float(answer)) for answer in self.answers]


class Always:
    def __init__(self, answer):
        self.answer = answer

    def entail(self, _query, texts):
        return [Decision(self.answer, 1.0)] * len(texts)


@pytest.fixture
def corpus(world):
    return world(FILES)


def verdicts(result):
    return [(hit.path, hit.verdict.value) for hit in result.hits]


def test_f1_without_the_stage_nothing_is_entailed_or_not(corpus):
    result = corpus.search(("a.md", 0.9), ("expired.md", 0.8))
    assert [hit.entailment for hit in result.hits] == [None, None]


def test_f2_only_ok_hits_are_judged_in_one_call(corpus):
    result = corpus.search(("expired.md", 0.95), ("a.md", 0.9), ("b.md", 0.1), ("old.md", 0.8), ("new.md", 0.2))
    entailer = Recorded(True, True)
    judged = apply_entailment(result, "why?", entailer)
    assert entailer.asked == [("why?", ["Title\n\nA text.", "Title\n\nA text."])]
    assert verdicts(judged) == verdicts(result)
    assert [hit.entailment for hit in judged.hits] == [1.0, 1.0, None, None, None]


def test_f2_no_call_when_none_is_ok(corpus):
    result = corpus.search(("expired.md", 0.95), ("a.md", 0.1))
    entailer = Recorded()
    assert apply_entailment(result, "why?", entailer) is result
    assert entailer.asked == []


def test_f2_no_call_for_what_is_unverified(tools, world):
    result = world({"a.md": ""}, threshold=None).search(("a.md", 0.9), grounds=tools.make_grounds(is_strict=False))
    entailer = Recorded()
    assert apply_entailment(result, "why?", entailer) is result
    assert entailer.asked == []


def test_f3_what_is_not_entailed_goes_behind(corpus):
    result = apply_entailment(
        corpus.search(("a.md", 0.9), ("b.md", 0.8), ("expired.md", 0.95)), "why?", Recorded(False, True)
    )
    assert verdicts(result) == [("b.md", "ok"), ("a.md", "not_entailed"), ("expired.md", "expired")]
    assert (result.abstained, result.reason) == (False, "")


def test_f3_none_left_abstains_as_a_near_miss(corpus):
    result = apply_entailment(
        corpus.search(("a.md", 0.9), ("b.md", 0.8), ("expired.md", 0.95)), "why?", Recorded(False, False)
    )
    assert verdicts(result) == [("a.md", "not_entailed"), ("b.md", "not_entailed"), ("expired.md", "expired")]
    assert result.reason_code == "not_entailed"
    assert result.reason == "the best match, `a.md`, is near the question but does not answer it"


def test_d17_a_near_miss_quotes_its_name(world):
    path = "a`\u202e\n'\".md"
    result = apply_entailment(world({path: ""}).search((path, 0.9)), "why?", Recorded(False))
    assert r"`a\x60\u202e\n\x27\x22.md`" in result.reason


@pytest.mark.parametrize("answers", [(), (True,), (True, True, True)])
def test_f4_a_wrong_number_of_decisions_raises(corpus, answers):
    with pytest.raises(EntailerError, match=f"decided on {len(answers)} of 2") as raised:
        apply_entailment(corpus.search(("a.md", 0.9), ("b.md", 0.8)), "why?", Recorded(*answers))
    assert isinstance(raised.value, UnavailableError)
    assert raised.value.help


@pytest.mark.parametrize("score", [math.nan, math.inf])
def test_a_score_that_is_no_number_raises(corpus, score):
    class Odd:
        def entail(self, _query, texts):
            return [Decision(True, score)] * len(texts)

    with pytest.raises(EntailerError, match="finite"):
        apply_entailment(corpus.search(("a.md", 0.9)), "why?", Odd())


def test_f5_nothing_but_verdict_and_score_changes(corpus):
    before = corpus.search(("a.md", 0.9), ("old.md", 0.8), ("new.md", 0.2), newest=corpus.instants.at)
    after = apply_entailment(before, "why?", Recorded(False, False))
    unchanged = [field.name for field in dataclasses.fields(before) if field.name not in ("hits", "abstention")]
    assert [getattr(before, name) for name in unchanged] == [getattr(after, name) for name in unchanged]
    own = {hit.provenance.ordinal: hit for hit in before.hits}
    for hit in after.hits:
        original = own[hit.provenance.ordinal]
        assert dataclasses.replace(hit, verdict=original.verdict, entailment=None) == original


@given(hits=HITS, wanted=st.lists(st.booleans(), min_size=10, max_size=10))
def test_f6_the_stage_never_raises_the_number_of_ok_hits(tools, hits, wanted):
    before = tools.World(FILES).search(*hits)

    class Some:
        def entail(self, _query, texts):
            return [Decision(wanted[place], 0.0) for place in range(len(texts))]

    after = apply_entailment(before, "why?", Some())
    was_ok = {hit.provenance.ordinal for hit in before.ok_hits}
    assert {hit.provenance.ordinal for hit in after.ok_hits} <= was_ok
    for hit in after.hits:
        assert (hit.verdict is HitVerdict.NOT_ENTAILED) <= (hit.provenance.ordinal in was_ok)
    assert {h.provenance.ordinal: h.verdict for h in after.hits if h.provenance.ordinal not in was_ok} == {
        h.provenance.ordinal: h.verdict for h in before.hits if h.provenance.ordinal not in was_ok
    }
    assert after.abstained is (not after.ok_hits)
    assert before.abstained <= after.abstained


def test_f6_a_replaced_memo_stays_replaced_whatever_the_entailer_says(corpus):
    result = apply_entailment(corpus.search(("old.md", 0.9), ("x/same.md", 0.9)), "why?", Always(True))
    assert [hit.verdict.value for hit in result.hits] == ["superseded", "ambiguous_supersession"]
    assert result.abstained
