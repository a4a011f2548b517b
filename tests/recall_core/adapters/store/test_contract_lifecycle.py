"""Builds, promotion, rollback and retirement, on every store (BEHAVIOURS I4, I6, I7, I11, B7)."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Barrier

import numpy as np
import pytest

from recall_core.errors import ConflictError, RecallError, StoreError, UsageError
from recall_core.generation.manifest import Source, build_fingerprint
from recall_core.generation.states import State

FILES = {"a.md": "The limit is forty.\n", "notes/b.md": "# Deploy\n\nOn Fridays nobody deploys.\n"}


class ModelBrokeError(Exception):
    """What a model raises in the middle of a build."""


def states(shelf) -> list[State]:
    return [each.state for each in shelf.store.generations(shelf.tenant)]


def test_a_new_tenant_has_nothing(shelf):
    assert shelf.store.generations(shelf.tenant) == []
    assert shelf.store.active(shelf.tenant) is None
    assert shelf.store.generation(shelf.tenant, "gen_0123456789ab") is None
    with shelf.store.snapshot(shelf.tenant) as snapshot:
        assert snapshot is None
    with shelf.store.snapshot(shelf.tenant, "gen_0123456789ab") as snapshot:
        assert snapshot is None


def test_a_finished_build_is_ready_and_says_what_it_holds(shelf):
    before = datetime.now(UTC)
    with shelf.begin(revision="0123abc") as build:
        assert build.id.startswith("gen_")
        shelf.add(build, FILES)
        generation = build.finish()
        assert generation.id == build.id
    assert (generation.state, generation.tenant) == (State.READY, shelf.tenant)
    assert (generation.root, generation.revision) == ("/corpora/first", "0123abc")
    assert generation.pipeline == shelf.plan().pipeline
    assert (generation.memos, generation.chunks, generation.refused) == (2, 2, ())
    assert generation.promoted_at is None
    # A server has a clock of its own.
    assert abs(generation.created_at - before) < timedelta(minutes=5)
    assert generation.created_at.utcoffset() == timedelta()
    sources = [Source(each.memo.path, each.content_hash) for each in shelf.corpus(generation)]
    assert generation.manifest_fingerprint == generation.corpus_fingerprint == build_fingerprint(sources)
    assert shelf.store.generation(shelf.tenant, generation.id) == generation
    assert shelf.store.generations(shelf.tenant) == [generation]
    assert shelf.store.active(shelf.tenant) is None


def test_rows_may_come_in_several_portions_in_any_order(shelf):
    with shelf.begin() as build:
        shelf.add(build, {"z.md": "Zebra.\n"})
        build.add([])
        shelf.add(build, {"b.md": "Bear.\n", "a.md": "Ape.\n"})
        generation = build.finish()
    assert [each.memo.path for each in shelf.corpus(generation)] == ["a.md", "b.md", "z.md"]
    assert shelf.find("zebra bear ape", generation=generation.id, paths=frozenset({"z.md"})) == ["z.md"]


def test_an_empty_corpus_is_a_generation_too(shelf):
    generation = shelf.serve({})
    assert (generation.memos, generation.chunks) == (0, 0)
    assert shelf.search("anything").hits == ()
    assert shelf.corpus(generation) == []


def test_nobody_sees_a_build_before_it_is_finished(shelf):
    with shelf.begin() as build:
        shelf.add(build, FILES)
        unfinished = shelf.store.generation(shelf.tenant, build.id)
        assert unfinished is not None
        assert unfinished.state is State.BUILDING
        with shelf.store.snapshot(shelf.tenant, build.id) as snapshot:
            assert snapshot is None
        with pytest.raises(UsageError):
            shelf.store.corpus(shelf.tenant, build.id)
        with pytest.raises(UsageError, match=build.id):
            shelf.promote(build.id)
        build.finish()
        with shelf.store.snapshot(shelf.tenant, build.id) as snapshot:
            assert snapshot is not None


def test_i11_i4_a_failed_build_leaves_the_active_generation_as_it_was(shelf):
    active = shelf.serve(FILES)

    def break_off() -> None:
        with shelf.begin() as build:
            shelf.add(build, {"a.md": "The limit is fifty.\n"})
            raise ModelBrokeError

    with pytest.raises(ModelBrokeError):
        break_off()
    failed = shelf.store.generations(shelf.tenant)[0]
    assert states(shelf) == [State.FAILED, State.ACTIVE]
    assert shelf.store.active(shelf.tenant) == active
    assert shelf.find("forty fifty") == ["a.md"]
    assert shelf.search("limit").hits[0].chunk.text == "The limit is forty."
    with pytest.raises(UsageError):
        shelf.promote(failed)
    with shelf.store.snapshot(shelf.tenant, failed.id) as snapshot:
        assert snapshot is None


def test_a_build_that_is_left_without_finishing_is_failed(shelf):
    with shelf.begin() as build:
        shelf.add(build, FILES)
    assert states(shelf) == [State.FAILED]


@pytest.mark.parametrize("what", ["the same memo twice", "too few vectors", "vectors of another width"])
def test_rows_that_do_not_add_up_fail_the_build(shelf, rows, what):
    row = rows.build_row("a.md", FILES["a.md"])
    bad = {
        "the same memo twice": [row, row],
        "too few vectors": [replace(row, vectors=row.vectors[:0])],
        "vectors of another width": [replace(row, vectors=np.ones((1, 3), np.float32))],
    }[what]

    def build_all() -> None:
        with shelf.begin() as build:
            build.add(bad)
            build.finish()

    with pytest.raises(StoreError):
        build_all()
    assert states(shelf) == [State.FAILED]
    # The tenant is free again.
    assert shelf.build(FILES).state is State.READY


def test_generations_come_the_newest_first(shelf):
    made = [shelf.build(FILES).id for _ in range(3)]
    assert [each.id for each in shelf.store.generations(shelf.tenant)] == made[::-1]
    assert len(set(made)) == 3


def test_b7_a_refused_memo_is_named_and_keeps_its_edges_without_its_text(shelf):
    files = {"old.md": "The old way.\n", "new.md": "---\nsupersedes: old\nvalid_from: 2026-2-1\n---\nThe zebra way.\n"}
    generation = shelf.serve(files, refused={"new.md": "`valid_from` is no day"})
    assert generation.refused == ("new.md",)
    assert (generation.memos, generation.chunks) == (2, 1)
    assert shelf.successors(generation) == {"old.md": ["new.md"]}
    assert shelf.find("zebra") == []
    assert shelf.find("old way") == ["old.md"]


def test_promotion_makes_one_generation_active_and_retires_the_one_before(shelf):
    first = shelf.serve(FILES)
    assert first.state is State.ACTIVE
    assert first.promoted_at is not None
    assert first.promoted_at >= first.created_at
    second = shelf.serve(FILES)
    assert states(shelf) == [State.ACTIVE, State.RETIRED]
    assert shelf.store.active(shelf.tenant) == second
    # What was active before is still complete.
    assert len(shelf.corpus(first)) == 2
    assert shelf.find("limit", generation=first.id) == ["a.md"]


def test_i11_only_a_ready_generation_is_promoted(shelf):
    first, second = shelf.serve(FILES), shelf.serve(FILES)
    for generation in (first, second):
        with pytest.raises(UsageError, match=generation.id):
            shelf.promote(generation)
    with pytest.raises(UsageError, match="gen_0123456789ab"):
        shelf.promote("gen_0123456789ab")
    assert shelf.store.active(shelf.tenant) == second


def test_promotion_is_refused_where_another_generation_is_active_by_now(shelf):
    first, second = shelf.build(FILES), shelf.build(FILES)
    with pytest.raises(ConflictError):
        shelf.store.promote(shelf.tenant, first.id, expected=second.id, actor="tester")
    shelf.promote(first)
    with pytest.raises(ConflictError, match=first.id):
        shelf.store.promote(shelf.tenant, second.id, expected=None, actor="tester")
    assert states(shelf) == [State.READY, State.ACTIVE]


def test_of_promotions_at_one_moment_exactly_one_holds(shelf):
    made = [shelf.build({"a.md": f"Number {number}.\n"}) for number in range(6)]
    start = Barrier(len(made))

    def promote(generation) -> str:
        start.wait()
        try:
            shelf.store.promote(shelf.tenant, generation.id, expected=None, actor="tester")
        except ConflictError:
            return "refused"
        return generation.id

    with ThreadPoolExecutor(len(made)) as pool:
        outcomes = list(pool.map(promote, made))
    winners = [each for each in outcomes if each != "refused"]
    assert len(winners) == 1
    active = shelf.store.active(shelf.tenant)
    assert active is not None
    assert [active.id] == winners
    assert states(shelf).count(State.ACTIVE) == 1
    assert states(shelf).count(State.READY) == len(made) - 1


def test_rollback_goes_back_step_by_step_as_generations_were_promoted(shelf):
    first, second, third = (shelf.serve({"a.md": f"Number {number}.\n"}) for number in range(3))
    assert shelf.rollback().id == second.id
    assert states(shelf) == [State.RETIRED, State.ACTIVE, State.RETIRED]
    assert shelf.rollback().id == first.id
    assert shelf.search("number").hits[0].chunk.text == "Number 0."
    with pytest.raises(UsageError):
        shelf.rollback()
    assert states(shelf) == [State.RETIRED, State.RETIRED, State.ACTIVE]
    assert len(shelf.corpus(third)) == 1


def test_what_is_promoted_after_a_rollback_goes_back_to_what_it_was_promoted_over(shelf):
    first = shelf.serve(FILES)
    shelf.serve(FILES)
    shelf.rollback()
    shelf.serve(FILES)
    assert shelf.rollback().id == first.id


def test_there_is_nothing_to_go_back_to(shelf):
    with pytest.raises(UsageError):
        shelf.rollback()
    shelf.build(FILES)
    with pytest.raises(UsageError):
        shelf.rollback()
    only = shelf.serve(FILES)
    with pytest.raises(UsageError):
        shelf.rollback()
    later = shelf.serve(FILES)
    shelf.retire(only)
    with pytest.raises(UsageError):
        shelf.rollback()
    assert shelf.store.active(shelf.tenant) == later


@pytest.mark.parametrize("was_served", [True, False])
def test_retiring_drops_the_rows_and_keeps_the_record(shelf, was_served):
    generation = shelf.serve(FILES) if was_served else shelf.build(FILES)
    shelf.serve(FILES)
    shelf.retire(generation)
    record = shelf.store.generation(shelf.tenant, generation.id)
    assert record is not None
    assert record.state is State.RETIRED
    assert record.manifest_fingerprint == generation.manifest_fingerprint
    with shelf.store.snapshot(shelf.tenant, generation.id) as snapshot:
        assert snapshot is None
    with pytest.raises(UsageError):
        shelf.corpus(generation)
    with pytest.raises(UsageError):
        shelf.promote(generation)


def test_what_is_active_unfinished_unknown_or_gone_is_not_retired(shelf):
    active = shelf.serve(FILES)
    with pytest.raises(UsageError, match="active"):
        shelf.retire(active)
    with pytest.raises(UsageError, match="gen_0123456789ab"):
        shelf.store.retire(shelf.tenant, "gen_0123456789ab", actor="tester")
    with shelf.begin() as build, pytest.raises(UsageError):
        shelf.store.retire(shelf.tenant, build.id, actor="tester")
    ready = shelf.build(FILES)
    shelf.retire(ready)
    with pytest.raises(UsageError):
        shelf.retire(ready)
    assert shelf.find("limit") == ["a.md"]


def test_i7_a_second_writer_is_refused_and_told_who_builds(shelf):
    with shelf.begin(actor="Ada Lovelace") as build:
        with pytest.raises(ConflictError, match="Ada Lovelace") as refusal, shelf.begin(actor="Charles"):
            pass
        assert refusal.value.help
        shelf.add(build, FILES)
        build.finish()
    assert states(shelf) == [State.READY]
    assert shelf.build(FILES, actor="Charles").state is State.READY


def test_i7_a_writer_that_failed_leaves_no_lock(shelf):
    with pytest.raises(ModelBrokeError), shelf.begin():
        raise ModelBrokeError
    assert shelf.build(FILES).state is State.READY


def test_i7_of_writers_at_one_moment_one_builds(shelf):
    count = 4
    start, decided = Barrier(count), Barrier(count)

    def write(number: int) -> str:
        start.wait()
        try:
            with shelf.begin(actor=f"writer {number}") as build:
                decided.wait()
                shelf.add(build, FILES)
                build.finish()
        except ConflictError:
            decided.wait()
            return "refused"
        return "built"

    with ThreadPoolExecutor(count) as pool:
        outcomes = sorted(pool.map(write, range(count)))
    assert outcomes == ["built", "refused", "refused", "refused"]


def test_tenants_are_written_at_the_same_time(shelf, neighbour):
    with shelf.begin() as mine, neighbour.begin(root="/corpora/second") as theirs:
        shelf.add(mine, FILES)
        neighbour.add(theirs, FILES)
        assert mine.finish().tenant == shelf.tenant
        assert theirs.finish().tenant == neighbour.tenant


def test_i6_another_root_is_refused_naming_the_first_and_what_to_type(shelf, neighbour):
    shelf.build(FILES)
    with pytest.raises(ConflictError, match="/corpora/first") as refusal:
        shelf.build(FILES, root="/corpora/second")
    assert "--tenant" in refusal.value.help
    assert states(shelf) == [State.READY]
    assert neighbour.build(FILES, root="/corpora/second").root == "/corpora/second"


def test_i6_a_failed_build_binds_no_root(shelf):
    with pytest.raises(ModelBrokeError), shelf.begin(root="/corpora/second"):
        raise ModelBrokeError
    assert shelf.build(FILES).state is State.READY


def test_errors_are_of_the_tree_that_a_command_can_print(shelf):
    for act in (shelf.rollback, lambda: shelf.promote("gen_0123456789ab")):
        with pytest.raises(RecallError) as error:
            act()
        assert error.value.message
        assert error.value.help
