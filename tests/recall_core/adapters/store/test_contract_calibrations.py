"""The life of a calibration, on every store (BEHAVIOURS H2-H14, I11)."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from recall_core.calibration.artifact import Lineage, State
from recall_core.calibration.artifact_json import seal
from recall_core.calibration.bundle import Bundle, parse_bundle, render_bundle
from recall_core.calibration.queryset import build_query_set
from recall_core.calibration.status import Resolution, resolve
from recall_core.calibration.stored import Origin, StoredCalibration
from recall_core.errors import ConflictError, RefusedError, UsageError
from recall_core.generation.states import State as GenerationState
from recall_core.model.calibration import CalibrationStatus, FailureCode
from recall_core.ports.store import Generation

FILES = {"a.md": "Zebra one.\n", "b.md": "Zebra two.\n", "c.md": "A quagga.\n"}


class Desk:
    """What these tests do with one tenant of one store."""

    def __init__(self, shelf, measure: Callable[..., Bundle]) -> None:
        self.shelf, self.tenant, self.measure = shelf, shelf.tenant, measure
        self.kept = shelf.store.calibrations

    def save(self, generation: Generation, seed: int = 0, **options: object) -> StoredCalibration:
        bundle = self.measure(generation.binding, seed, **options)
        return self.put(bundle)

    def put(self, bundle: Bundle, origin: Origin = Origin.MEASURED, actor: str = "measurer") -> StoredCalibration:
        return self.kept.save(self.tenant, bundle, origin=origin, actor=actor)

    def publish(self, stored: StoredCalibration, actor: str = "publisher") -> StoredCalibration:
        return self.kept.publish(self.tenant, stored.id, actor=actor)

    def state(self, stored: StoredCalibration) -> State:
        found = self.kept.calibration(self.tenant, stored.id)
        assert found is not None
        return found.state

    def resolve(self, generation: Generation, *, serving: Lineage | None = None, known_at=None) -> Resolution:
        """As a search does, inside its snapshot."""
        with self.shelf.store.snapshot(self.tenant, generation.id) as snapshot:
            here = snapshot.generation.binding
            return resolve(snapshot.calibrations(known_at), here, serving or here.lineage)

    def status(self, generation: Generation, **options: object) -> CalibrationStatus:
        return self.resolve(generation, **options).status

    def trail(self) -> list[tuple[str, str, object]]:
        """Who did what to which calibration."""
        return [
            (each.actor, each.action.removeprefix("calibration_"), each.detail["calibration"])
            for each in self.kept.events(self.tenant)
            if each.action.startswith("calibration_")
        ]

    def look(self, generation: str) -> Generation:
        found = self.shelf.store.generation(self.tenant, generation)
        assert found is not None
        return found


@pytest.fixture
def desk(shelf, measure) -> Desk:
    return Desk(shelf, measure)


@pytest.fixture
def generation(shelf) -> Generation:
    return shelf.build(FILES)


def test_h3_a_draft_is_stored_and_not_served_until_it_is_published(desk, generation):
    bundle = desk.measure(generation.binding)
    draft = desk.put(bundle)
    assert (draft.state, draft.artifact, draft.labels) == (State.DRAFT, bundle.artifact, bundle.queries.digest)
    assert (draft.origin, draft.stored_by, draft.published_at) == (Origin.MEASURED, "measurer", None)
    assert draft.stored_at.utcoffset() == timedelta(0)
    assert desk.resolve(generation).failure is FailureCode.CALIBRATION_UNCERTIFIED
    published = desk.publish(draft)
    assert published == replace(draft, state=State.PUBLISHED, published_at=published.published_at)
    assert published.published_at >= draft.stored_at
    found = desk.resolve(generation)
    assert (found.status, found.artifact, found.failure) == (CalibrationStatus.CERTIFIED, bundle.artifact, None)
    assert desk.kept.calibration(desk.tenant, draft.id) == published
    assert desk.kept.calibrations(desk.tenant) == desk.kept.calibrations(desk.tenant, generation.id) == [published]


def test_h3_what_cannot_be_published_is_stored_all_the_same(desk, generation):
    rejected = desk.save(generation, apart=False)
    with pytest.raises(RefusedError):
        desk.publish(rejected)
    assert desk.kept.calibration(desk.tenant, rejected.id) == rejected


def test_h2_rejected_evidence_is_kept_and_never_published(desk, generation):
    rejected = desk.save(generation, apart=False)
    assert rejected.state is State.REJECTED
    assert desk.trail() == [("measurer", "created", rejected.id), ("measurer", "rejected", rejected.id)]
    with pytest.raises(RefusedError, match="evidence") as caught:
        desk.publish(rejected)
    assert "recall calibration show" in caught.value.help
    assert desk.state(rejected) is State.REJECTED
    assert desk.status(generation) is CalibrationStatus.REJECTED
    assert len(desk.trail()) == 2


def test_h4_publishing_supersedes_the_former_one_and_keeps_it(desk, generation):
    first, second = desk.save(generation, 1), desk.save(generation, 2)
    desk.publish(first)
    published = desk.publish(second)
    kept = {each.id: each for each in desk.kept.calibrations(desk.tenant, generation.id)}
    assert {each.state for each in kept.values()} == {State.PUBLISHED, State.SUPERSEDED}
    assert kept[first.id].ended_at == published.published_at
    assert kept[first.id].artifact == first.artifact
    assert desk.resolve(generation).artifact == second.artifact
    assert [each.id for each in desk.kept.calibrations(desk.tenant)] == [second.id, first.id]


def test_h4_what_was_superseded_is_not_published_again(desk, generation):
    first, second = desk.save(generation, 1), desk.save(generation, 2)
    desk.publish(first)
    desk.publish(second)
    with pytest.raises(RefusedError, match="superseded") as caught:
        desk.publish(first)
    assert "recall calibrate" in caught.value.help
    assert desk.state(second) is State.PUBLISHED


def test_h4_many_who_publish_at_once_leave_exactly_one(desk, generation, rounds):
    for turn in range(rounds):
        drafts = [desk.save(generation, 10 * turn + each) for each in range(4)]

        def attempt(draft):
            try:
                return desk.publish(draft)
            except ConflictError:
                return None

        with ThreadPoolExecutor(len(drafts)) as pool:
            won = [each.id for each in pool.map(attempt, drafts) if each is not None]
        states = {each.id: each.state for each in desk.kept.calibrations(desk.tenant, generation.id)}
        published = [name for name, state in states.items() if state is State.PUBLISHED]
        assert won
        assert len(published) == 1
        assert published[0] in won
        assert all(states[name] is State.SUPERSEDED for name in won if name not in published)
        assert desk.status(generation) is CalibrationStatus.CERTIFIED


def test_publishing_twice_is_publishing_once(desk, generation):
    published = desk.publish(desk.save(generation))
    before = desk.trail()
    assert desk.publish(published) == published
    assert desk.trail() == before


def test_saving_twice_is_saving_once(desk, generation):
    published = desk.publish(desk.save(generation))
    before = desk.trail()
    assert desk.save(generation) == published
    assert desk.trail() == before
    assert len(desk.kept.calibrations(desk.tenant)) == 1


def test_h13_each_change_leaves_an_event_with_who_did_it(desk, generation):
    created = desk.put(desk.measure(generation.binding, 1), actor="ada")
    imported = desk.put(desk.measure(generation.binding, 2), Origin.IMPORTED, actor="bob")
    uncertified = desk.put(desk.measure(generation.binding, 3, apart=False), Origin.IMPORTED, actor="cyd")
    aside = desk.put(desk.measure(generation.binding, 4), actor="dan")
    desk.publish(created, actor="eve")
    desk.publish(imported, actor="fay")
    desk.kept.reject(desk.tenant, aside.id, actor="gus")
    legacy = desk.kept.save_legacy(desk.tenant, "{}", actor="hal")
    assert desk.trail() == [
        ("ada", "created", created.id),
        ("bob", "imported", imported.id),
        ("cyd", "imported", uncertified.id),
        ("cyd", "rejected", uncertified.id),
        ("dan", "created", aside.id),
        ("eve", "published", created.id),
        ("fay", "superseded", created.id),
        ("fay", "published", imported.id),
        ("gus", "rejected", aside.id),
        ("hal", "imported", legacy.id),
    ]
    events = [each for each in desk.kept.events(desk.tenant) if each.action.startswith("calibration_")]
    assert {each.generation for each in events[:-1]} == {generation.id}
    assert events[-1].generation is None
    assert events[6].detail == {"calibration": created.id, "by": imported.id}
    assert events[7].detail == {"calibration": imported.id, "over": created.id}
    assert all(each.at.utcoffset() == timedelta(0) for each in events)


def test_a_draft_can_be_set_aside(desk, generation):
    draft = desk.save(generation)
    rejected = desk.kept.reject(desk.tenant, draft.id, actor="x")
    assert (rejected.state, rejected.artifact) == (State.REJECTED, draft.artifact)
    assert desk.kept.reject(desk.tenant, draft.id, actor="y") == rejected
    with pytest.raises(RefusedError):
        desk.publish(draft)
    published = desk.publish(desk.save(generation, 2))
    with pytest.raises(RefusedError, match="is published"):
        desk.kept.reject(desk.tenant, published.id, actor="x")
    desk.publish(desk.save(generation, 3))
    for each in (published, desk.kept.save_legacy(desk.tenant, "{}", actor="x")):
        with pytest.raises(RefusedError):
            desk.kept.reject(desk.tenant, each.id, actor="x")


def test_h5_an_import_is_a_draft_whatever_it_was_where_it_comes_from(desk, generation):
    text = render_bundle(desk.measure(generation.binding))
    imported = desk.put(parse_bundle(text), Origin.IMPORTED)
    assert (imported.state, imported.origin) == (State.DRAFT, Origin.IMPORTED)
    assert desk.status(generation) is CalibrationStatus.DRAFT
    exported = desk.kept.calibration(desk.tenant, imported.id)
    queries = desk.kept.query_set(desk.tenant, exported.artifact.query_set_digest)
    assert render_bundle(Bundle(exported.artifact, queries)) == text


@pytest.mark.parametrize(
    "change",
    [
        {"tenant": "another"},
        {"embedder": "another"},
        {"dimension": 3},
        {"pipeline_fingerprint": "sha256:another"},
        {"corpus_fingerprint": "sha256:another"},
    ],
    ids=lambda change: next(iter(change)),
)
@pytest.mark.parametrize("origin", Origin)
def test_h6_evidence_about_something_else_is_refused(desk, generation, change, origin):
    # H11: the embedder's model and dimension are part of it.
    with pytest.raises(RefusedError, match="measured on another"):
        desk.put(desk.measure(replace(generation.binding, **change)), origin)
    assert desk.kept.calibrations(desk.tenant) == []
    assert desk.trail() == []


def test_h6_other_labels_are_refused(desk, generation):
    bundle = desk.measure(generation.binding)
    other = build_query_set([{"query": "x", "answerable": True}])
    with pytest.raises(RefusedError, match="labels"):
        desk.put(replace(bundle, queries=other), Origin.IMPORTED)
    assert desk.kept.query_set(desk.tenant, other.digest) is None


def test_numbers_that_do_not_follow_from_the_scores_are_refused(desk, generation):
    bundle = desk.measure(generation.binding)
    lower = replace(bundle.artifact, placement=replace(bundle.artifact.placement, threshold=0.0))
    with pytest.raises(RefusedError, match="contradicts itself"):
        desk.put(replace(bundle, artifact=seal(lower)), Origin.IMPORTED)


def test_h7_a_file_of_the_former_format_is_kept_and_never_selected(desk, generation):
    text = '{"embedder": "words@1", "threshold": 0.1, "scale": 0.1, "note": "é\\ud800 \\u0000"}'
    legacy = desk.kept.save_legacy(desk.tenant, text, actor="x")
    assert (legacy.state, legacy.legacy, legacy.artifact) == (State.LEGACY_UNBOUND, text, None)
    assert (legacy.generation, legacy.labels, legacy.origin) == (None, None, Origin.IMPORTED)
    assert desk.kept.save_legacy(desk.tenant, text, actor="y") == legacy
    found = desk.resolve(generation)
    assert (found.status, found.artifact) == (CalibrationStatus.LEGACY, None)
    with pytest.raises(RefusedError, match="former format"):
        desk.publish(legacy)
    assert desk.kept.calibrations(desk.tenant, generation.id) == []
    assert desk.kept.last_published(desk.tenant) is None
    desk.publish(desk.save(generation))
    assert desk.status(generation) is CalibrationStatus.CERTIFIED


def test_h8_a_new_generation_is_missing_until_it_is_measured(desk, shelf, generation):
    published = desk.publish(desk.save(generation))
    rebuilt = shelf.build(FILES)
    assert desk.resolve(rebuilt).failure is FailureCode.CALIBRATION_MISSING
    # The evidence is about the other one, even though the corpus is the same.
    moved = replace(published.artifact, binding=rebuilt.binding)
    assert published.artifact.binding.corpus_fingerprint == moved.binding.corpus_fingerprint
    last = desk.kept.last_published(desk.tenant)
    assert last == published
    labels = desk.kept.query_set(desk.tenant, last.artifact.query_set_digest)
    again = desk.measure(rebuilt.binding, 5)
    assert labels == again.queries
    assert [each.cosine for each in again.artifact.samples] != [each.cosine for each in last.artifact.samples]
    desk.publish(desk.put(again))
    assert desk.status(rebuilt) is desk.status(generation) is CalibrationStatus.CERTIFIED
    assert desk.kept.last_published(desk.tenant).generation == rebuilt.id


def test_h8_the_last_published_one_may_be_superseded_by_its_time_and_not_by_its_place(desk, shelf, generation):
    first, second = desk.save(generation, 1, labels="one"), desk.save(generation, 2, labels="two")
    desk.publish(second)
    assert desk.kept.last_published(desk.tenant).id == second.id
    desk.publish(first)
    assert desk.kept.last_published(desk.tenant).id == first.id
    for stored in (first, second):
        assert desk.kept.query_set(desk.tenant, stored.labels).digest == stored.labels
    assert desk.kept.query_set(desk.tenant, "sha256:none") is None


def test_h9_forgetting_makes_stale_and_unpublishable_and_a_rebuild_carries_it_on(desk, shelf, generation):
    shelf.promote(generation)
    other = shelf.build({"a.md": FILES["a.md"]})
    draft, published = desk.save(generation, 1), desk.publish(desk.save(generation, 2))
    kept_of_other = desk.publish(desk.save(other, 3))
    shelf.forget("c.md")
    erased = desk.look(generation.id)
    assert erased.corpus_fingerprint != generation.corpus_fingerprint
    found = desk.resolve(generation)
    assert (found.status, found.failure) == (CalibrationStatus.STALE, FailureCode.CALIBRATION_STALE)
    # A generation that never held it is not affected.
    assert desk.look(other.id).corpus_fingerprint == other.corpus_fingerprint
    assert desk.status(other) is CalibrationStatus.CERTIFIED
    assert desk.state(kept_of_other) is State.PUBLISHED
    for each in (draft, published):
        with pytest.raises(RefusedError, match="the corpus has changed") as caught:
            desk.publish(each)
        assert "recall calibrate" in caught.value.help
    with pytest.raises(RefusedError, match="another corpus"):
        desk.put(desk.measure(generation.binding, 4))
    rebuilt = shelf.build(FILES)
    assert rebuilt.corpus_fingerprint == erased.corpus_fingerprint
    assert desk.resolve(rebuilt).failure is FailureCode.CALIBRATION_MISSING
    # Measured again, it serves again, and the history stays.
    desk.publish(desk.save(erased, 5))
    assert desk.status(generation) is CalibrationStatus.CERTIFIED
    assert [each.state for each in desk.kept.calibrations(desk.tenant, generation.id)] == [
        State.PUBLISHED,
        State.SUPERSEDED,
        State.DRAFT,
    ]


def test_h10_another_lineage_comes_first(desk, generation):
    desk.publish(desk.save(generation))
    other = replace(generation.binding.lineage, embedder="another")
    found = desk.resolve(generation, serving=other)
    assert (found.failure, found.artifact) == (FailureCode.LINEAGE_MISMATCH, None)


@pytest.mark.parametrize("state", ["ready", "active", "retired"])
def test_h11_complete_generations_can_be_calibrated(desk, shelf, generation, state):
    if state != "ready":
        shelf.promote(generation)
    if state == "retired":
        shelf.serve({"a.md": "Another.\n"})
    assert desk.look(generation.id).state.value == state
    desk.publish(desk.save(generation))
    assert desk.status(generation) is CalibrationStatus.CERTIFIED


def test_h11_no_other_generation_can_be_calibrated(desk, shelf, generation):
    draft = desk.save(generation)
    shelf.retire(generation)
    with pytest.raises(UsageError, match="holds no corpus"):
        desk.save(generation, 2)
    with pytest.raises(RefusedError, match="no longer holds a corpus"):
        desk.publish(draft)
    with shelf.begin() as build:
        unfinished = replace(generation, id=build.id)
        with pytest.raises(UsageError, match="holds no corpus"):
            desk.save(unfinished)
    assert desk.look(unfinished.id).state is GenerationState.FAILED
    for name in (unfinished.id, "gen_000000000000", "gen_x'; --\x1b"):
        with pytest.raises(UsageError, match="holds no corpus") as caught:
            desk.save(replace(generation, id=name))
        assert "\x1b" not in caught.value.message
    assert desk.kept.calibrations(desk.tenant) == [draft]


def test_h12_labels_are_kept_once_and_read_back_by_their_digest(desk, generation):
    first, second = desk.save(generation, 1), desk.save(generation, 2)
    assert first.labels == second.labels
    assert desk.kept.query_set(desk.tenant, first.labels).digest == first.labels


def test_h14_a_search_keeps_the_calibration_that_it_has_pinned(desk, shelf, generation):
    shelf.promote(generation)
    first, second = desk.publish(desk.save(generation, 1)), desk.save(generation, 2)
    with shelf.store.snapshot(desk.tenant) as snapshot:
        here = snapshot.generation.binding
        with ThreadPoolExecutor(1) as pool:
            pool.submit(desk.publish, second).result()
            pool.submit(shelf.forget, "c.md").result()
            pool.submit(shelf.serve, {"a.md": "Another.\n"}).result()
        found = resolve(snapshot.calibrations(), here, here.lineage)
        assert (found.artifact, found.status) == (first.artifact, CalibrationStatus.CERTIFIED)
        assert snapshot.generation.corpus_fingerprint == generation.corpus_fingerprint
    assert desk.status(generation) is CalibrationStatus.STALE


def test_a_search_reads_the_calibration_of_its_own_generation(desk, shelf, generation):
    shelf.promote(generation)
    ready = shelf.build({"a.md": "Another.\n"})
    mine, theirs = desk.publish(desk.save(generation, 1)), desk.publish(desk.save(ready, 2))
    for name, expected in ((None, mine), (generation.id, mine), (ready.id, theirs)):
        with shelf.store.snapshot(desk.tenant, name) as snapshot:
            here = snapshot.generation.binding
            assert resolve(snapshot.calibrations(), here, here.lineage).artifact == expected.artifact


def test_what_was_published_at_an_instant(desk, generation):
    first, second, third = (desk.save(generation, each) for each in range(3))
    before = desk.look(generation.id).created_at - timedelta(days=1)
    pause()
    first_at = desk.publish(first).published_at
    pause()
    second_at = desk.publish(second).published_at
    pause()
    aside = desk.kept.reject(desk.tenant, third.id, actor="x")
    moment = timedelta(microseconds=1)
    for instant, status, artifact in (
        (before, CalibrationStatus.MISSING, None),
        (third.stored_at, CalibrationStatus.DRAFT, None),
        (first_at - moment, CalibrationStatus.DRAFT, None),
        (first_at, CalibrationStatus.CERTIFIED, first.artifact),
        (second_at - moment, CalibrationStatus.CERTIFIED, first.artifact),
        (second_at, CalibrationStatus.CERTIFIED, second.artifact),
        (aside.ended_at, CalibrationStatus.CERTIFIED, second.artifact),
        (None, CalibrationStatus.CERTIFIED, second.artifact),
    ):
        found = desk.resolve(generation, known_at=instant)
        assert (found.status, found.artifact) == (status, artifact), instant
    stored = desk.kept.calibration(desk.tenant, third.id)
    assert stored.record_at(aside.ended_at).state is State.REJECTED
    assert stored.record_at(aside.ended_at - moment).state is State.DRAFT
    assert stored.record_at(before) is None


def pause() -> None:
    """Let the clock move on by more than its step."""
    time.sleep(0.002)


def test_i11_production_promotes_only_with_a_certified_published_calibration(desk, shelf, generation):
    def promote():
        return shelf.store.promote(desk.tenant, generation.id, expected=None, actor="x", demands_certified=True)

    def refuses(reason: str) -> bool:
        with pytest.raises(RefusedError, match=reason) as caught:
            promote()
        assert generation.id in caught.value.help
        return desk.look(generation.id).state is GenerationState.READY and shelf.store.active(desk.tenant) is None

    assert refuses("has no calibration")
    desk.kept.save_legacy(desk.tenant, "{}", actor="x")
    desk.save(generation, apart=False)
    assert refuses("did not certify")
    draft = desk.save(generation)
    assert refuses("nobody has published")
    desk.publish(draft)
    shelf.forget("c.md")
    assert refuses("the corpus has changed")
    desk.publish(desk.save(desk.look(generation.id), 2))
    assert promote().state is GenerationState.ACTIVE


def test_i11_promotion_that_demands_none_and_rollback_say_what_the_standing_was(desk, shelf, generation):
    shelf.promote(generation)
    second = shelf.serve({"a.md": "Another.\n"})
    desk.publish(desk.save(generation))
    assert shelf.rollback().id == generation.id
    shelf.forget("c.md")
    last = shelf.serve({"a.md": "Another.\n"})
    assert shelf.rollback().id == generation.id
    said = [
        (each.action, each.generation, each.detail["calibration"])
        for each in desk.kept.events(desk.tenant)
        if each.action in ("promote", "rollback")
    ]
    assert said == [
        ("promote", generation.id, "missing"),
        ("promote", second.id, "missing"),
        ("rollback", generation.id, "certified"),
        ("promote", last.id, "missing"),
        ("rollback", generation.id, "stale"),
    ]


def test_the_trail_of_generations_is_there_too(desk, shelf, generation):
    shelf.promote(generation)
    shelf.forget("c.md", dry_run=True)
    shelf.forget("c.md")
    other = shelf.build({"a.md": "Another.\n"})
    shelf.retire(other)
    assert [each.action for each in desk.kept.events(desk.tenant)] == ["build", "promote", "forget", "build", "retire"]
    assert {each.actor for each in desk.kept.events(desk.tenant)} == {"tester"}


def test_no_calibration_of_another_tenant_is_seen_or_moved(desk, shelf, neighbour, measure, generation):
    theirs = Desk(neighbour, measure)
    their_generation = neighbour.build(FILES)
    draft = theirs.save(their_generation)
    assert desk.kept.calibrations(desk.tenant) == []
    assert desk.kept.calibrations(desk.tenant, their_generation.id) == []
    assert desk.kept.calibration(desk.tenant, draft.id) is None
    assert desk.kept.query_set(desk.tenant, draft.labels) is None
    for move in (desk.kept.publish, desk.kept.reject):
        with pytest.raises(UsageError, match="no calibration"):
            move(desk.tenant, draft.id, actor="x")
    with pytest.raises(UsageError, match="holds no corpus"):
        desk.put(desk.measure(replace(their_generation.binding, tenant=desk.tenant)))
    theirs.publish(draft)
    assert desk.kept.last_published(desk.tenant) is None
    assert desk.status(generation) is CalibrationStatus.MISSING
    assert {each.generation for each in desk.kept.events(desk.tenant)} == {generation.id}
    assert desk.save(generation).labels == draft.labels
