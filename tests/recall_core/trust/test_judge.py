"""What the judgment of a search carries and promises (BEHAVIOURS D1 to D3, D5, D9, D10, D14, E1, E6, E8)."""

import builtins
import io
import math
import os
import random
import socket
import time
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.model.hit import HitVerdict, Provenance, Validity
from recall_core.trust.explain import explain
from recall_core.trust.instants import Instants
from recall_core.trust.judge import judge
from recall_core.trust.promote import find_missing_successors
from recall_core.trust.staleness import judge_staleness
from recall_core.trust.threshold import Threshold

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
FILES = {
    "plain.md": "",
    "old.md": "",
    "new.md": "supersedes: [old, older]",
    "older.md": "",
    "twin.md": "supersedes: older",
    "expired.md": "valid_until: 2026-01-01",
    "early.md": "valid_from: 2027-01-01",
    "bad.md": "valid_from: soon",
    "x/same.md": "",
    "y/same.md": "",
    "names.md": "supersedes: same",
    "lapsed.md": "supersedes: plainer\nvalid_until: 2026-01-01",
    "plainer.md": "",
    "round.md": "supersedes: about",
    "about.md": "supersedes: round",
}
PATHS = st.sampled_from(sorted(FILES))
COSINES = st.one_of(st.none(), st.floats(-1, 1), st.sampled_from([0.6, math.nan, 0.0, math.nextafter(0.6, 0)]))
HITS = st.lists(st.tuples(PATHS, COSINES), max_size=12)
NOT_IN_FORCE = {
    "old.md", "older.md", "expired.md", "early.md", "bad.md", "x/same.md", "y/same.md", "lapsed.md", "plainer.md",
    "round.md", "about.md",
}  # fmt: skip


@pytest.fixture(scope="module")
def corpus(tools):
    return tools.World(FILES)


def test_d2_a_hit_carries_verdict_confidence_provenance_and_validity(tools, world):
    made = world({"old.md": "valid_from: 2026-01-01\nvalid_until: 2026-12-31", "new.md": "supersedes: old"})
    hit = made.search(("old.md", 0.6)).hits[0]
    assert hit.verdict is HitVerdict.SUPERSEDED
    assert hit.confidence == 0.5
    assert hit.cosine == 0.6
    assert hit.text == "A text."
    assert hit.provenance == Provenance("notes@abc", "old.md", 0, 3, 5, "Title", tools.INDEXED)
    assert hit.validity == Validity("2026-01-01", "2026-12-31", ("new.md",))


def test_d2_a_date_that_is_none_is_shown_as_it_was_written(world):
    assert world({"a.md": "valid_from: soon"}).search(("a.md", 0.9)).hits[0].validity.valid_from == "soon"


def test_the_inputs_of_a_verdict(world):
    made = world(
        {"a.md": "valid_until: 2027-01-01", "b.md": "supersedes: a", "c.md": "supersedes: b"},
        at=NOON.isoformat(),
        known_at="2026-05-31",
        recorded={"a.md": "2026-02-03"},
        threshold=Threshold(0.6, 0.05, "conformal:0.05", "cal_1", 0.58),
    )
    result = made.search(("a.md", 0.7), fetched=[("c.md", 0.2)])
    promoted, old = (explain(hit, result) for hit in result.hits)
    assert (old.cosine, old.threshold, old.published_threshold, old.scale) == (0.7, 0.6, 0.58, 0.05)
    assert (old.rule, old.calibration_id, old.calibration_status.value) == ("conformal:0.05", "cal_1", "certified")
    assert old.edge_paths == (("a.md", "b.md", "c.md"),)
    assert (old.valid_from, old.valid_until) == (None, "2027-01-01")
    assert (old.recorded.day, old.at, old.known_at.day, old.clock) == (3, NOON, 31, NOON)
    assert (old.is_readable, old.is_ambiguous, old.promoted_from, old.is_fetched) == (True, False, None, False)
    assert (promoted.promoted_from, promoted.is_fetched, promoted.cosine) == ("a.md", True, 0.2)


def test_the_published_threshold_is_the_applied_one_where_nothing_moved_it(world):
    result = world({"a.md": ""}).search(("a.md", 0.7))
    assert explain(result.hits[0], result).published_threshold == 0.6


def test_a_naive_instant_is_read_as_utc():
    """B5."""
    naive = NOON.replace(tzinfo=None)
    instants = Instants(naive, naive, naive)
    assert (instants.at, instants.clock, instants.known_at) == (NOON, NOON, NOON)


def test_d3_nothing_is_asked_of_the_world(world, monkeypatch):
    made = world(FILES)
    made.search(("old.md", 0.9))

    def refuse(*_, **__):
        raise AssertionError("the judgment asked the world")

    class NoClock(datetime):
        now = utcnow = today = refuse

    with monkeypatch.context() as patched:
        for module, name in [
            (time, "time"), (time, "monotonic"), (time, "perf_counter"), (time, "time_ns"),
            (socket, "socket"), (socket, "create_connection"),
            (builtins, "open"), (io, "open"), (os, "open"), (os, "stat"), (os, "getenv"), (random, "random"),
        ]:  # fmt: skip
            patched.setattr(module, name, refuse)
        patched.setattr("datetime.datetime", NoClock)
        result = made.search(*((path, 0.7) for path in FILES), fetched=[("new.md", 0.2)], newest=NOON)
        told = [explain(hit, result) for hit in result.hits]
        abstained = made.search(("old.md", 0.9)).reason
    assert len(told) == len(FILES)
    assert "`new.md`" in abstained


@given(hits=HITS, fetched=HITS)
def test_d3_same_in_same_out(corpus, hits, fetched):
    assert repr(corpus.search(*hits, fetched=fetched)) == repr(corpus.search(*hits, fetched=fetched))


@given(hits=HITS, fetched=HITS)
def test_no_memo_that_is_not_in_force_is_ever_ok(corpus, hits, fetched):
    """D8."""
    for hit in corpus.search(*hits, fetched=fetched).ok_hits:
        assert hit.path not in NOT_IN_FORCE
        assert hit.confidence is not None


@given(hits=HITS, fetched=HITS)
def test_d9_d10_order_and_abstention(corpus, hits, fetched):
    result = corpus.search(*hits, fetched=fetched)
    is_ok = [hit.verdict is HitVerdict.OK for hit in result.hits]
    assert is_ok == sorted(is_ok, reverse=True)
    for group in (True, False):
        kept = [
            hit.provenance.ordinal
            for hit, ok in zip(result.hits, is_ok, strict=True)
            if ok is group and not hit.is_fetched
        ]
        assert kept == sorted(kept)
    assert sorted(hit.provenance.ordinal for hit in result.hits if not hit.is_fetched) == list(range(len(hits)))
    assert result.abstained is (True not in is_ok)
    assert bool(result.reason) is result.abstained
    assert (result.reason_code is not None) is result.abstained


@given(hits=HITS, fetched=HITS)
def test_an_ok_hit_clears_the_threshold_or_stands_for_one_that_does(corpus, hits, fetched):
    """D6, D7."""
    near = {path for path, cosine in hits if cosine is not None and cosine >= 0.6}
    for hit in corpus.search(*hits, fetched=fetched).ok_hits:
        if hit.promoted_from is None:
            assert hit.confidence >= 0.5
        else:
            assert hit.promoted_from in near
            assert hit.path in {each.path for each in corpus.standings[hit.promoted_from].successors}
        assert not hit.is_fetched or hit.path not in {path for path, _ in hits}


@given(hits=HITS)
def test_d5_a_replaced_memo_never_stands_before_its_successor_in_force(corpus, hits):
    wanted = find_missing_successors(
        [corpus.candidate(path, cosine) for path, cosine in hits], corpus.instants, corpus.threshold
    )
    result = corpus.search(*hits, fetched=[(path, -1.0) for path in wanted])
    places = {}
    for place, hit in enumerate(result.hits):
        places.setdefault(hit.path, place)
    for place, hit in enumerate(result.hits):
        if hit.path == "old.md" and hit.confidence is not None and hit.cosine >= 0.6 and "new.md" in places:
            has_cosine = any(each.path == "new.md" and each.confidence is not None for each in result.hits)
            assert places["new.md"] < place or not has_cosine


@given(hits=HITS, data=st.data())
def test_a_higher_cosine_never_makes_a_hit_worse(corpus, hits, data):
    """Monotone: raising every cosine by the same amount keeps every `OK` hit `OK`."""
    hits = [(path, cosine) for path, cosine in hits if cosine is not None and not math.isnan(cosine)]
    raise_by = data.draw(st.floats(0, 1))
    lower = {hit.provenance.ordinal for hit in corpus.search(*hits).ok_hits if hit.promoted_from is None}
    higher = {hit.provenance.ordinal for hit in corpus.search(*((p, c + raise_by) for p, c in hits)).ok_hits}
    assert lower <= higher


def test_only_the_nearest_chunk_of_a_retrieved_successor_is_lifted(world):
    made = world({"old.md": "", "new.md": "supersedes: old"})
    result = made.search(("old.md", 0.9), ("new.md", 0.2), ("new.md", 0.4), ("new.md", 0.3))
    assert [(hit.path, hit.cosine, hit.verdict.value) for hit in result.hits] == [
        ("new.md", 0.4, "ok"),
        ("old.md", 0.9, "superseded"),
        ("new.md", 0.2, "low_confidence"),
        ("new.md", 0.3, "low_confidence"),
    ]
    result = made.search(("old.md", 0.9), ("new.md", 0.2), ("new.md", 0.7))
    assert [hit.cosine for hit in result.ok_hits] == [0.7]


def test_a_promoted_hit_keeps_its_own_numbers(world):
    made = world({"old.md": "", "new.md": "supersedes: old"})
    alone = made.search(("new.md", 0.4)).hits[0]
    promoted = made.search(("old.md", 0.9), ("new.md", 0.4)).hits[0]
    assert (promoted.cosine, promoted.confidence) == (alone.cosine, alone.confidence)
    assert promoted.confidence < 0.5


def test_a_successor_that_was_looked_up_is_named_with_its_window(world):
    made = world({"old.md": "", "new.md": "supersedes: old\nvalid_until: 2026-01-01"})
    assert "expired" not in made.search(("old.md", 0.9)).reason
    assert "expired" in made.search(("old.md", 0.9), standings=made.standings).reason


def test_several_successors_none_in_force_each_with_its_own_reason(world):
    made = world(
        {
            "old.md": "",
            "x.md": "supersedes: old\nvalid_until: 2026-01-01",
            "y.md": "supersedes: old\nvalid_from: 2027-01-01",
        }
    )
    reason = made.search(("old.md", 0.9), standings=made.standings).reason
    assert "`x.md` expired" in reason
    assert "`y.md` is not yet valid" in reason


def test_several_successors_with_one_reason_share_it(world):
    both = "supersedes: old\nvalid_from: soon"
    made = world({"old.md": "", "x.md": both, "y.md": both})
    reason = made.search(("old.md", 0.9), standings=made.standings).reason
    assert "`x.md` and `y.md`, each of which has frontmatter that cannot be read" in reason


def test_e1_exactly_a_half_at_the_threshold():
    assert Threshold(0.6, 0.05).confidence(0.6) == 0.5


@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(-1, 1), st.floats(5e-324, 1e308))
def test_e1_confidence_is_monotone_and_never_overflows(value, one, other, scale):
    threshold = Threshold(value, scale)
    low, high = (threshold.confidence(cosine) for cosine in sorted((one, other)))
    assert 0.0 <= low <= high <= 1.0
    assert threshold.confidence(value) == 0.5
    for cosine in (one, other):
        assert threshold.is_cleared_by(cosine) == (cosine >= value)
        assert not threshold.is_cleared_by(cosine) or threshold.confidence(cosine) >= 0.5


@pytest.mark.parametrize(
    ("value", "scale"),
    [(math.nan, 0.05), (math.inf, 0.05), (-math.inf, 0.05), (0.6, 0.0), (0.6, -1.0), (0.6, math.nan), (0.6, math.inf)],
)
def test_e8_a_number_that_would_disable_abstention_is_no_threshold(value, scale):
    with pytest.raises(ValueError, match="finite"):
        Threshold(value, scale)


def test_e8_a_cosine_that_is_no_number_clears_nothing():
    assert Threshold(0.6, 0.05).confidence(math.nan) is None
    assert not Threshold(-1.0, 0.05).is_cleared_by(math.nan)
    assert not Threshold(-1.0, 0.05).is_cleared_by(None)


DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("newest", "is_stale", "age"),
    [
        (None, True, None),
        (NOON - 8 * DAY, True, 8 * 86400),
        (NOON - 7 * DAY - timedelta(microseconds=1), True, 7 * 86400 + 1e-6),
        (NOON - 7 * DAY, False, 7 * 86400),
        (NOON, False, 0),
        (NOON + DAY, False, 0),
        ((NOON - DAY).replace(tzinfo=None), False, 86400),
    ],
    ids=["never-indexed", "older", "a-moment-older", "exactly", "now", "another-clock", "naive"],
)
def test_d14_staleness(newest, is_stale, age):
    found = judge_staleness(newest, clock=NOON, max_age=7 * DAY)
    assert (found.is_stale, found.age_seconds, found.max_age_seconds) == (is_stale, age, 7 * 86400)


def test_d14_staleness_does_not_look_at_hits_nor_at_valid_time(world):
    made = world({"a.md": ""})
    for hits in ((), (("a.md", 0.9),)):
        assert made.search(*hits, newest=NOON - 400 * DAY, max_age=7 * DAY).staleness.is_stale
    instants = Instants(NOON - 400 * DAY, NOON)
    result = judge(
        [], grounds=made.search().grounds, threshold=made.threshold, instants=instants, newest=NOON, max_age=DAY
    )
    assert not result.staleness.is_stale
    assert judge_staleness(NOON - 400 * DAY, clock=NOON, max_age=None).is_stale is False


class Counting(dict):
    """A mapping that counts what is read from it."""

    reads = 0

    def __getitem__(self, key):
        self.reads += 1
        return super().__getitem__(key)

    def keys(self):
        raise AssertionError("the whole corpus was read")

    __iter__ = items = values = keys

    def get(self, key, default=None):
        self.reads += 1
        return super().get(key, default)


def test_only_the_successors_of_the_best_hit_are_looked_up(world):
    made = world({"old.md": "", "new.md": "supersedes: old\nvalid_until: 2026-01-01"})
    standings = Counting(made.standings)
    assert "expired" in made.search(("old.md", 0.9), standings=standings).reason
    assert standings.reads <= 2
